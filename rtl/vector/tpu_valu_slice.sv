// A slice of the vector ALU: every operation on one element at a time.
//
// Sampled with start_i at the end of cycle t, result_o (or holds_o, for comparisons) valid in t +
// 1. One loop per operation and nothing evaluated unless started: this simulates fast, the more
// elements the better. The time of synthesis tools grows with the square of the elements; they get
// slices of one (see tpu_valu).
`default_nettype none

module tpu_valu_slice #(
  parameter int unsigned ELEMENTS = 128,
  parameter int unsigned LANES = 16
) (
  input  logic                      clk_i,

  input  logic                      start_i,
  input  tpu_pkg::valu_op_e         op_i,
  input  logic                      compares_i,  // the operation is a comparison
  input  logic [31:0]               first_i,     // constant: number r * LANES + j of element 0
  input  logic [ELEMENTS*32-1:0]    x_i,
  input  tpu_pkg::form_e            x_form_i,
  input  logic [31:0]               x_scalar_i,
  input  logic [ELEMENTS*32-1:0]    y_i,
  input  tpu_pkg::form_e            y_form_i,
  input  logic [31:0]               y_scalar_i,
  input  logic [ELEMENTS-1:0]       select_i,    // vsel: x where set
  input  logic [1:0]                byte_i,

  output logic [ELEMENTS*32-1:0]    result_o,
  output logic [ELEMENTS-1:0]       holds_o      // comparisons
);
  // Scratch of one clock edge, never read at the next: operands, and a result of either kind.
  logic [31:0] x_t [ELEMENTS], y_t [ELEMENTS], r_t [ELEMENTS];
  logic        b_t [ELEMENTS];

  // The position of the leading one is found half by half.
  function automatic logic [31:0] leading_zeros(input logic [31:0] a);
    logic [31:0] r, n;
    r = a;
    n = 32'd0;
    if (r[31:16] == 16'd0) begin r = r << 16; n = n + 32'd16; end
    if (r[31:24] == 8'd0) begin r = r << 8; n = n + 32'd8; end
    if (r[31:28] == 4'd0) begin r = r << 4; n = n + 32'd4; end
    if (r[31:30] == 2'd0) begin r = r << 2; n = n + 32'd2; end
    if (r[31] == 1'd0) n = n + 32'd1;
    leading_zeros = (a == 32'd0) ? 32'd32 : n;
  endfunction

  // Neighbouring counts are added up in place, in fields of twice the width.
  function automatic logic [31:0] ones(input logic [31:0] a);
    logic [31:0] r;
    r = (a & 32'h55555555) + ((a >> 1) & 32'h55555555);
    r = (r & 32'h33333333) + ((r >> 2) & 32'h33333333);
    r = (r & 32'h0f0f0f0f) + ((r >> 4) & 32'h0f0f0f0f);
    r = (r & 32'h00ff00ff) + ((r >> 8) & 32'h00ff00ff);
    ones = {16'd0, r[15:0]} + {16'd0, r[31:16]};
  endfunction

  // Blocking assignments only to the scratch above; outputs of the module are registered.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      case (x_form_i)
        tpu_pkg::FORM_LO:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) x_t[i] = {x_i[i*32 +: 16], 16'd0};
        tpu_pkg::FORM_HI:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) x_t[i] = {x_i[i*32 + 16 +: 16], 16'd0};
        tpu_pkg::FORM_SCALAR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) x_t[i] = x_scalar_i;
        default:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) x_t[i] = x_i[i*32 +: 32];
      endcase
      case (y_form_i)
        tpu_pkg::FORM_LO:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) y_t[i] = {y_i[i*32 +: 16], 16'd0};
        tpu_pkg::FORM_HI:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) y_t[i] = {y_i[i*32 + 16 +: 16], 16'd0};
        tpu_pkg::FORM_SCALAR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) y_t[i] = y_scalar_i;
        default:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) y_t[i] = y_i[i*32 +: 32];
      endcase

      case (op_i)
        // fp32; subtraction is addition with the sign of y flipped, so both share one adder.
        tpu_pkg::OP_VADD_F32, tpu_pkg::OP_VSUB_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::add(x_t[i], y_t[i] ^ {op_i == tpu_pkg::OP_VSUB_F32, 31'd0});
        tpu_pkg::OP_VMUL_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = tpu_fp_pkg::mul(x_t[i], y_t[i]);
        tpu_pkg::OP_VMULERR_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::mul_error(x_t[i], y_t[i]);
        tpu_pkg::OP_VMIN_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = tpu_fp_pkg::minimum(x_t[i], y_t[i]);
        tpu_pkg::OP_VMAX_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = tpu_fp_pkg::maximum(x_t[i], y_t[i]);
        tpu_pkg::OP_VEQ_F32, tpu_pkg::OP_VNE_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            b_t[i] = tpu_fp_pkg::equal(x_t[i], y_t[i]) ^ (op_i == tpu_pkg::OP_VNE_F32);
        tpu_pkg::OP_VLT_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) b_t[i] = tpu_fp_pkg::less(x_t[i], y_t[i]);
        tpu_pkg::OP_VLE_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            b_t[i] = tpu_fp_pkg::less(x_t[i], y_t[i]) | tpu_fp_pkg::equal(x_t[i], y_t[i]);
        tpu_pkg::OP_VFLOOR_F32, tpu_pkg::OP_VROUND_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::round_whole(x_t[i], op_i == tpu_pkg::OP_VROUND_F32);

        // Conversions
        tpu_pkg::OP_VCVT_F32_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = tpu_fp_pkg::from_s32(x_t[i]);
        tpu_pkg::OP_VCVT_S32_F32, tpu_pkg::OP_VTRUNC_S32_F32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::to_s32(x_t[i], op_i == tpu_pkg::OP_VCVT_S32_F32);
        tpu_pkg::OP_VPACK_BF16:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = {tpu_fp_pkg::to_bf16(y_t[i]), tpu_fp_pkg::to_bf16(x_t[i])};
        tpu_pkg::OP_VPACK_S8:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::insert_byte(x_t[i], byte_i, tpu_fp_pkg::to_s8(y_t[i]));
        tpu_pkg::OP_VEXT_S32_S8:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::extract_s8(x_t[i], byte_i);
        tpu_pkg::OP_VEXT_F32_S8:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = tpu_fp_pkg::from_s32(tpu_fp_pkg::extract_s8(x_t[i], byte_i));

        // s32 and logic
        tpu_pkg::OP_VADD_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] + y_t[i];
        tpu_pkg::OP_VSUB_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] - y_t[i];
        tpu_pkg::OP_VMUL_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] * y_t[i];
        tpu_pkg::OP_VAND:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] & y_t[i];
        tpu_pkg::OP_VOR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] | y_t[i];
        tpu_pkg::OP_VXOR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = x_t[i] ^ y_t[i];
        tpu_pkg::OP_VSHL:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = (y_t[i][31:5] != 27'd0) ? 32'd0 : x_t[i] << y_t[i][4:0];
        tpu_pkg::OP_VSHR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = (y_t[i][31:5] != 27'd0) ? 32'd0 : x_t[i] >> y_t[i][4:0];
        tpu_pkg::OP_VSAR:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = $signed(x_t[i]) >>> ((y_t[i][31:5] != 27'd0) ? 5'd31 : y_t[i][4:0]);
        tpu_pkg::OP_VMIN_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = ($signed(x_t[i]) < $signed(y_t[i])) ? x_t[i] : y_t[i];
        tpu_pkg::OP_VMAX_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = ($signed(x_t[i]) < $signed(y_t[i])) ? y_t[i] : x_t[i];
        tpu_pkg::OP_VEQ_S32, tpu_pkg::OP_VNE_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            b_t[i] = (x_t[i] == y_t[i]) ^ (op_i == tpu_pkg::OP_VNE_S32);
        tpu_pkg::OP_VLT_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) b_t[i] = $signed(x_t[i]) < $signed(y_t[i]);
        tpu_pkg::OP_VLE_S32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) b_t[i] = $signed(x_t[i]) <= $signed(y_t[i]);

        // u32 and bits
        tpu_pkg::OP_VMIN_U32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = (x_t[i] < y_t[i]) ? x_t[i] : y_t[i];
        tpu_pkg::OP_VMAX_U32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = (x_t[i] < y_t[i]) ? y_t[i] : x_t[i];
        tpu_pkg::OP_VLT_U32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) b_t[i] = x_t[i] < y_t[i];
        tpu_pkg::OP_VLE_U32:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) b_t[i] = x_t[i] <= y_t[i];
        tpu_pkg::OP_VROTL:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1)
            r_t[i] = (x_t[i] << y_t[i][4:0]) | (x_t[i] >> (6'd32 - {1'b0, y_t[i][4:0]}));
        tpu_pkg::OP_VCLZ:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = leading_zeros(x_t[i]);
        tpu_pkg::OP_VPOP:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = ones(x_t[i]);

        // Selection, positions, movement
        tpu_pkg::OP_VSEL:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = select_i[i] ? x_t[i] : y_t[i];
        tpu_pkg::OP_VLANE: for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = (first_i + i) % LANES;
        tpu_pkg::OP_VSUBLANE:
          for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = (first_i + i) / LANES;
        tpu_pkg::OP_VMOV: for (int unsigned i = 0; i < ELEMENTS; i = i + 1) r_t[i] = y_t[i];
        default: ;  // not for single elements
      endcase

      if (compares_i)
        for (int unsigned i = 0; i < ELEMENTS; i = i + 1) holds_o[i] <= b_t[i];
      else
        for (int unsigned i = 0; i < ELEMENTS; i = i + 1) result_o[i*32 +: 32] <= r_t[i];
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule

`default_nettype wire
