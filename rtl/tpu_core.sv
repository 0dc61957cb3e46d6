// The core: wires only. Ports and their timing: rtl/README.md, section tpu_core.
`default_nettype none

module tpu_core #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Host registers
  input  logic        reg_write_i,
  input  logic [9:0]  reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  output logic        irq_o,
  output logic        running_o,
  output logic        halted_o,
  output logic        trapped_o,

  // Memory reads
  output logic                 mem_rd_valid_o,
  input  logic                 mem_rd_ready_i,
  output logic [63:0]          mem_rd_addr_o,
  output logic [7:0]           mem_rd_beats_o,
  output logic [1:0]           mem_rd_class_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [LANES*32-1:0]  mem_rsp_data_i,

  // Memory writes
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [63:0]          mem_wr_addr_o,
  output logic [7:0]           mem_wr_beats_o,
  output logic                 mem_wdata_valid_o,
  input  logic                 mem_wdata_ready_i,
  output logic [LANES*32-1:0]  mem_wdata_o,
  output logic [LANES*4-1:0]   mem_wstrb_o,
  input  logic                 mem_wrsp_valid_i,
  input  logic                 mem_error_i,

  // Group: chip number and number of chips, set before a start; and the links, right and left
  input  logic [7:0]           chip_i,
  input  logic [7:0]           chips_i,
  input  logic [1:0]           link_in_valid_i,
  input  logic [1:0]           link_in_head_i,
  input  logic [66*LANES-1:0]  link_in_data_i,
  output logic [1:0]           link_in_credit_o,
  output logic [1:0]           link_out_valid_o,
  input  logic [1:0]           link_out_ready_i,
  output logic [1:0]           link_out_head_o,
  output logic [66*LANES-1:0]  link_out_data_o,
  input  logic [1:0]           link_out_credit_i,
  output logic                 copies_idle_o,  // no copy, ours or another's, is in progress

  // Retirement: issue
  output logic         ret_issue_valid_o,
  output logic [31:0]  ret_issue_seq_o,
  output logic [31:0]  ret_issue_pc_o,
  output logic [31:0]  ret_issue_next_pc_o,
  output logic [511:0] ret_issue_bundle_o,
  output logic [8:0]   ret_issue_enabled_o,
  output logic         ret_issue_halt_o,
  output tpu_pkg::trap_e ret_issue_trap_o,
  output logic [3:0]   ret_issue_trap_slot_o,
  output logic [31:0]  ret_issue_trap_detail_o,

  // Retirement: scalar slots
  output logic         ret_sa_valid_o,
  output logic [31:0]  ret_sa_seq_o,
  output tpu_pkg::space_e ret_sa_space_o,
  output logic [31:0]  ret_sa_index_o,
  output logic [31:0]  ret_sa_data_o,
  output logic         ret_sb_valid_o,
  output logic [31:0]  ret_sb_seq_o,
  output tpu_pkg::space_e ret_sb_space_o,
  output logic [31:0]  ret_sb_index_o,
  output logic [31:0]  ret_sb_data_o,
  output logic         ret_csr_valid_o,

  // Retirement: vector ALUs
  output logic                  ret_va_valid_o,
  output logic [31:0]           ret_va_seq_o,
  output tpu_pkg::space_e       ret_va_space_o,
  output logic [5:0]            ret_va_index_o,
  output logic [8*LANES*32-1:0] ret_va_data_o,
  output logic [8*LANES-1:0]    ret_va_mask_o,
  output logic [31:0]           ret_va_scalar_o,
  output logic                  ret_vb_valid_o,
  output logic [31:0]           ret_vb_seq_o,
  output tpu_pkg::space_e       ret_vb_space_o,
  output logic [5:0]            ret_vb_index_o,
  output logic [8*LANES*32-1:0] ret_vb_data_o,
  output logic [8*LANES-1:0]    ret_vb_mask_o,
  output logic [31:0]           ret_vb_scalar_o,

  // Retirement: loads and stores
  output logic                  ret_ld_valid_o,
  output logic [31:0]           ret_ld_seq_o,
  output logic [5:0]            ret_ld_index_o,
  output logic [8*LANES*32-1:0] ret_ld_data_o,
  output logic                  ret_st_valid_o,
  output logic [31:0]           ret_st_seq_o,
  output logic [7:0]            ret_st_rows_o,
  output logic [8*32-1:0]       ret_st_address_o,
  output logic [8*LANES-1:0]    ret_st_mask_o,
  output logic [8*LANES*32-1:0] ret_st_data_o,

  // Retirement: matrix unit
  output logic                  ret_mul_valid_o,
  output logic [31:0]           ret_mul_seq_o,
  output logic [5:0]            ret_mul_acc_o,
  output logic [2:0]            ret_mul_r_o,
  output logic [LANES*32-1:0]   ret_mul_data_o,
  output logic                  ret_read_valid_o,
  output logic [31:0]           ret_read_seq_o,
  output logic [5:0]            ret_read_index_o,
  output logic [8*LANES*32-1:0] ret_read_data_o,

  // Retirement: EUP and XLU
  output logic                  ret_eup_valid_o,
  output logic [31:0]           ret_eup_seq_o,
  output logic [5:0]            ret_eup_index_o,
  output logic [8*LANES*32-1:0] ret_eup_data_o,
  output logic                  ret_xlu_valid_o,
  output logic [31:0]           ret_xlu_seq_o,
  output tpu_pkg::space_e       ret_xlu_space_o,
  output logic [5:0]            ret_xlu_index_o,
  output logic [8*LANES*32-1:0] ret_xlu_data_o,
  output logic [31:0]           ret_xlu_scalar_o,

  // Retirement: flags and copies
  output logic         ret_flag_valid_o,
  output logic [31:0]  ret_flag_seq_o,
  output tpu_pkg::space_e ret_flag_space_o,
  output logic [7:0]   ret_flag_index_o,
  output logic [31:0]  ret_flag_data_o,
  output logic         ret_copy_valid_o,
  output logic [31:0]  ret_copy_seq_o,
  output logic [511:0] ret_copy_descriptor_o,
  output logic [63:0]  ret_copy_source_o,
  output logic [63:0]  ret_copy_destination_o,
  output logic         ret_copy_done_valid_o,
  output logic [31:0]  ret_copy_done_seq_o,
  output logic         ret_arrival_valid_o,
  output logic [7:0]   ret_arrival_sender_o,
  output logic [31:0]  ret_arrival_seq_o,
  output logic [7:0]   ret_arrival_flag_o,
  output logic [15:0]  ret_arrival_amount_o,

  // Retirement: cycle cause and plain state
  output tpu_pkg::cause_e      ret_cause_o,
  output logic [32*tpu_pkg::FLAGS-1:0] ret_flags_o,
  output logic [32*32-1:0]     ret_sregs_o,
  output logic [7:0]           ret_pregs_o,
  output logic [8*8*LANES-1:0] ret_mregs_o
);
  localparam int unsigned SW = $clog2(SMEM_WORDS);
  localparam int unsigned SBW = SW - $clog2(LANES);

  // ---- host registers, run state, counters ------------------------------------------------------
  logic        start, stop, issue_stop, clear, ended, machine_check, starting, run, fetch_run, all_idle;
  tpu_pkg::trap_e status_cause;
  logic [3:0]  status_slot;
  logic [31:0] status_pc, status_detail, text_bundles, entry_pc, csr_value;
  logic [63:0] text, hbm_bytes, arguments;
  logic [31:0] argument_words;
  logic [9:0]  csr_number, counter_host_number, counter_csr_number;
  logic [31:0] counter_host, counter_csr;
  logic        halt, trap, copies_pending, loading, start_word, start_refused;
  logic [31:0] start_word_data;
  tpu_pkg::trap_e trap_cause;
  logic [3:0]  trap_slot;
  logic [31:0] trap_pc, trap_detail;
  tpu_pkg::cause_e cause;
  logic [tpu_pkg::EVENT_COUNT*16-1:0] events;

  tpu_host #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .ICACHE_BUNDLES(ICACHE_BUNDLES)
  ) host (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .reg_rdata_o(reg_rdata_o), .irq_o(irq_o),
    .chip_i(chip_i), .chips_i(chips_i), .csr_number_i(csr_number), .csr_value_o(csr_value),
    .counter_host_o(counter_host_number), .counter_host_i(counter_host),
    .counter_csr_o(counter_csr_number), .counter_csr_i(counter_csr),
    .start_word_o(start_word), .start_word_data_o(start_word_data),
    .start_refused_i(start_refused),
    .start_o(start), .stop_o(stop), .running_i(running_o), .halted_i(halted_o),
    .trapped_i(trapped_o), .machine_check_i(machine_check), .ended_i(ended),
    .trap_cause_i(status_cause), .trap_slot_i(status_slot), .trap_pc_i(status_pc),
    .trap_detail_i(status_detail),
    .text_o(text), .text_bundles_o(text_bundles), .entry_pc_o(entry_pc), .hbm_bytes_o(hbm_bytes),
    .arguments_o(arguments), .argument_words_o(argument_words));

  tpu_control control (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .start_i(start), .stop_i(stop), .clear_o(clear), .running_o(running_o), .halted_o(halted_o),
    .trapped_o(trapped_o), .machine_check_o(machine_check), .trap_cause_o(status_cause),
    .trap_slot_o(status_slot), .trap_pc_o(status_pc), .trap_detail_o(status_detail),
    .ended_o(ended), .starting_o(starting), .issue_run_o(run), .fetch_run_o(fetch_run),
    .issue_stop_o(issue_stop),
    .halt_i(halt), .trap_i(trap), .cause_i(trap_cause), .slot_i(trap_slot), .pc_i(trap_pc),
    .detail_i(trap_detail),
    .loaded_i(!loading), .all_idle_i(all_idle), .bus_error_i(mem_error_i));

  tpu_counters counters (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .running_i(running_o), .cause_i(cause),
    .events_i(events),
    .a_number_i(counter_host_number), .a_value_o(counter_host),
    .b_number_i(counter_csr_number), .b_value_o(counter_csr));

  // ---- fetch ------------------------------------------------------------------------------------
  logic         fetch_idle, fetch_miss, fetch_outside, issue_valid, issue_bubble, consume;
  logic         redirect;
  logic [511:0] issue_bundle;
  logic [31:0]  issue_pc, target;
  logic         demand_valid, demand_accept, prefetch_valid, prefetch_accept;
  logic [63:0]  demand_addr, prefetch_addr;
  logic         fetch_rsp, copy_rsp, readport_idle;
  logic         copy_rd_valid, copy_rd_accept;
  logic [63:0]  copy_rd_addr;
  logic [7:0]   copy_rd_beats;

  tpu_fetch #(.LANES(LANES), .ICACHE_BUNDLES(ICACHE_BUNDLES)) fetch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .start_i(clear), .run_i(fetch_run), .text_i(text), .text_bundles_i(text_bundles),
    .entry_pc_i(entry_pc), .idle_o(fetch_idle), .miss_o(fetch_miss), .outside_o(fetch_outside),
    .issue_valid_o(issue_valid), .issue_bundle_o(issue_bundle), .issue_pc_o(issue_pc),
    .issue_bubble_o(issue_bubble), .consume_i(consume), .redirect_i(redirect), .target_i(target),
    .demand_valid_o(demand_valid), .demand_addr_o(demand_addr), .demand_accept_i(demand_accept),
    .prefetch_valid_o(prefetch_valid), .prefetch_addr_o(prefetch_addr),
    .prefetch_accept_i(prefetch_accept),
    .rsp_valid_i(fetch_rsp), .rsp_data_i(mem_rsp_data_i));

  tpu_readport #(.LANES(LANES)) readport (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear),
    .demand_valid_i(demand_valid), .demand_addr_i(demand_addr), .demand_accept_o(demand_accept),
    .copy_valid_i(copy_rd_valid), .copy_addr_i(copy_rd_addr), .copy_beats_i(copy_rd_beats),
    .copy_accept_o(copy_rd_accept),
    .prefetch_valid_i(prefetch_valid), .prefetch_addr_i(prefetch_addr),
    .prefetch_accept_o(prefetch_accept),
    .fetch_rsp_o(fetch_rsp), .copy_rsp_o(copy_rsp), .idle_o(readport_idle),
    .mem_rd_valid_o(mem_rd_valid_o), .mem_rd_ready_i(mem_rd_ready_i),
    .mem_rd_addr_o(mem_rd_addr_o), .mem_rd_beats_o(mem_rd_beats_o),
    .mem_rd_class_o(mem_rd_class_o), .mem_rsp_valid_i(mem_rsp_valid_i));

  // ---- issue ------------------------------------------------------------------------------------
  logic [31:0] s_land, s_land_scalar;
  logic [7:0]  m_land;
  logic [63:0] v_land;
  logic        vmem_busy, eup_ready, xlu_ready, push_ready, mul_ready, read_ready;
  logic        copy_full, wait_met, descriptor_read, copy_check;
  tpu_pkg::trap_e copy_cause;
  logic [31:0] copy_detail;
  logic [8:0]  fire, enabled;
  logic [31:0] seq, sa_a, sa_b, sb_a, sb_b, smem_address, va_x, va_y, vb_x, vb_y, xu_n;
  logic [6:0]  mx_index;
  logic [2:0]  va_n, vb_n;
  logic [31:0] descriptor, source_offset, destination_offset, flag_n;
  logic [tpu_pkg::FLAG_W-1:0] flag;
  logic [7:0]  ld_rows, st_rows;
  logic [255:0] ld_row, st_row, ld_index, st_index;
  logic [8*$clog2(LANES)-1:0] ld_lane;
  logic [8*LANES-1:0] ld_mask, st_mask;
  logic        scoreboard_idle;

  assign s_land = s_land_scalar;
  assign ret_cause_o = cause;
  tpu_issue #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS)) issue (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .run_i(run), .stop_i(issue_stop),
    .starting_i(starting), .text_bundles_i(text_bundles), .entry_pc_i(entry_pc),
    .valid_i(issue_valid), .bundle_i(issue_bundle), .pc_i(issue_pc), .bubble_i(issue_bubble),
    .outside_i(fetch_outside), .consume_o(consume), .redirect_o(redirect), .target_o(target),
    .sregs_i(ret_sregs_o), .pregs_i(ret_pregs_o), .mregs_i(ret_mregs_o),
    .s_land_i(s_land), .m_land_i(m_land), .v_land_i(v_land),
    .ld_index_i(ld_index), .st_index_i(st_index),
    .vmem_busy_i(vmem_busy), .eup_ready_i(eup_ready), .xlu_ready_i(xlu_ready),
    .push_ready_i(push_ready), .mul_ready_i(mul_ready),
    .read_ready_i(read_ready), .copy_full_i(copy_full), .copies_pending_i(copies_pending),
    .wait_met_i(wait_met), .in_group_i(chips_i > 8'd1), .copy_cause_i(copy_cause), .copy_detail_i(copy_detail),
    .descriptor_read_o(descriptor_read), .copy_check_o(copy_check),
    .fire_o(fire), .enabled_o(enabled), .seq_o(seq),
    .sa_a_o(sa_a), .sa_b_o(sa_b), .sb_a_o(sb_a), .sb_b_o(sb_b), .smem_address_o(smem_address),
    .va_x_o(va_x), .va_y_o(va_y), .va_n_o(va_n), .vb_x_o(vb_x), .vb_y_o(vb_y), .vb_n_o(vb_n),
    .ld_rows_o(ld_rows), .ld_row_o(ld_row), .ld_lane_o(ld_lane), .ld_mask_o(ld_mask),
    .st_rows_o(st_rows), .st_row_o(st_row), .st_mask_o(st_mask),
    .mx_index_o(mx_index), .xu_n_o(xu_n), .descriptor_o(descriptor),
    .source_offset_o(source_offset), .destination_offset_o(destination_offset),
    .flag_o(flag), .flag_n_o(flag_n),
    .halt_o(halt), .trap_o(trap), .trap_cause_o(trap_cause), .trap_slot_o(trap_slot),
    .trap_detail_o(trap_detail), .trap_pc_o(trap_pc), .cause_o(cause),
    .scoreboard_idle_o(scoreboard_idle),
    .ret_issue_valid_o(ret_issue_valid_o), .ret_issue_seq_o(ret_issue_seq_o),
    .ret_issue_pc_o(ret_issue_pc_o), .ret_issue_next_pc_o(ret_issue_next_pc_o),
    .ret_issue_bundle_o(ret_issue_bundle_o), .ret_issue_enabled_o(ret_issue_enabled_o),
    .ret_issue_halt_o(ret_issue_halt_o), .ret_issue_trap_o(ret_issue_trap_o),
    .ret_issue_trap_slot_o(ret_issue_trap_slot_o),
    .ret_issue_trap_detail_o(ret_issue_trap_detail_o));

  // ---- scalar side ------------------------------------------------------------------------------
  logic         scalar_idle;
  logic         va_s_land, vb_s_land, xlu_s_land;
  logic [4:0]   va_s_dest, vb_s_dest, xlu_s_dest;
  logic [31:0]  va_s_data, vb_s_data, xlu_s_data;
  logic [511:0] descriptor_words;
  logic         smem_rd, smem_wr;
  logic [SBW-1:0] smem_rd_beat, smem_wr_beat;
  logic [LANES*32-1:0] smem_rd_data, smem_wr_data;
  logic [LANES-1:0] smem_wr_strobe;

  tpu_scalar #(.LANES(LANES), .SMEM_WORDS(SMEM_WORDS)) scalar (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear),
    .sa_i(issue_bundle[tpu_pkg::SLOT_SA_LSB +: 64]),
    .sb_i(issue_bundle[tpu_pkg::SLOT_SB_LSB +: 64]),
    .sa_fire_i(fire[tpu_pkg::SLOT_SA]), .sb_fire_i(fire[tpu_pkg::SLOT_SB]),
    .seq_i(seq), .link_i(issue_pc + 32'd1),
    .sa_a_i(sa_a), .sa_b_i(sa_b), .sb_a_i(sb_a), .sb_b_i(sb_b), .smem_address_i(smem_address),
    .csr_number_o(csr_number), .csr_value_i(csr_value),
    .va_land_i(va_s_land), .va_dest_i(va_s_dest), .va_data_i(va_s_data),
    .vb_land_i(vb_s_land), .vb_dest_i(vb_s_dest), .vb_data_i(vb_s_data),
    .xlu_land_i(xlu_s_land), .xlu_dest_i(xlu_s_dest), .xlu_data_i(xlu_s_data),
    .descriptor_read_i(descriptor_read), .descriptor_i(descriptor[SW-1:0]),
    .descriptor_o(descriptor_words),
    .copy_read_i(smem_rd), .copy_read_beat_i(smem_rd_beat), .copy_read_data_o(smem_rd_data),
    .copy_write_i(smem_wr), .copy_write_beat_i(smem_wr_beat),
    .copy_write_strobe_i(smem_wr_strobe), .copy_write_data_i(smem_wr_data),
    .sregs_o(ret_sregs_o), .pregs_o(ret_pregs_o),
    .land_o(s_land_scalar), .idle_o(scalar_idle),
    .ret_sa_valid_o(ret_sa_valid_o), .ret_sa_seq_o(ret_sa_seq_o),
    .ret_sa_space_o(ret_sa_space_o), .ret_sa_index_o(ret_sa_index_o),
    .ret_sa_data_o(ret_sa_data_o),
    .ret_sb_valid_o(ret_sb_valid_o), .ret_sb_seq_o(ret_sb_seq_o),
    .ret_sb_space_o(ret_sb_space_o), .ret_sb_index_o(ret_sb_index_o),
    .ret_sb_data_o(ret_sb_data_o), .ret_csr_valid_o(ret_csr_valid_o));

  logic        copy_done;
  logic [tpu_pkg::FLAG_W-1:0] copy_done_flag;
  logic [31:0] copy_done_amount;
  logic [tpu_pkg::FLAG_W-1:0] copy_done_here_flag;
  logic [7:0]  copy_done_here_amount;
  logic        arrive, links_idle;
  logic [tpu_pkg::FLAG_W-1:0] arrive_flag;
  logic [15:0] arrive_amount;
  logic [63:0] dma_slot;
  assign dma_slot = {32'd0, issue_bundle[tpu_pkg::SLOT_DMA_LSB +: 32]};
  tpu_flags flags (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear),
    .slot_i(dma_slot), .fire_i(fire[tpu_pkg::SLOT_DMA]), .seq_i(seq), .flag_i(flag), .n_i(flag_n),
    .wait_met_o(wait_met),
    .done_i(copy_done), .done_flag_i(copy_done_flag), .done_amount_i(copy_done_amount),
    .done_here_flag_i(copy_done_here_flag), .done_here_amount_i(copy_done_here_amount),
    .arrive_i(arrive), .arrive_flag_i(arrive_flag), .arrive_amount_i(arrive_amount),
    .ret_flag_valid_o(ret_flag_valid_o), .ret_flag_seq_o(ret_flag_seq_o),
    .ret_flag_space_o(ret_flag_space_o), .ret_flag_index_o(ret_flag_index_o),
    .ret_flag_data_o(ret_flag_data_o), .flags_o(ret_flags_o));

  // ---- vector side ------------------------------------------------------------------------------
  localparam int unsigned VAW = $clog2(VMEM_ROWS);
  logic                vector_idle, vmem_rd, vmem_wr;
  logic [VAW-1:0]      vmem_rd_row, vmem_wr_row;
  logic [LANES*32-1:0] vmem_rd_data, vmem_wr_data;
  logic [LANES-1:0]    vmem_wr_strobe;

  tpu_vector #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) vector (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear),
    .bundle_i(issue_bundle), .fire_i(fire), .enabled_i(enabled), .seq_i(seq),
    .va_x_i(va_x), .va_y_i(va_y), .va_n_i(va_n), .vb_x_i(vb_x), .vb_y_i(vb_y), .vb_n_i(vb_n),
    .ld_rows_i(ld_rows), .ld_row_i(ld_row), .ld_lane_i(ld_lane), .ld_mask_i(ld_mask),
    .st_rows_i(st_rows), .st_row_i(st_row), .st_mask_i(st_mask),
    .mx_index_i(mx_index), .xu_n_i(xu_n),
    .ld_index_o(ld_index), .st_index_o(st_index),
    .vmem_busy_o(vmem_busy), .eup_ready_o(eup_ready), .xlu_ready_o(xlu_ready),
    .push_ready_o(push_ready), .mul_ready_o(mul_ready),
    .read_ready_o(read_ready), .idle_o(vector_idle),
    .m_land_o(m_land), .v_land_o(v_land),
    .va_s_land_o(va_s_land), .va_s_dest_o(va_s_dest), .va_s_data_o(va_s_data),
    .vb_s_land_o(vb_s_land), .vb_s_dest_o(vb_s_dest), .vb_s_data_o(vb_s_data),
    .xlu_s_land_o(xlu_s_land), .xlu_s_dest_o(xlu_s_dest), .xlu_s_data_o(xlu_s_data),
    .mregs_o(ret_mregs_o),
    .copy_read_i(vmem_rd), .copy_read_row_i(vmem_rd_row), .copy_read_data_o(vmem_rd_data),
    .copy_write_i(vmem_wr), .copy_write_row_i(vmem_wr_row),
    .copy_write_strobe_i(vmem_wr_strobe), .copy_write_data_i(vmem_wr_data),
    .ret_va_valid_o(ret_va_valid_o), .ret_va_seq_o(ret_va_seq_o), .ret_va_space_o(ret_va_space_o),
    .ret_va_index_o(ret_va_index_o), .ret_va_data_o(ret_va_data_o), .ret_va_mask_o(ret_va_mask_o),
    .ret_va_scalar_o(ret_va_scalar_o), .ret_vb_valid_o(ret_vb_valid_o),
    .ret_vb_seq_o(ret_vb_seq_o), .ret_vb_space_o(ret_vb_space_o), .ret_vb_index_o(ret_vb_index_o),
    .ret_vb_data_o(ret_vb_data_o), .ret_vb_mask_o(ret_vb_mask_o),
    .ret_vb_scalar_o(ret_vb_scalar_o), .ret_ld_valid_o(ret_ld_valid_o),
    .ret_ld_seq_o(ret_ld_seq_o), .ret_ld_index_o(ret_ld_index_o), .ret_ld_data_o(ret_ld_data_o),
    .ret_st_valid_o(ret_st_valid_o), .ret_st_seq_o(ret_st_seq_o), .ret_st_rows_o(ret_st_rows_o),
    .ret_st_address_o(ret_st_address_o), .ret_st_mask_o(ret_st_mask_o),
    .ret_st_data_o(ret_st_data_o), .ret_mul_valid_o(ret_mul_valid_o),
    .ret_mul_seq_o(ret_mul_seq_o), .ret_mul_acc_o(ret_mul_acc_o), .ret_mul_r_o(ret_mul_r_o),
    .ret_mul_data_o(ret_mul_data_o), .ret_read_valid_o(ret_read_valid_o),
    .ret_read_seq_o(ret_read_seq_o), .ret_read_index_o(ret_read_index_o),
    .ret_read_data_o(ret_read_data_o), .ret_eup_valid_o(ret_eup_valid_o),
    .ret_eup_seq_o(ret_eup_seq_o), .ret_eup_index_o(ret_eup_index_o),
    .ret_eup_data_o(ret_eup_data_o), .ret_xlu_valid_o(ret_xlu_valid_o),
    .ret_xlu_seq_o(ret_xlu_seq_o), .ret_xlu_space_o(ret_xlu_space_o),
    .ret_xlu_index_o(ret_xlu_index_o), .ret_xlu_data_o(ret_xlu_data_o),
    .ret_xlu_scalar_o(ret_xlu_scalar_o));

  // ---- copies -----------------------------------------------------------------------------------
  logic copy_fire;
  assign copy_fire = fire[tpu_pkg::SLOT_DMA]
                  && (tpu_pkg::latency_dma(dma_slot) == tpu_pkg::LATENCY_COPY);
  assign vmem_wr_strobe = smem_wr_strobe;
  assign vmem_wr_data = smem_wr_data;

  tpu_dma #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS)) dma (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .descriptor_read_i(descriptor_read), .descriptor_i(descriptor), .words_i(descriptor_words),
    .source_offset_i(source_offset), .destination_offset_i(destination_offset),
    .check_i(copy_check), .fire_i(copy_fire), .vmem_busy_i(vmem_busy), .seq_i(seq),
    .start_word_i(start_word), .start_word_data_i(start_word_data),
    .start_refused_o(start_refused), .running_i(running_o),
    .load_i(clear), .arguments_i(arguments), .argument_words_i(argument_words),
    .hbm_bytes_i(hbm_bytes),
    .text_i(text), .text_bundles_i(text_bundles), .chip_i(chip_i), .chips_i(chips_i),
    .cause_o(copy_cause), .detail_o(copy_detail),
    .full_o(copy_full), .pending_o(copies_pending), .loading_o(loading),
    .vmem_read_o(vmem_rd), .vmem_read_row_o(vmem_rd_row), .vmem_read_data_i(vmem_rd_data),
    .vmem_write_o(vmem_wr), .vmem_write_row_o(vmem_wr_row),
    .smem_read_o(smem_rd), .smem_read_beat_o(smem_rd_beat), .smem_read_data_i(smem_rd_data),
    .smem_write_o(smem_wr), .smem_write_beat_o(smem_wr_beat),
    .write_strobe_o(smem_wr_strobe), .write_data_o(smem_wr_data),
    .rd_valid_o(copy_rd_valid), .rd_addr_o(copy_rd_addr), .rd_beats_o(copy_rd_beats),
    .rd_accept_i(copy_rd_accept), .rsp_valid_i(copy_rsp), .rsp_data_i(mem_rsp_data_i),
    .mem_wr_valid_o(mem_wr_valid_o), .mem_wr_ready_i(mem_wr_ready_i),
    .mem_wr_addr_o(mem_wr_addr_o), .mem_wr_beats_o(mem_wr_beats_o),
    .mem_wdata_valid_o(mem_wdata_valid_o), .mem_wdata_ready_i(mem_wdata_ready_i),
    .mem_wdata_o(mem_wdata_o), .mem_wstrb_o(mem_wstrb_o), .mem_wrsp_valid_i(mem_wrsp_valid_i),
    .done_o(copy_done), .done_flag_o(copy_done_flag), .done_amount_o(copy_done_amount),
    .done_here_flag_o(copy_done_here_flag), .done_here_amount_o(copy_done_here_amount),
    .arrive_o(arrive), .arrive_flag_o(arrive_flag), .arrive_amount_o(arrive_amount),
    .arrive_sender_o(ret_arrival_sender_o), .arrive_seq_o(ret_arrival_seq_o),
    .link_in_valid_i(link_in_valid_i), .link_in_head_i(link_in_head_i),
    .link_in_data_i(link_in_data_i), .link_in_credit_o(link_in_credit_o),
    .link_out_valid_o(link_out_valid_o), .link_out_ready_i(link_out_ready_i),
    .link_out_head_o(link_out_head_o), .link_out_data_o(link_out_data_o),
    .link_out_credit_i(link_out_credit_i), .links_idle_o(links_idle),
    .ret_copy_valid_o(ret_copy_valid_o), .ret_copy_seq_o(ret_copy_seq_o),
    .ret_copy_descriptor_o(ret_copy_descriptor_o), .ret_copy_source_o(ret_copy_source_o),
    .ret_copy_destination_o(ret_copy_destination_o),
    .ret_copy_done_valid_o(ret_copy_done_valid_o), .ret_copy_done_seq_o(ret_copy_done_seq_o));

  assign copies_idle_o = links_idle && !copies_pending;
  assign ret_arrival_valid_o = arrive;
  assign ret_arrival_flag_o = 8'(arrive_flag);
  assign ret_arrival_amount_o = arrive_amount;

  // ---- the end, and events ----------------------------------------------------------------------
  assign all_idle = fetch_idle && readport_idle && scoreboard_idle && scalar_idle
                 && vector_idle && !copies_pending;
  tpu_events #(.LANES(LANES)) event_unit (
    .bundle_i(issue_bundle), .fire_i(fire), .ld_rows_i(ld_rows), .st_rows_i(st_rows),
    .taken_i(redirect), .miss_i(fetch_miss), .fetch_beat_i(fetch_rsp), .read_beat_i(copy_rsp),
    .write_beat_i(mem_wdata_valid_o && mem_wdata_ready_i), .copy_done_i(ret_copy_done_valid_o),
    .events_o(events));
endmodule

`default_nettype wire
