// Puts every tpu_core of a design behind the checker, without changing it: this module is bound
// into it, sees its retirement port and its memories, and reports to the checker. For a core of
// your own, rewrite the connections and the functions word_of() and status; the rest is the same.
//
// The bench opens the checker (check.open) and ends the simulation when done_o rises.
`default_nettype none

module tpu_core_checked #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         starting_i,  // in the last cycle before the run
  input  logic         running_i, halted_i, trapped_i, machine_check_i,
  input  logic [31:0]  trap_cause_i, trap_pc_i, trap_detail_i,

  input  logic         issue_valid_i, issue_halt_i,
  input  logic [31:0]  issue_seq_i, issue_pc_i, issue_next_pc_i, issue_trap_detail_i,
  input  logic [511:0] issue_bundle_i,
  input  logic [8:0]   issue_enabled_i,
  input  logic [7:0]   issue_trap_i,
  input  logic [3:0]   issue_trap_slot_i,

  // Scalar slots and flags: a word each
  input  logic         sa_valid_i, sb_valid_i, csr_valid_i, flag_valid_i,
  input  logic [31:0]  sa_seq_i, sa_index_i, sa_data_i, sb_seq_i, sb_index_i, sb_data_i, flag_seq_i, flag_data_i,
  input  logic [3:0]   sa_space_i, sb_space_i, flag_space_i,
  input  logic [7:0]   flag_index_i,

  // Vector ALUs and XLU: a vector, a mask or a word, depending on the space
  input  logic                  va_valid_i, vb_valid_i, xlu_valid_i,
  input  logic [31:0]           va_seq_i, vb_seq_i, xlu_seq_i, va_scalar_i, vb_scalar_i, xlu_scalar_i,
  input  logic [3:0]            va_space_i, vb_space_i, xlu_space_i,
  input  logic [5:0]            va_index_i, vb_index_i, xlu_index_i,
  input  logic [8*LANES*32-1:0] va_data_i, vb_data_i, xlu_data_i,
  input  logic [8*LANES-1:0]    va_mask_i, vb_mask_i,

  // Loads, EUP and reads of accumulators: a vector
  input  logic                  ld_valid_i, eup_valid_i, read_valid_i,
  input  logic [31:0]           ld_seq_i, eup_seq_i, read_seq_i,
  input  logic [5:0]            ld_index_i, eup_index_i, read_index_i,
  input  logic [8*LANES*32-1:0] ld_data_i, eup_data_i, read_data_i,

  // Stores and multiplications: rows
  input  logic                  st_valid_i, mul_valid_i,
  input  logic [31:0]           st_seq_i, mul_seq_i,
  input  logic [7:0]            st_rows_i,
  input  logic [8*32-1:0]       st_address_i,
  input  logic [8*LANES-1:0]    st_mask_i,
  input  logic [8*LANES*32-1:0] st_data_i,
  input  logic [5:0]            mul_acc_i,
  input  logic [2:0]            mul_r_i,
  input  logic [LANES*32-1:0]   mul_data_i,

  // Copies
  input  logic         copy_valid_i, copy_done_valid_i,
  input  logic [31:0]  copy_seq_i, copy_done_seq_i,
  input  logic [511:0] copy_descriptor_i,
  input  logic [63:0]  copy_source_i, copy_destination_i,

  // Registers as they are
  input  logic [32*32-1:0]     flags_i, sregs_i,
  input  logic [7:0]           pregs_i,
  input  logic [8*8*LANES-1:0] mregs_i,

  output logic         done_o
);
  import tandem_checker_pkg::*;

  localparam int unsigned GROUP = 8 * LANES;   // words of a vector register
  localparam int unsigned DRAINED = 8;         // cycles after the end in which events still come

  tandem_checker #(.LANES(LANES)) check ();

  // ---- the state of the core: word `number` of a part
  // -----------------------------------------------
  function automatic int unsigned weights_of(bit [1:0] buffer, longint number);
    int unsigned first = 2 * 32'(number);
    case (buffer)
      2'd0: return {vector.mxu.array.w0_q[first + 1], vector.mxu.array.w0_q[first]};
      2'd1: return {vector.mxu.array.w1_q[first + 1], vector.mxu.array.w1_q[first]};
      2'd2: return {vector.mxu.array.w2_q[first + 1], vector.mxu.array.w2_q[first]};
      default: return {vector.mxu.array.w3_q[first + 1], vector.mxu.array.w3_q[first]};
    endcase
  endfunction

  function automatic int unsigned word_of(int part, longint number);
    int unsigned n = 32'(number);
    case (part)
      PART_SREG: return sregs_i[32*n +: 32];
      PART_PREG: return 32'(pregs_i);
      PART_MREG: return mregs_i[32*n +: 32];
      PART_FLAG: return flags_i[32*n +: 32];
      PART_VREG: return vector.vregs.v_q[n / GROUP][32*(n % GROUP) +: 32];
      PART_ACC: return vector.mxu.acc.acc_q[n / LANES][32*(n % LANES) +: 32];
      PART_WEIGHTS_ACTIVE: return weights_of(vector.mxu.active_q, number);
      PART_WEIGHTS_FILLING: return weights_of(vector.mxu.active_q + 2'd1, number);
      PART_VMEM: return vector.vmem.mem_q[n / LANES][32*(n % LANES) +: 32];
      PART_SMEM: return scalar.smem.written_q[n / LANES] ? scalar.smem.mem_q[n / LANES][32*(n % LANES) +: 32] : 0;
      PART_HBM: return tpu_core_bench.memory[n];
      default: return 0;
    endcase
  endfunction

  function automatic void give(int part, longint first, int unsigned count);
    for (int unsigned i = 0; i < count; ++i) check.words(512'(word_of(part, first + 64'(i))), 1);
  endfunction

  // The contents of never-written registers and VMEM are up to the core.
  function automatic void tell_beginning();
    give(PART_VREG, 0, 64 * GROUP);
    check.holds(PART_VREG);
    give(PART_ACC, 0, 64 * GROUP);
    check.holds(PART_ACC);
    give(PART_WEIGHTS_ACTIVE, 0, LANES * LANES / 2);
    check.holds(PART_WEIGHTS_ACTIVE);
    give(PART_WEIGHTS_FILLING, 0, LANES * LANES / 2);
    check.holds(PART_WEIGHTS_FILLING);
    give(PART_VMEM, 0, VMEM_ROWS * LANES);
    check.holds(PART_VMEM);
  endfunction

  function automatic void tell_part(part_e part, int unsigned count);
    give(int'(part), 0, count);
    check.tell(part);
  endfunction

  function automatic void tell_end();
    tell_part(PART_SREG, 32);
    tell_part(PART_PREG, 1);
    tell_part(PART_MREG, 8 * GROUP / 32);
    tell_part(PART_FLAG, 32);
    tell_part(PART_VREG, 64 * GROUP);
    tell_part(PART_ACC, 64 * GROUP);
    tell_part(PART_WEIGHTS_ACTIVE, LANES * LANES / 2);
    tell_part(PART_WEIGHTS_FILLING, LANES * LANES / 2);
    tell_part(PART_SMEM, SMEM_WORDS);
    tell_part(PART_VMEM, VMEM_ROWS * LANES);
    tell_part(PART_HBM, tpu_core_bench.HBM_WORDS);
    check.words({384'b0, trap_detail_i, trap_pc_i, trap_cause_i, 28'b0, machine_check_i, trapped_i, halted_i, 1'b0}, 4);
    check.tell(PART_STATUS);
    check.finish();
  endfunction

  // ---- what it did ----------------------------------------------------------------------------------
  function automatic void copy_completes();
    int part;
    longint first;
    int unsigned count;
    for (int i = 0; i < check.copy_runs(copy_done_seq_i); ++i) begin
      check.copy_run(i, part, first, count);
      give(part, first, count);
    end
    check.copy_done(copy_done_seq_i);
  endfunction

  // A result that is a vector, a mask or a word.
  function automatic void write_any(int unsigned seq, slot_e slot, logic [3:0] space, logic [5:0] index,
                                    logic [8*LANES*32-1:0] data, logic [8*LANES-1:0] mask, int unsigned scalar_word);
    case (space_e'(32'(space)))
      SPACE_VREG: check.write_group(seq, slot, SPACE_VREG, 32'(index), data);
      SPACE_MREG: check.write_group(seq, slot, SPACE_MREG, 32'(index), (8*LANES*32)'(mask));
      default: check.write_word(seq, slot, space_e'(32'(space)), 32'(index), scalar_word, 1'b0);
    endcase
  endfunction

  function automatic void scalar_writes();
    if (sa_valid_i) check.write_word(sa_seq_i, SLOT_SA, space_e'(32'(sa_space_i)), sa_index_i, sa_data_i, 1'b0);
    if (sb_valid_i) check.write_word(sb_seq_i, SLOT_SB, space_e'(32'(sb_space_i)), sb_index_i, sb_data_i, csr_valid_i);
    if (flag_valid_i)
      check.write_word(flag_seq_i, SLOT_DMA, space_e'(32'(flag_space_i)), 32'(flag_index_i), flag_data_i, 1'b0);
  endfunction

  function automatic void vector_writes();
    if (va_valid_i) write_any(va_seq_i, SLOT_VA, va_space_i, va_index_i, va_data_i, va_mask_i, va_scalar_i);
    if (vb_valid_i) write_any(vb_seq_i, SLOT_VB, vb_space_i, vb_index_i, vb_data_i, vb_mask_i, vb_scalar_i);
    if (xlu_valid_i) write_any(xlu_seq_i, SLOT_XU, xlu_space_i, xlu_index_i, xlu_data_i, '0, xlu_scalar_i);
    if (eup_valid_i) check.write_group(eup_seq_i, SLOT_XU, SPACE_VREG, 32'(eup_index_i), eup_data_i);
    if (ld_valid_i) check.write_group(ld_seq_i, SLOT_LD, SPACE_VREG, 32'(ld_index_i), ld_data_i);
    if (read_valid_i) check.write_group(read_seq_i, SLOT_MX, SPACE_VREG, 32'(read_index_i), read_data_i);
    if (mul_valid_i)
      check.write_row(mul_seq_i, SLOT_MX, SPACE_ACC, {23'b0, mul_acc_i, mul_r_i}, 32'(mul_r_i), '0, mul_data_i);
    if (st_valid_i)
      for (int unsigned r = 0; r < 8; ++r)
        if (st_rows_i[r])
          check.write_row(st_seq_i, SLOT_ST, SPACE_VMEM, st_address_i[32*r +: 32], r, st_mask_i[LANES*r +: LANES],
                          st_data_i[LANES*32*r +: LANES*32]);
  endfunction

  // ---- cycle by cycle -------------------------------------------------------------------------------
  longint      number = 0;  // of this cycle
  int unsigned tail = 0;
  bit          runs = 1'b0, over = 1'b0;

  assign done_o = over;

  always @(posedge clk_i) begin
    if (rst_ni && starting_i && check.is_open()) begin
      tell_beginning();
      runs <= 1'b1;
    end
    if (runs && !over) begin
      check.cycle(number);
      if (copy_done_valid_i) copy_completes();
      if (issue_valid_i)
        check.issue(issue_seq_i, issue_pc_i, issue_next_pc_i, issue_bundle_i, issue_enabled_i, issue_halt_i,
                    issue_trap_i, issue_trap_slot_i, issue_trap_detail_i);
      if (copy_valid_i) check.copy_issue(copy_seq_i, copy_descriptor_i, copy_source_i, copy_destination_i);
      scalar_writes();
      vector_writes();
      number <= number + 1;
      if (!running_i) tail <= tail + 1;
      if (tail == DRAINED) tell_end();
      if (tail == DRAINED || check.over()) over <= 1'b1;
    end
  end
endmodule

bind tpu_core tpu_core_checked #(
  .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS)
) tandem (
  .clk_i(clk_i), .rst_ni(rst_ni), .starting_i(clear), .running_i(running_o), .halted_i(halted_o),
  .trapped_i(trapped_o), .machine_check_i(machine_check), .trap_cause_i({20'b0, status_slot, status_cause}),
  .trap_pc_i(status_pc), .trap_detail_i(status_detail),
  .issue_valid_i(ret_issue_valid_o), .issue_halt_i(ret_issue_halt_o), .issue_seq_i(ret_issue_seq_o),
  .issue_pc_i(ret_issue_pc_o), .issue_next_pc_i(ret_issue_next_pc_o), .issue_bundle_i(ret_issue_bundle_o),
  .issue_enabled_i(ret_issue_enabled_o), .issue_trap_i(ret_issue_trap_o), .issue_trap_slot_i(ret_issue_trap_slot_o),
  .issue_trap_detail_i(ret_issue_trap_detail_o),
  .sa_valid_i(ret_sa_valid_o), .sa_seq_i(ret_sa_seq_o), .sa_space_i(ret_sa_space_o), .sa_index_i(ret_sa_index_o),
  .sa_data_i(ret_sa_data_o), .sb_valid_i(ret_sb_valid_o), .sb_seq_i(ret_sb_seq_o), .sb_space_i(ret_sb_space_o),
  .sb_index_i(ret_sb_index_o), .sb_data_i(ret_sb_data_o), .csr_valid_i(ret_csr_valid_o),
  .flag_valid_i(ret_flag_valid_o), .flag_seq_i(ret_flag_seq_o), .flag_space_i(ret_flag_space_o),
  .flag_index_i(ret_flag_index_o), .flag_data_i(ret_flag_data_o),
  .va_valid_i(ret_va_valid_o), .va_seq_i(ret_va_seq_o), .va_space_i(ret_va_space_o), .va_index_i(ret_va_index_o),
  .va_data_i(ret_va_data_o), .va_mask_i(ret_va_mask_o), .va_scalar_i(ret_va_scalar_o),
  .vb_valid_i(ret_vb_valid_o), .vb_seq_i(ret_vb_seq_o), .vb_space_i(ret_vb_space_o), .vb_index_i(ret_vb_index_o),
  .vb_data_i(ret_vb_data_o), .vb_mask_i(ret_vb_mask_o), .vb_scalar_i(ret_vb_scalar_o),
  .xlu_valid_i(ret_xlu_valid_o), .xlu_seq_i(ret_xlu_seq_o), .xlu_space_i(ret_xlu_space_o),
  .xlu_index_i(ret_xlu_index_o), .xlu_data_i(ret_xlu_data_o), .xlu_scalar_i(ret_xlu_scalar_o),
  .ld_valid_i(ret_ld_valid_o), .ld_seq_i(ret_ld_seq_o), .ld_index_i(ret_ld_index_o), .ld_data_i(ret_ld_data_o),
  .eup_valid_i(ret_eup_valid_o), .eup_seq_i(ret_eup_seq_o), .eup_index_i(ret_eup_index_o),
  .eup_data_i(ret_eup_data_o), .read_valid_i(ret_read_valid_o), .read_seq_i(ret_read_seq_o),
  .read_index_i(ret_read_index_o), .read_data_i(ret_read_data_o),
  .st_valid_i(ret_st_valid_o), .st_seq_i(ret_st_seq_o), .st_rows_i(ret_st_rows_o), .st_address_i(ret_st_address_o),
  .st_mask_i(ret_st_mask_o), .st_data_i(ret_st_data_o), .mul_valid_i(ret_mul_valid_o), .mul_seq_i(ret_mul_seq_o),
  .mul_acc_i(ret_mul_acc_o), .mul_r_i(ret_mul_r_o), .mul_data_i(ret_mul_data_o),
  .copy_valid_i(ret_copy_valid_o), .copy_seq_i(ret_copy_seq_o), .copy_descriptor_i(ret_copy_descriptor_o),
  .copy_source_i(ret_copy_source_o), .copy_destination_i(ret_copy_destination_o),
  .copy_done_valid_i(ret_copy_done_valid_o), .copy_done_seq_i(ret_copy_done_seq_o),
  .flags_i(ret_flags_o), .sregs_i(ret_sregs_o), .pregs_i(ret_pregs_o), .mregs_i(ret_mregs_o), .done_o());
