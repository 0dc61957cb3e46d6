// Issue: decides in every cycle whether the bundle in the issue register issues, stalls or traps.
//
// In order, one bundle per cycle, all or nothing. `fire_o` has a bit per slot: its operation
// happens in this cycle. Every reason to stall is one wire, `stall`, bit = number of its cause; the
// lowest set one is the cause of the cycle. A trap is decided in the first cycle in which no reason
// to stall is left (immediately for an illegal encoding or a write conflict), from register values
// alone. A copy holds its bundle for TIMING_DESCRIPTOR_CHECK cycles while its descriptor is read
// and checked.
`default_nettype none

module tpu_issue #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         run_i,       // state: bundles may issue
  input  logic         stop_i,      // the host stops the machine in this cycle
  input  logic         starting_i,  // state: loading
  input  logic [31:0]  text_bundles_i,
  input  logic [31:0]  entry_pc_i,

  // Fetch
  input  logic         valid_i,
  input  logic [511:0] bundle_i,
  input  logic [31:0]  pc_i,
  input  logic         bubble_i,
  input  logic         outside_i,
  output logic         consume_o,
  output logic         redirect_o,
  output logic [31:0]  target_o,

  // State needed by operands and hazards
  input  logic [1023:0]        sregs_i,
  input  logic [7:0]           pregs_i,
  input  logic [8*8*LANES-1:0] mregs_i,
  input  logic [31:0]          s_land_i,
  input  logic [7:0]           m_land_i,
  input  logic [63:0]          v_land_i,

  // Units
  input  logic [255:0] ld_index_i,  // rows of indexed loads and stores
  input  logic [255:0] st_index_i,
  input  logic         vmem_busy_i,
  input  logic         eup_ready_i,
  input  logic         xlu_ready_i,
  input  logic         push_ready_i,
  input  logic         mul_ready_i,
  input  logic         read_ready_i,
  input  logic         copy_full_i,
  input  logic         copies_pending_i,  // some copy is queued or in flight
  input  logic         wait_met_i,
  input  logic         in_group_i,        // other chips may add to flags
  input  tpu_pkg::trap_e copy_cause_i,
  input  logic [31:0]  copy_detail_i,
  output logic         descriptor_read_o,  // the descriptor's words are read in this cycle
  output logic         copy_check_o,       // the check's second cycle

  // The bundle to the units
  output logic [8:0]   fire_o,
  output logic [8:0]   enabled_o,  // of the bundle at issue, issuing or not
  output logic [31:0]  seq_o,
  output logic [31:0]  sa_a_o,
  output logic [31:0]  sa_b_o,
  output logic [31:0]  sb_a_o,
  output logic [31:0]  sb_b_o,
  output logic [31:0]  smem_address_o,
  output logic [31:0]  va_x_o,
  output logic [31:0]  va_y_o,
  output logic [2:0]   va_n_o,
  output logic [31:0]  vb_x_o,
  output logic [31:0]  vb_y_o,
  output logic [2:0]   vb_n_o,
  output logic [7:0]   ld_rows_o,
  output logic [255:0] ld_row_o,
  output logic [8*$clog2(LANES)-1:0] ld_lane_o,
  output logic [8*LANES-1:0]         ld_mask_o,
  output logic [7:0]   st_rows_o,
  output logic [255:0] st_row_o,
  output logic [8*LANES-1:0]         st_mask_o,
  output logic [6:0]   mx_index_o,  // in range when the operation fires
  output logic [31:0]  xu_n_o,
  output logic [31:0]  descriptor_o,
  output logic [31:0]  source_offset_o,
  output logic [31:0]  destination_offset_o,
  output logic [tpu_pkg::FLAG_W-1:0] flag_o,
  output logic [31:0]  flag_n_o,

  // Control and counters
  output logic         halt_o,
  output logic         trap_o,
  output tpu_pkg::trap_e trap_cause_o,
  output logic [3:0]   trap_slot_o,
  output logic [31:0]  trap_detail_o,
  output logic [31:0]  trap_pc_o,
  output tpu_pkg::cause_e cause_o,
  output logic         scoreboard_idle_o,

  // Retirement
  output logic         ret_issue_valid_o,
  output logic [31:0]  ret_issue_seq_o,
  output logic [31:0]  ret_issue_pc_o,
  output logic [31:0]  ret_issue_next_pc_o,
  output logic [511:0] ret_issue_bundle_o,
  output logic [8:0]   ret_issue_enabled_o,
  output logic         ret_issue_halt_o,
  output tpu_pkg::trap_e ret_issue_trap_o,
  output logic [3:0]   ret_issue_trap_slot_o,
  output logic [31:0]  ret_issue_trap_detail_o
);
  logic [63:0] sa, ld, st, mx, xu, dma;
  assign sa  = bundle_i[tpu_pkg::SLOT_SA_LSB +: 64];
  assign ld  = bundle_i[tpu_pkg::SLOT_LD_LSB +: 64];
  assign st  = bundle_i[tpu_pkg::SLOT_ST_LSB +: 64];
  assign mx  = bundle_i[tpu_pkg::SLOT_MX_LSB +: 64];
  assign xu  = {32'd0, bundle_i[tpu_pkg::SLOT_XU_LSB +: 32]};
  assign dma = {32'd0, bundle_i[tpu_pkg::SLOT_DMA_LSB +: 32]};

  // ---- decode -----------------------------------------------------------------------------------
  logic        illegal, conflict, broken, go, look;
  logic [3:0]  illegal_slot, conflict_slot;
  logic [31:0] conflict_detail;
  logic [31:0] sreads, swrites_now, swrites_soon, swrites_xlu;
  logic [7:0]  mreads, mwrites;
  logic [63:0] vreads, vwrites_vector, vwrites_eup, vwrites_xlu, vwrites_mxu;
  logic [8:0]  enabled;
  tpu_decode decode (
    .bundle_i(bundle_i), .pregs_i(pregs_i), .enabled_o(enabled),
    .illegal_o(illegal), .illegal_slot_o(illegal_slot),
    .conflict_o(conflict), .conflict_slot_o(conflict_slot), .conflict_detail_o(conflict_detail),
    .sreads_o(sreads), .mreads_o(mreads), .vreads_o(vreads),
    .swrites_now_o(swrites_now), .swrites_soon_o(swrites_soon), .swrites_xlu_o(swrites_xlu),
    .mwrites_o(mwrites), .vwrites_vector_o(vwrites_vector), .vwrites_eup_o(vwrites_eup),
    .vwrites_xlu_o(vwrites_xlu), .vwrites_mxu_o(vwrites_mxu));
  assign broken = illegal || conflict;
  assign look = run_i && valid_i && !stop_i;  // a bundle is present and may be decided
  assign enabled_o = enabled;

  logic on_ld, on_st, on_mx, on_xu, on_dma;
  assign on_ld = valid_i && enabled[tpu_pkg::SLOT_LD];
  assign on_st = valid_i && enabled[tpu_pkg::SLOT_ST];
  assign on_mx = enabled[tpu_pkg::SLOT_MX];
  assign on_xu = enabled[tpu_pkg::SLOT_XU];
  assign on_dma = enabled[tpu_pkg::SLOT_DMA];

  // ---- operands and addresses -------------------------------------------------------------------
  logic [31:0] ld_base, st_base, ld_bound, st_bound, mx_index, flag;
  assign mx_index_o = 7'(mx_index);
  assign flag_o = tpu_pkg::FLAG_W'(flag);
  tpu_operands operands (
    .bundle_i(bundle_i), .sregs_i(sregs_i),
    .sa_a_o(sa_a_o), .sa_b_o(sa_b_o), .sb_a_o(sb_a_o), .sb_b_o(sb_b_o),
    .smem_address_o(smem_address_o),
    .va_x_o(va_x_o), .va_y_o(va_y_o), .va_n_o(va_n_o),
    .vb_x_o(vb_x_o), .vb_y_o(vb_y_o), .vb_n_o(vb_n_o),
    .ld_base_o(ld_base), .ld_bound_o(ld_bound), .st_bound_o(st_bound), .st_base_o(st_base), .mx_index_o(mx_index), .xu_n_o(xu_n_o),
    .descriptor_o(descriptor_o), .source_offset_o(source_offset_o),
    .destination_offset_o(destination_offset_o), .flag_o(flag), .flag_n_o(flag_n_o));

  // Masks of load and store; used only when the slot is enabled.
  always_comb begin
    ld_mask_o = '0;
    st_mask_o = '0;
    if (on_ld)
      ld_mask_o = mregs_i[32'(tpu_pkg::ls_mask_value(ld)) * (8*LANES) +: 8*LANES]
                ^ {8*LANES{tpu_pkg::ls_mask_extra(ld)}};
    if (on_st)
      st_mask_o = mregs_i[32'(tpu_pkg::ls_mask_value(st)) * (8*LANES) +: 8*LANES]
                ^ {8*LANES{tpu_pkg::ls_mask_extra(st)}};
  end

  logic        ld_bad, st_bad;
  logic [31:0] ld_detail, st_detail;
  logic [8*$clog2(LANES)-1:0] st_lane_unused;
  tpu_address #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) ld_address (
    .enable_i(on_ld), .column_i(tpu_pkg::load_op(ld) == tpu_pkg::OP_VLDC), .base_i(ld_base),
    .stride_i(tpu_pkg::ls_stride_value(ld)), .rows_i(tpu_pkg::ls_rows_value(ld)),
    .mask_i(ld_mask_o), .indexed_i(tpu_pkg::load_op(ld) == tpu_pkg::OP_VLDX),
    .index_i(ld_index_i), .bound_i(ld_bound), .rows_o(ld_rows_o), .row_o(ld_row_o), .lane_o(ld_lane_o),
    .bad_o(ld_bad), .bad_detail_o(ld_detail));
  tpu_address #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) st_address (
    .enable_i(on_st), .column_i(1'b0), .base_i(st_base),
    .stride_i(tpu_pkg::ls_stride_value(st)), .rows_i(tpu_pkg::ls_rows_value(st)),
    .mask_i(st_mask_o), .indexed_i(tpu_pkg::store_op(st) == tpu_pkg::OP_VSTX),
    .index_i(st_index_i), .bound_i(st_bound), .rows_o(st_rows_o), .row_o(st_row_o), .lane_o(st_lane_unused),
    .bad_o(st_bad), .bad_detail_o(st_detail));

  // ---- next PC ----------------------------------------------------------------------------------
  logic        taken, is_halt;
  logic [31:0] next_pc;
  tpu_pkg::scalar_op_e sa_op;
  assign sa_op = tpu_pkg::scalar_op(sa);
  always_comb begin
    taken = 1'b0;
    target_o = tpu_pkg::label_value(sa);
    case (sa_op)
      tpu_pkg::OP_BR, tpu_pkg::OP_CALL: taken = enabled[tpu_pkg::SLOT_SA];
      tpu_pkg::OP_JUMP, tpu_pkg::OP_RET: begin
        taken = enabled[tpu_pkg::SLOT_SA];
        target_o = sa_a_o;
      end
      default: ;
    endcase
  end
  assign is_halt = enabled[tpu_pkg::SLOT_SA] && (sa_op == tpu_pkg::OP_HALT);
  assign next_pc = taken ? target_o : pc_i + 32'd1;

  // ---- traps ------------------------------------------------------------------------------------
  tpu_pkg::trap_e late_cause;
  logic [3:0]  late_slot;
  logic [31:0] late_detail;
  tpu_trap #(.LANES(LANES), .SMEM_WORDS(SMEM_WORDS)) traps (
    .bundle_i(bundle_i), .enabled_i(enabled), .next_pc_i(next_pc),
    .text_bundles_i(text_bundles_i), .smem_address_i(smem_address_o),
    .ld_bad_i(ld_bad), .ld_detail_i(ld_detail), .st_bad_i(st_bad), .st_detail_i(st_detail),
    .mx_index_i(mx_index), .copy_cause_i(copy_cause_i), .copy_detail_i(copy_detail_i),
    .flag_i(flag), .wait_met_i(wait_met_i),
    .cause_o(late_cause), .slot_o(late_slot), .detail_o(late_detail));

  always_comb begin
    trap_cause_o = late_cause;
    trap_slot_o = late_slot;
    trap_detail_o = late_detail;
    if (outside_i) begin  // only an entry point outside the text gets here
      trap_cause_o = tpu_pkg::TRAP_JUMP_RANGE;
      trap_slot_o = tpu_pkg::SLOT_SA;
      trap_detail_o = entry_pc_i;
    end else if (illegal) begin
      trap_cause_o = tpu_pkg::TRAP_ILLEGAL_ENCODING;
      trap_slot_o = illegal_slot;
      trap_detail_o = 32'd0;
    end else if (conflict) begin
      trap_cause_o = tpu_pkg::TRAP_WRITE_CONFLICT;
      trap_slot_o = conflict_slot;
      trap_detail_o = conflict_detail;
    end
  end

  // ---- stalls -----------------------------------------------------------------------------------
  logic is_copy, is_wait, is_push, is_mul, is_read, is_eup, is_xlu;
  assign is_copy = on_dma && (tpu_pkg::latency_dma(dma) == tpu_pkg::LATENCY_COPY);
  assign is_wait = on_dma && (tpu_pkg::latency_dma(dma) == tpu_pkg::LATENCY_WAIT);
  assign is_push = on_mx && (tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_PUSH);
  assign is_mul = on_mx && (tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_MULTIPLY);
  assign is_read = on_mx && (tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_ACC_READ);
  assign is_eup = on_xu && (tpu_pkg::latency_xu(xu) == tpu_pkg::LATENCY_EUP);
  assign is_xlu = on_xu && (tpu_pkg::latency_xu(xu) == tpu_pkg::LATENCY_XLU);

  logic wait_scalar, wait_vector, wait_eup, wait_xlu, wait_mxu;
  tpu_scoreboard scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .go_i(go),
    .sreads_i(sreads), .mreads_i(mreads), .vreads_i(vreads),
    .swrites_now_i(swrites_now), .swrites_soon_i(swrites_soon), .swrites_xlu_i(swrites_xlu),
    .mwrites_i(mwrites), .vwrites_vector_i(vwrites_vector), .vwrites_eup_i(vwrites_eup),
    .vwrites_xlu_i(vwrites_xlu), .vwrites_mxu_i(vwrites_mxu),
    .s_land_i(s_land_i), .m_land_i(m_land_i), .v_land_i(v_land_i),
    .wait_scalar_o(wait_scalar), .wait_vector_o(wait_vector), .wait_eup_o(wait_eup),
    .wait_xlu_o(wait_xlu), .wait_mxu_o(wait_mxu), .idle_o(scoreboard_idle_o));

  logic [31:0] idle_q;   // cycles in which nothing may issue
  logic [1:0]  check_q;  // cycles of the descriptor check that have passed
  logic        checking;
  assign checking = is_copy && (check_q != 2'(tpu_pkg::TIMING_DESCRIPTOR_CHECK));

  logic stall_idling, stall_scalar_result, stall_vector_result, stall_vmem_bank, stall_eup;
  logic stall_xlu, stall_mxu_push, stall_mxu_multiply, stall_mxu_result, stall_copy_queue;
  logic stall_sync_wait, stalled;
  assign stall_idling = idle_q != 32'd0;
  assign stall_scalar_result = wait_scalar;
  assign stall_vector_result = wait_vector;
  assign stall_vmem_bank = (on_ld || on_st) && vmem_busy_i;
  assign stall_eup = wait_eup || (is_eup && !eup_ready_i);
  assign stall_xlu = wait_xlu || (is_xlu && !xlu_ready_i);
  assign stall_mxu_push = is_push && !push_ready_i;
  assign stall_mxu_multiply = is_mul && !mul_ready_i;
  assign stall_mxu_result = wait_mxu || (is_read && !read_ready_i);
  assign stall_copy_queue = checking || (is_copy && copy_full_i);
  // In a group a wait may last forever; another operation of the bundle that traps does so
  // immediately.
  assign stall_sync_wait = is_wait && !wait_met_i && (flag < tpu_pkg::FLAGS)
                        && (in_group_i ? (late_cause == tpu_pkg::TRAP_DEADLOCK)
                                       : copies_pending_i);

  logic [tpu_pkg::CAUSE_COUNT-1:0] stall;
  always_comb begin
    stall = '0;
    stall[tpu_pkg::CAUSE_IDLING] = stall_idling;
    if (!broken) begin
      stall[tpu_pkg::CAUSE_SCALAR_RESULT] = stall_scalar_result;
      stall[tpu_pkg::CAUSE_VECTOR_RESULT] = stall_vector_result;
      stall[tpu_pkg::CAUSE_VMEM_BANK] = stall_vmem_bank;
      stall[tpu_pkg::CAUSE_EUP] = stall_eup;
      stall[tpu_pkg::CAUSE_XLU] = stall_xlu;
      stall[tpu_pkg::CAUSE_MXU_PUSH] = stall_mxu_push;
      stall[tpu_pkg::CAUSE_MXU_MULTIPLY] = stall_mxu_multiply;
      stall[tpu_pkg::CAUSE_MXU_RESULT] = stall_mxu_result;
      stall[tpu_pkg::CAUSE_COPY_QUEUE] = stall_copy_queue;
      stall[tpu_pkg::CAUSE_SYNC_WAIT] = stall_sync_wait;
    end
  end
  assign stalled = stall != '0;

  // ---- decision ---------------------------------------------------------------------------------
  logic trap_here;
  assign trap_here = look && !stalled && (broken || (late_cause != tpu_pkg::TRAP_NONE));
  assign trap_o = trap_here || (run_i && !stop_i && outside_i);
  assign trap_pc_o = outside_i ? entry_pc_i : pc_i;
  assign go = look && !stalled && !broken && (late_cause == tpu_pkg::TRAP_NONE);
  assign fire_o = go ? enabled : 9'd0;
  assign halt_o = go && is_halt;
  assign consume_o = go;
  assign redirect_o = go && taken;

  always_comb begin
    cause_o = tpu_pkg::CAUSE_DRAIN;
    if (starting_i) cause_o = tpu_pkg::CAUSE_START;
    else if (!run_i || stop_i || trap_o) cause_o = tpu_pkg::CAUSE_DRAIN;
    else if (go) cause_o = tpu_pkg::CAUSE_ISSUED;
    else if (bubble_i) cause_o = tpu_pkg::CAUSE_BRANCH;
    else if (!valid_i) cause_o = tpu_pkg::CAUSE_FETCH;
    else
      for (int unsigned i = 0; i < tpu_pkg::CAUSE_COUNT; i = i + 1)
        if (stall[tpu_pkg::CAUSE_COUNT - 1 - i])
          cause_o = tpu_pkg::cause_of(4'(tpu_pkg::CAUSE_COUNT - 1 - i));
  end

  // The check runs once the operands are available: words in its first cycle, products in its
  // second.
  assign descriptor_read_o = look && is_copy && !broken && !wait_scalar && !wait_xlu
                          && (check_q == 2'd0);
  assign copy_check_o = check_q == 2'd1;

  // ---- state ------------------------------------------------------------------------------------
  logic [31:0] seq_q;
  logic [31:0] idle_d;
  assign seq_o = seq_q;
  always_comb begin
    idle_d = (idle_q == 32'd0) ? 32'd0 : idle_q - 32'd1;
    if (fire_o[tpu_pkg::SLOT_SA] && (sa_op == tpu_pkg::OP_IDLE)) idle_d = sa_b_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      seq_q <= 32'd0;
      idle_q <= 32'd0;
      check_q <= 2'd0;
    end else begin
      if (go) seq_q <= seq_q + 32'd1;
      idle_q <= idle_d;
      if (go || trap_o) check_q <= 2'd0;
      else if (descriptor_read_o || (checking && (check_q != 2'd0))) check_q <= check_q + 2'd1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!go || (valid_i && run_i && !stalled)) else $error("issued against a stall");
      assert (!(go && trap_here)) else $error("issued and trapped");
      assert (!valid_i || (pc_i < text_bundles_i)) else $error("bundle from outside the text");
    end
  end
`endif

  always_ff @(posedge clk_i) begin
    ret_issue_valid_o <= rst_ni && (go || trap_here);
    ret_issue_seq_o <= seq_q;
    ret_issue_pc_o <= pc_i;
    ret_issue_next_pc_o <= trap_here ? pc_i : next_pc;
    if (go || trap_here) ret_issue_bundle_o <= bundle_i;
    ret_issue_enabled_o <= enabled;
    ret_issue_halt_o <= halt_o;
    ret_issue_trap_o <= trap_here ? trap_cause_o : tpu_pkg::TRAP_NONE;
    ret_issue_trap_slot_o <= trap_slot_o;
    ret_issue_trap_detail_o <= trap_detail_o;
  end
endmodule

`default_nettype wire
