// Scalar ALU of one slot: register, predicate and link results. Combinational.
`default_nettype none

module tpu_salu (
  input  logic [63:0] slot_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [7:0]  pregs_i,
  input  logic [31:0] link_i,  // PC + 1

  output logic [31:0] result_o,
  output logic        predicate_o
);
  logic pa, pb, pc;
  assign pa = pregs_i[tpu_pkg::pa_value(slot_i)] ^ tpu_pkg::pa_extra(slot_i);
  assign pb = pregs_i[tpu_pkg::pb_value(slot_i)] ^ tpu_pkg::pb_extra(slot_i);
  assign pc = pregs_i[tpu_pkg::pc_value(slot_i)] ^ tpu_pkg::pc_extra(slot_i);

  tpu_pkg::scalar_op_e op;
  assign op = tpu_pkg::scalar_op(slot_i);

  logic        less_signed, less_unsigned;
  logic [63:0] product;
  assign less_signed = $signed(a_i) < $signed(b_i);
  assign less_unsigned = a_i < b_i;
  assign product = {32'd0, a_i} * {32'd0, b_i};

  always_comb begin
    case (op)
      tpu_pkg::OP_ADD: result_o = a_i + b_i;
      tpu_pkg::OP_SUB: result_o = a_i - b_i;
      tpu_pkg::OP_MUL: result_o = product[31:0];
      tpu_pkg::OP_MULHU: result_o = product[63:32];
      tpu_pkg::OP_BIT_AND: result_o = a_i & b_i;
      tpu_pkg::OP_BIT_OR: result_o = a_i | b_i;
      tpu_pkg::OP_BIT_XOR: result_o = a_i ^ b_i;
      tpu_pkg::OP_BIT_NOT: result_o = ~a_i;
      tpu_pkg::OP_SHL: result_o = a_i << b_i[4:0];
      tpu_pkg::OP_SHR: result_o = a_i >> b_i[4:0];
      tpu_pkg::OP_SAR: result_o = $signed(a_i) >>> b_i[4:0];
      tpu_pkg::OP_MIN_S32: result_o = less_signed ? a_i : b_i;
      tpu_pkg::OP_MAX_S32: result_o = less_signed ? b_i : a_i;
      tpu_pkg::OP_MIN_U32: result_o = less_unsigned ? a_i : b_i;
      tpu_pkg::OP_MAX_U32: result_o = less_unsigned ? b_i : a_i;
      tpu_pkg::OP_MOV: result_o = b_i;
      tpu_pkg::OP_SEL: result_o = pc ? a_i : b_i;
      tpu_pkg::OP_CALL: result_o = link_i;
      default: result_o = 32'd0;
    endcase
  end

  always_comb begin
    case (op)
      tpu_pkg::OP_EQ: predicate_o = a_i == b_i;
      tpu_pkg::OP_NE: predicate_o = a_i != b_i;
      tpu_pkg::OP_LT_S32: predicate_o = less_signed;
      tpu_pkg::OP_LE_S32: predicate_o = less_signed || (a_i == b_i);
      tpu_pkg::OP_GT_S32: predicate_o = !less_signed && (a_i != b_i);
      tpu_pkg::OP_GE_S32: predicate_o = !less_signed;
      tpu_pkg::OP_LT_U32: predicate_o = less_unsigned;
      tpu_pkg::OP_LE_U32: predicate_o = less_unsigned || (a_i == b_i);
      tpu_pkg::OP_GT_U32: predicate_o = !less_unsigned && (a_i != b_i);
      tpu_pkg::OP_GE_U32: predicate_o = !less_unsigned;
      tpu_pkg::OP_PAND: predicate_o = pa & pb;
      tpu_pkg::OP_POR: predicate_o = pa | pb;
      tpu_pkg::OP_PXOR: predicate_o = pa ^ pb;
      default: predicate_o = 1'b0;
    endcase
  end
endmodule

`default_nettype wire
