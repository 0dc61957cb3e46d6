// Vector ALU: one operation on all 8 x L elements per cycle, never busy.
//
// Operands and operation are sampled with start_i at the end of cycle t; in t + 1 done_o: result_o
// (a vector), mask_o or scalar_o is valid, as selected by space_o. A source is a vector, the low or
// high bf16 half of each element as fp32, or a scalar in every element.
//
// tpu_valu_slice does the operations on one element at a time; those across elements are here:
// movement, mask logic, counting. SLICE is the number of elements per instance: all of them
// simulate fastest, one is best for synthesis tools.
`default_nettype none

module tpu_valu #(
  parameter int unsigned LANES = 16,
  parameter int unsigned SLICE = 8 * LANES
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  start_i,
  input  tpu_pkg::valu_op_e     op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  tpu_pkg::form_e        x_form_i,
  input  logic [31:0]           x_scalar_i,
  input  logic [8*LANES*32-1:0] y_i,
  input  tpu_pkg::form_e        y_form_i,
  input  logic [31:0]           y_scalar_i,
  input  logic [8*LANES-1:0]    ma_i,        // after negation
  input  logic [8*LANES-1:0]    mb_i,
  input  logic [1:0]            byte_i,
  input  logic [2:0]            n_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,

  output logic                  done_o,
  output tpu_pkg::space_e       space_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o,
  output logic [8*LANES-1:0]    mask_o,
  output logic [31:0]           scalar_o
);
  localparam int unsigned N = 8 * LANES;
  localparam int unsigned W = LANES * 32;

  tpu_pkg::space_e space;  // which register file the operation writes
  assign space = tpu_pkg::space_va({56'd0, op_i});

  logic moves, mask_logic, counts, compares;
  assign moves = tpu_pkg::valu_moves(op_i);
  assign mask_logic = tpu_pkg::valu_mask_logic(op_i);
  assign compares = space == tpu_pkg::SPACE_MREG;  // or mask logic, separately below
  assign counts = tpu_pkg::valu_counts(op_i);

  always_ff @(posedge clk_i) begin
    done_o <= rst_ni && start_i;
    if (start_i) begin
      space_o <= space;
      dest_o <= dest_i;
      seq_o <= seq_i;
    end
  end

  // ---- one element at a time ------------------------------------------------------------------
  logic            slice_start;
  logic [N*32-1:0] slice_result;
  logic [N-1:0]    slice_holds;
  assign slice_start = start_i && !moves && !mask_logic && !counts;

  for (genvar k = 0; k < N / SLICE; k = k + 1) begin : gen_slice
    tpu_valu_slice #(.ELEMENTS(SLICE), .LANES(LANES)) slice (
      .clk_i, .start_i(slice_start), .op_i, .first_i(k * SLICE),
      .compares_i(compares),
      .x_i(x_i[k*SLICE*32 +: SLICE*32]), .x_form_i, .x_scalar_i,
      .y_i(y_i[k*SLICE*32 +: SLICE*32]), .y_form_i, .y_scalar_i,
      .select_i(ma_i[k*SLICE +: SLICE]), .byte_i,
      .result_o(slice_result[k*SLICE*32 +: SLICE*32]), .holds_o(slice_holds[k*SLICE +: SLICE])
    );
  end

  // ---- movement of sublanes ---------------------------------------------------------------------
  logic            moved_q;
  logic [N*32-1:0] moved_result_q, x_t, one_t, two_t, four_t;
  logic [W-1:0]    picked_t;

  // Blocking assignments only to the scratch _t, never read at the next edge.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (start_i) moved_q <= moves;
    if (start_i && moves) begin
      x_t = x_i;
      if (x_form_i != tpu_pkg::FORM_VECTOR)
        for (int unsigned i = 0; i < N; i = i + 1)
          x_t[i*32 +: 32] = (x_form_i == tpu_pkg::FORM_LO)   ? {x_i[i*32 +: 16], 16'd0}
                            : (x_form_i == tpu_pkg::FORM_HI) ? {x_i[i*32 + 16 +: 16], 16'd0}
                                                             : x_scalar_i;
      // A rotation is three conditional ones.
      one_t = n_i[0] ? {x_t[7*W-1:0], x_t[8*W-1:7*W]} : x_t;
      two_t = n_i[1] ? {one_t[6*W-1:0], one_t[8*W-1:6*W]} : one_t;
      four_t = n_i[2] ? {two_t[4*W-1:0], two_t[8*W-1:4*W]} : two_t;
      picked_t = x_t[W-1:0];
      for (int unsigned r = 1; r < 8; r = r + 1)
        if (r[2:0] == n_i) picked_t = x_t[r*W +: W];
      case (op_i)
        tpu_pkg::OP_VROT_SUB: moved_result_q <= four_t;
        tpu_pkg::OP_VBCAST_SUB: moved_result_q <= {8{picked_t}};
        default: moved_result_q <= 'x;  // a row of the table without its case
      endcase
    end
  end

  // ---- masks ------------------------------------------------------------------------------------
  logic         combined_q;
  logic [N-1:0] mask_q;
  logic [31:0]  count_t;

  always_ff @(posedge clk_i) begin
    if (start_i) combined_q <= mask_logic;
    if (start_i && mask_logic)
      case (op_i)
        tpu_pkg::OP_MAND: mask_q <= ma_i & mb_i;
        tpu_pkg::OP_MOR: mask_q <= ma_i | mb_i;
        tpu_pkg::OP_MXOR: mask_q <= ma_i ^ mb_i;
        default: mask_q <= 'x;
      endcase
    if (start_i && counts) begin
      case (op_i)
        tpu_pkg::OP_MPOP: begin
          count_t = 32'd0;
          for (int unsigned i = 0; i < N; i = i + 1) count_t = count_t + {31'd0, ma_i[i]};
        end
        tpu_pkg::OP_MFFS: begin
          count_t = 32'hffffffff;
          for (int unsigned i = 0; i < N; i = i + 1) count_t = ma_i[N-1-i] ? N - 1 - i : count_t;
        end
        default: count_t = 'x;
      endcase
      scalar_o <= count_t;
    end
  end
  /* verilator lint_on BLKSEQ */

  assign result_o = moved_q ? moved_result_q : slice_result;
  assign mask_o = combined_q ? mask_q : slice_holds;
endmodule

`default_nettype wire
