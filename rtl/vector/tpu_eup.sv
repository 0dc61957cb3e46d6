// Transcendental unit: exp2, log2, reciprocal, reciprocal square root and tanh; two rows per
// cycle.
//
// The operand is captured with start_i at the end of cycle t, rows 2p and 2p + 1 are computed in
// t + 1 + p, the next start may come in t + 4 (ready_o), and the result is available in t + 5
// (done_o).
//
// All functions share the quadratic and the rounding; the functions of tpu_eup_pkg differ in the
// place in the table and in the scaling. Work is done function by function over both rows, since
// the operation is the same in all lanes: this simulates fast.
`default_nettype none

module tpu_eup #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  output logic                  ready_o,
  input  logic                  start_i,
  input  tpu_pkg::cross_op_e    op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,

  output logic                  done_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o
);
  localparam int unsigned N = 8 * LANES;
  localparam int unsigned P = 2 * LANES;  // elements of a pair of rows
  localparam int unsigned W = P * 32;

  // The operation in progress; pairs of rows leave x_q at the bottom.
  logic [2:0]      left_q;  // pairs still to do
  logic [1:0]      pair_q;
  tpu_pkg::cross_op_e op_q;
  logic [N*32-1:0] x_q;
  logic [5:0]      dest_q;
  logic [31:0]     seq_q;

  logic busy, last;
  assign busy = left_q != 3'd0;
  assign last = left_q == 3'd1;
  assign ready_o = left_q <= 3'd1;

  always_ff @(posedge clk_i) if (rst_ni) assert (!start_i || ready_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= 3'd0;
      done_o <= 1'b0;
    end else begin
      done_o <= last;
      if (start_i) left_q <= 3'd4;
      else if (busy) left_q <= left_q - 3'd1;
    end
    if (start_i) begin
      op_q <= op_i;
      pair_q <= 2'd0;
      dest_q <= dest_i;
      seq_q <= seq_i;
    end else begin
      pair_q <= pair_q + 2'd1;
    end
    if (last) begin
      dest_o <= dest_q;
      seq_o <= seq_q;
    end
  end

  // Scratch of one clock edge, one value per element: input, segment and position, coefficients,
  // value of the quadratic, {sign, exponent, magnitude}, special case, result.
  logic [31:0]  a_t [P], c0_t [P], c1_t [P], c2_t [P], r_t [P];
  logic [27:0]  place_t [P];
  logic [29:0]  p_t [P];
  logic [76:0]  scaled_t [P];
  logic [32:0]  special_t [P];
  logic [W-1:0] pair_t;

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (start_i) x_q <= x_i;
    else if (busy) x_q <= x_q >> W;

    if (busy) begin
      for (int unsigned j = 0; j < P; j = j + 1) a_t[j] = x_q[j*32 +: 32];

      case (op_q)
        tpu_pkg::OP_EXP2:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            place_t[j] = tpu_eup_pkg::exp2_place(a_t[j]);
            c0_t[j] = tpu_eup_tables_pkg::EUP_EXP2_C0[{place_t[j][26:20], 5'd0} +: 32];
            c1_t[j] = tpu_eup_tables_pkg::EUP_EXP2_C1[{place_t[j][26:20], 5'd0} +: 32];
            c2_t[j] = tpu_eup_tables_pkg::EUP_EXP2_C2[{place_t[j][26:20], 5'd0} +: 32];
          end
        tpu_pkg::OP_LOG2:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            place_t[j] = tpu_eup_pkg::log2_place(a_t[j]);
            c0_t[j] = tpu_eup_tables_pkg::EUP_LOG2_C0[{place_t[j][26:20], 5'd0} +: 32];
            c1_t[j] = tpu_eup_tables_pkg::EUP_LOG2_C1[{place_t[j][26:20], 5'd0} +: 32];
            c2_t[j] = tpu_eup_tables_pkg::EUP_LOG2_C2[{place_t[j][26:20], 5'd0} +: 32];
          end
        tpu_pkg::OP_RCP:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            place_t[j] = tpu_eup_pkg::rcp_place(a_t[j]);
            c0_t[j] = tpu_eup_tables_pkg::EUP_RCP_C0[{place_t[j][26:20], 5'd0} +: 32];
            c1_t[j] = tpu_eup_tables_pkg::EUP_RCP_C1[{place_t[j][26:20], 5'd0} +: 32];
            c2_t[j] = tpu_eup_tables_pkg::EUP_RCP_C2[{place_t[j][26:20], 5'd0} +: 32];
          end
        tpu_pkg::OP_RSQRT:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            place_t[j] = tpu_eup_pkg::rsqrt_place(a_t[j]);
            c0_t[j] = tpu_eup_tables_pkg::EUP_RSQRT_C0[{place_t[j][27:20], 5'd0} +: 32];
            c1_t[j] = tpu_eup_tables_pkg::EUP_RSQRT_C1[{place_t[j][27:20], 5'd0} +: 32];
            c2_t[j] = tpu_eup_tables_pkg::EUP_RSQRT_C2[{place_t[j][27:20], 5'd0} +: 32];
          end
        default:  // tanh
          for (int unsigned j = 0; j < P; j = j + 1) begin
            place_t[j] = tpu_eup_pkg::tanh_place(a_t[j]);
            c0_t[j] = tpu_eup_tables_pkg::EUP_TANH_NEAR_C0[{place_t[j][26:20], 5'd0} +: 32];
            c1_t[j] = tpu_eup_tables_pkg::EUP_TANH_NEAR_C1[{place_t[j][26:20], 5'd0} +: 32];
            c2_t[j] = tpu_eup_tables_pkg::EUP_TANH_NEAR_C2[{place_t[j][26:20], 5'd0} +: 32];
            if (tpu_eup_pkg::is_far(a_t[j])) begin
              c0_t[j] = tpu_eup_tables_pkg::EUP_TANH_FAR_C0[{place_t[j][27:20], 5'd0} +: 32];
              c1_t[j] = tpu_eup_tables_pkg::EUP_TANH_FAR_C1[{place_t[j][27:20], 5'd0} +: 32];
              c2_t[j] = tpu_eup_tables_pkg::EUP_TANH_FAR_C2[{place_t[j][27:20], 5'd0} +: 32];
            end
          end
      endcase

      for (int unsigned j = 0; j < P; j = j + 1)
        p_t[j] = tpu_eup_pkg::quadratic(c0_t[j], c1_t[j], c2_t[j], place_t[j][19:0]);

      case (op_q)
        tpu_pkg::OP_EXP2:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            special_t[j] = tpu_eup_pkg::exp2_special(a_t[j]);
            scaled_t[j] = tpu_eup_pkg::exp2_scaled(a_t[j], p_t[j]);
          end
        tpu_pkg::OP_LOG2:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            special_t[j] = tpu_eup_pkg::log2_special(a_t[j]);
            scaled_t[j] = tpu_eup_pkg::log2_scaled(a_t[j], p_t[j]);
          end
        tpu_pkg::OP_RCP:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            special_t[j] = tpu_eup_pkg::rcp_special(a_t[j]);
            scaled_t[j] = tpu_eup_pkg::rcp_scaled(a_t[j], p_t[j]);
          end
        tpu_pkg::OP_RSQRT:
          for (int unsigned j = 0; j < P; j = j + 1) begin
            special_t[j] = tpu_eup_pkg::rsqrt_special(a_t[j]);
            scaled_t[j] = tpu_eup_pkg::rsqrt_scaled(a_t[j], p_t[j]);
          end
        default:  // tanh
          for (int unsigned j = 0; j < P; j = j + 1) begin
            special_t[j] = tpu_eup_pkg::tanh_special(a_t[j]);
            scaled_t[j] = tpu_eup_pkg::tanh_scaled(a_t[j], p_t[j]);
          end
      endcase

      for (int unsigned j = 0; j < P; j = j + 1) begin
        r_t[j] = tpu_fp_pkg::round_pack(scaled_t[j][76], scaled_t[j][75:64], scaled_t[j][63:0]);
        pair_t[j*32 +: 32] = special_t[j][32] ? special_t[j][31:0] : r_t[j];
      end

      for (int unsigned i = 0; i < 4; i = i + 1)
        if (i[1:0] == pair_q) result_o[i*W +: W] <= pair_t;
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule

`default_nettype wire
