// The trap of a legal bundle, if any, from register values: the first enabled slot in slot order
// that has a reason. Combinational; meaningful when no operand is pending.
`default_nettype none

module tpu_trap #(
  parameter int unsigned LANES = 16,
  parameter int unsigned SMEM_WORDS = 16384
) (
  input  logic [511:0] bundle_i,
  input  logic [8:0]   enabled_i,
  input  logic [31:0]  next_pc_i,
  input  logic [31:0]  text_bundles_i,
  input  logic [31:0]  smem_address_i,
  input  logic         ld_bad_i,
  input  logic [31:0]  ld_detail_i,
  input  logic         st_bad_i,
  input  logic [31:0]  st_detail_i,
  input  logic [31:0]  mx_index_i,
  input  tpu_pkg::trap_e copy_cause_i,  // of the descriptor check; TRAP_NONE when it passed
  input  logic [31:0]  copy_detail_i,
  input  logic [31:0]  flag_i,
  input  logic         wait_met_i,    // the flag satisfies the wait

  output tpu_pkg::trap_e cause_o,       // TRAP_NONE if there is none
  output logic [3:0]   slot_o,
  output logic [31:0]  detail_o
);
  tpu_pkg::scalar_op_e sa_op, sb_op;
  tpu_pkg::matrix_op_e mx_op;
  tpu_pkg::dma_op_e dma_op;
  assign sa_op = tpu_pkg::scalar_op(bundle_i[tpu_pkg::SLOT_SA_LSB +: 64]);
  assign sb_op = tpu_pkg::scalar_op(bundle_i[tpu_pkg::SLOT_SB_LSB +: 64]);
  assign mx_op = tpu_pkg::matrix_op(bundle_i[tpu_pkg::SLOT_MX_LSB +: 64]);
  assign dma_op = tpu_pkg::dma_op({32'd0, bundle_i[tpu_pkg::SLOT_DMA_LSB +: 32]});

  logic on_sa, on_sb, on_ld, on_st, on_mx, on_dma;
  assign on_sa = enabled_i[tpu_pkg::SLOT_SA];
  assign on_sb = enabled_i[tpu_pkg::SLOT_SB];
  assign on_ld = enabled_i[tpu_pkg::SLOT_LD];
  assign on_st = enabled_i[tpu_pkg::SLOT_ST];
  assign on_mx = enabled_i[tpu_pkg::SLOT_MX];
  assign on_dma = enabled_i[tpu_pkg::SLOT_DMA];

  logic explicit_trap, bad_jump, bad_smem, bad_mx, mx_push, bad_copy, bad_flag, deadlock;
  assign explicit_trap = on_sa && (sa_op == tpu_pkg::OP_TRAP);
  assign bad_jump = !(on_sa && (sa_op == tpu_pkg::OP_HALT)) && (next_pc_i >= text_bundles_i);
  assign bad_smem = on_sb && ((sb_op == tpu_pkg::OP_SLD) || (sb_op == tpu_pkg::OP_SST)
                             || (sb_op == tpu_pkg::OP_SSTI))
                  && (smem_address_i >= SMEM_WORDS);
  assign mx_push = (mx_op == tpu_pkg::OP_MXPUSH) || (mx_op == tpu_pkg::OP_MXPUSHT);
  assign bad_mx = on_mx && (mx_push ? (mx_index_i >= LANES) || (mx_index_i[2:0] != 3'd0)
                                    : (mx_index_i >= tpu_pkg::ACCS));
  assign bad_copy = on_dma && (dma_op == tpu_pkg::OP_COPY)
                  && (copy_cause_i != tpu_pkg::TRAP_NONE);
  assign bad_flag = on_dma && (dma_op != tpu_pkg::OP_COPY) && (flag_i >= tpu_pkg::FLAGS);
  assign deadlock = on_dma && (dma_op == tpu_pkg::OP_WAIT) && !wait_met_i;

  always_comb begin
    cause_o = tpu_pkg::TRAP_NONE;
    slot_o = tpu_pkg::SLOT_SA;
    detail_o = 32'd0;
    if (explicit_trap) begin
      cause_o = tpu_pkg::TRAP_EXPLICIT_TRAP;
      detail_o = tpu_pkg::code_value(bundle_i[tpu_pkg::SLOT_SA_LSB +: 64]);
    end else if (bad_jump) begin
      cause_o = tpu_pkg::TRAP_JUMP_RANGE;
      detail_o = next_pc_i;
    end else if (bad_smem) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      slot_o = tpu_pkg::SLOT_SB;
      detail_o = smem_address_i;
    end else if (on_ld && ld_bad_i) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      slot_o = tpu_pkg::SLOT_LD;
      detail_o = ld_detail_i;
    end else if (on_st && st_bad_i) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      slot_o = tpu_pkg::SLOT_ST;
      detail_o = st_detail_i;
    end else if (bad_mx) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      slot_o = tpu_pkg::SLOT_MX;
      detail_o = mx_index_i;
    end else if (bad_copy) begin
      cause_o = copy_cause_i;
      slot_o = tpu_pkg::SLOT_DMA;
      detail_o = copy_detail_i;
    end else if (bad_flag) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      slot_o = tpu_pkg::SLOT_DMA;
      detail_o = flag_i;
    end else if (deadlock) begin
      cause_o = tpu_pkg::TRAP_DEADLOCK;
      slot_o = tpu_pkg::SLOT_DMA;
      detail_o = flag_i;
    end
  end
endmodule

`default_nettype wire
