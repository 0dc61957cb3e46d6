// The passes of the instructions that pico_stream executes: step 0, 1 ... of the instruction in a slot. Combinational.
//
// Cross-lane results are made by butterflies: step s combines elements whose numbers differ in bit s, so that after
// three steps every lane (or sublane) has the result of all eight, added in the tree that docs/numerics.md asks for.
// An index of a maximum is a maximum, then the least index at which it occurs. The results have a part of 64 words for
// each slot; values in between are in the slot's own part and in that of slot st, which has no results.
`default_nettype none

module pico_passes
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic [3:0]  slot_i,
  input  logic [63:0] bits_i,
  input  logic [3:0]  step_i,
  input  logic [5:0]  number_i,  // the operand n of moves; the accumulator of slot mx
  output pass_t       pass_o
);
  pass_t scalar, vector, across, matrix;
  localparam logic [5:0] ALL = 6'b111111, LANES_OF = 6'b000111, ROWS_OF = 6'b111000;

  function automatic pass_t plain(input logic [2:0] part);
    plain = '{last: 1'b1, alu: ALU_X, single: 1'b0, x_source: SOURCE_VREG, y_source: SOURCE_VREG, x_form: FORM_WORD,
              y_form: FORM_WORD, x_byte: 2'd0, x_register: 6'd0, y_register: 6'd0, x_map: MAP_BITS, x_and: ALL,
              x_or: 6'd0, y_and: ALL, y_or: 6'd0, z_source: SOURCE_NONE, target: TO_RESULT, to: part};
  endfunction

  always_comb begin
    unique case (slot_i)
      SLOT_SA, SLOT_SB: pass_o = scalar;
      SLOT_VA, SLOT_VB: pass_o = vector;
      SLOT_XU: pass_o = across;
      default: pass_o = matrix;
    endcase
  end

  // ---- scalar slots: one element, operands by the sequencer ------------------------------------------------
  always_comb begin
    scalar = plain(slot_i[2:0]);
    scalar.single = 1'b1;
    scalar.x_form = FORM_CONSTANT;
    scalar.y_form = FORM_CONSTANT;
    unique case (bits_i[7:0])
      OP_ADD: scalar.alu = ALU_ADD;
      OP_SUB: scalar.alu = ALU_SUB;
      OP_MUL: scalar.alu = ALU_MUL;
      OP_MULHU: scalar.alu = ALU_MULHU;
      OP_BIT_AND, OP_PAND: scalar.alu = ALU_AND;
      OP_BIT_OR, OP_POR: scalar.alu = ALU_OR;
      OP_BIT_XOR, OP_PXOR: scalar.alu = ALU_XOR;
      OP_BIT_NOT: scalar.alu = ALU_NOT;
      OP_SHL: scalar.alu = ALU_SHL;
      OP_SHR: scalar.alu = ALU_SHR;
      OP_SAR: scalar.alu = ALU_SAR;
      OP_MIN_S32: scalar.alu = ALU_MIN_S;
      OP_MAX_S32: scalar.alu = ALU_MAX_S;
      OP_MIN_U32: scalar.alu = ALU_MIN_U;
      OP_MAX_U32: scalar.alu = ALU_MAX_U;
      OP_MOV: scalar.alu = ALU_Y;
      OP_SEL: scalar.alu = ALU_SEL;
      OP_EQ: scalar.alu = ALU_EQ;
      OP_NE: scalar.alu = ALU_NE;
      OP_LT_S32: scalar.alu = ALU_LT_S;
      OP_LE_S32: scalar.alu = ALU_LE_S;
      OP_GT_S32: scalar.alu = ALU_GT_S;
      OP_GE_S32: scalar.alu = ALU_GE_S;
      OP_LT_U32: scalar.alu = ALU_LT_U;
      OP_LE_U32: scalar.alu = ALU_LE_U;
      OP_GT_U32: scalar.alu = ALU_GT_U;
      default: scalar.alu = ALU_GE_U;
    endcase
  end

  // ---- vector ALUs: one pass -----------------------------------------------------------------------------
  always_comb begin
    vector = plain(slot_i[2:0]);
    vector.x_register = bits_i[23:18];
    vector.x_form = {2'b0, bits_i[25:24]};
    vector.x_byte = bits_i[27:26];
    vector.y_register = bits_i[37:32];
    vector.y_form = bits_i[31] ? FORM_CONSTANT : {2'b0, bits_i[39:38]};
    unique case (bits_i[7:0])
      OP_VADD_F32: vector.alu = ALU_FADD;
      OP_VSUB_F32: vector.alu = ALU_FSUB;
      OP_VMUL_F32: vector.alu = ALU_FMUL;
      OP_VMULERR_F32: vector.alu = ALU_FMULERR;
      OP_VMIN_F32: vector.alu = ALU_FMIN;
      OP_VMAX_F32: vector.alu = ALU_FMAX;
      OP_VEQ_F32: vector.alu = ALU_FEQ;
      OP_VNE_F32: vector.alu = ALU_FNE;
      OP_VLT_F32: vector.alu = ALU_FLT;
      OP_VLE_F32: vector.alu = ALU_FLE;
      OP_VFLOOR_F32: vector.alu = ALU_FFLOOR;
      OP_VROUND_F32: vector.alu = ALU_FROUND;
      OP_VCVT_F32_S32: vector.alu = ALU_F_OF_S;
      OP_VCVT_S32_F32: vector.alu = ALU_S_OF_F;
      OP_VTRUNC_S32_F32: vector.alu = ALU_TRUNC;
      OP_VPACK_BF16: vector.alu = ALU_PACK_BF16;
      OP_VPACK_S8: vector.alu = ALU_PACK_S8;
      OP_VEXT_S32_S8: vector.alu = ALU_EXT_S8;
      OP_VEXT_F32_S8: vector.alu = ALU_F_OF_S8;
      OP_VADD_S32: vector.alu = ALU_ADD;
      OP_VSUB_S32: vector.alu = ALU_SUB;
      OP_VMUL_S32: vector.alu = ALU_MUL;
      OP_VAND: vector.alu = ALU_AND;
      OP_VOR: vector.alu = ALU_OR;
      OP_VXOR: vector.alu = ALU_XOR;
      OP_VSHL: vector.alu = ALU_SHL;
      OP_VSHR: vector.alu = ALU_SHR;
      OP_VSAR: vector.alu = ALU_SAR;
      OP_VMIN_S32: vector.alu = ALU_MIN_S;
      OP_VMAX_S32: vector.alu = ALU_MAX_S;
      OP_VMIN_U32: vector.alu = ALU_MIN_U;
      OP_VMAX_U32: vector.alu = ALU_MAX_U;
      OP_VEQ_S32: vector.alu = ALU_EQ;
      OP_VNE_S32: vector.alu = ALU_NE;
      OP_VLT_S32: vector.alu = ALU_LT_S;
      OP_VLE_S32: vector.alu = ALU_LE_S;
      OP_VLT_U32: vector.alu = ALU_LT_U;
      OP_VLE_U32: vector.alu = ALU_LE_U;
      OP_VROTL: vector.alu = ALU_ROTL;
      OP_VCLZ: vector.alu = ALU_CLZ;
      OP_VPOP: vector.alu = ALU_POP;
      OP_VSEL: vector.alu = ALU_SEL;
      OP_VMOV: vector.alu = ALU_Y;
      OP_VLANE: vector.x_source = SOURCE_LANE;
      OP_VSUBLANE: vector.x_source = SOURCE_SUBLANE;
      OP_VROT_SUB: vector.x_map = MAP_ROTATE_SUBLANES;
      OP_VBCAST_SUB: {vector.x_and, vector.x_or} = {LANES_OF, number_i[2:0], 3'b0};
      OP_MAND: vector.alu = ALU_AND;
      OP_MOR: vector.alu = ALU_OR;
      OP_MXOR: vector.alu = ALU_XOR;
      OP_MPOP: vector.target = TO_COUNT;
      default: vector.target = TO_FIRST;
    endcase
    unique case (bits_i[7:0])
      OP_VLANE, OP_VSUBLANE: vector.x_form = FORM_WORD;
      OP_MAND, OP_MOR, OP_MXOR, OP_MPOP, OP_MFFS: begin
        {vector.x_source, vector.y_source} = {SOURCE_MASK, SOURCE_MASK};
        {vector.x_form, vector.y_form} = {FORM_WORD, FORM_WORD};
      end
      default: ;
    endcase
  end

  // ---- cross-lane unit -------------------------------------------------------------------------------------
  logic       reduces, sublanes, of_integers;
  logic [1:0] kind;  // sum, max, min, index of max
  logic [5:0] bit_of_step;
  alu_e       combine;
  logic [2:0] from, to;
  logic [1:0] butterfly;
  assign reduces = bits_i[7:4] == 4'd1;
  assign sublanes = bits_i[3];
  assign of_integers = bits_i[2];
  assign kind = bits_i[1:0];
  assign butterfly = kind != 2'd3 ? step_i[1:0] : step_i < 4'd4 ? 2'(step_i - 4'd1) : 2'(step_i - 4'd5);
  assign bit_of_step = (sublanes ? 6'd8 : 6'd1) << butterfly;
  // Values go from one part to the other; the last ones to the slot's own.
  assign from = step_i[0] == (kind == 2'd3) ? SLOT_ST[2:0] : SLOT_XU[2:0];
  assign to = step_i[0] == (kind == 2'd3) ? SLOT_XU[2:0] : SLOT_ST[2:0];
  always_comb begin
    unique case ({kind, of_integers})
      {2'd0, 1'b0}: combine = ALU_FADD;
      {2'd0, 1'b1}: combine = ALU_ADD;
      {2'd1, 1'b0}: combine = ALU_FMAX;
      {2'd1, 1'b1}: combine = ALU_MAX_S;
      {2'd2, 1'b0}: combine = ALU_FMIN;
      {2'd2, 1'b1}: combine = ALU_MIN_S;
      default: combine = step_i < 4'd4 ? ALU_MAX_S : ALU_MIN_U;
    endcase
  end

  always_comb begin
    across = plain(slot_i[2:0]);
    across.x_register = bits_i[23:18];
    across.y_register = bits_i[23:18];
    if (reduces && kind == 2'd0 && sublanes && !of_integers) begin  // ((x[0] + x[1]) + x[2]) ...
      across.alu = ALU_FADD;
      across.last = step_i == 4'd6;
      if (step_i == 4'd0) across.x_and = LANES_OF;
      else {across.x_source, across.x_register} = {SOURCE_RESULT, 3'd0, from};
      {across.y_and, across.y_or} = {LANES_OF, 3'(step_i + 4'd1), 3'd0};
      across.to = to;
    end else if (reduces && kind != 2'd3) begin
      across.alu = combine;
      across.last = step_i == 4'd2;
      if (step_i != 4'd0) begin
        {across.x_source, across.x_register} = {SOURCE_RESULT, 3'd0, from};
        {across.y_source, across.y_register} = {SOURCE_RESULT, 3'd0, from};
      end
      {across.x_and, across.y_or} = {~bit_of_step, bit_of_step};
      across.to = to;
    end else if (reduces && (step_i == 4'd0 || step_i == 4'd4)) begin
      across.last = 1'b0;
      across.alu = of_integers ? ALU_X : ALU_KEY;
      across.to = to;
      if (step_i == 4'd4) begin
        across.alu = of_integers ? ALU_PICK_S : ALU_PICK_F;
        {across.y_source, across.y_register} = {SOURCE_RESULT, 3'd0, from};
        across.z_source = sublanes ? SOURCE_SUBLANE : SOURCE_LANE;
      end
    end else if (reduces) begin
      across.alu = combine;
      across.last = step_i == 4'd7;
      {across.x_source, across.x_register} = {SOURCE_RESULT, 3'd0, from};
      {across.y_source, across.y_register} = {SOURCE_RESULT, 3'd0, from};
      {across.x_and, across.y_or} = {~bit_of_step, bit_of_step};
      across.to = to;
    end else begin
      unique case (bits_i[7:0])
        OP_LROT: across.x_map = MAP_ROTATE_LANES;
        OP_LBCAST: {across.x_and, across.x_or} = {ROWS_OF, 3'b0, number_i[2:0]};
        OP_LPERM: begin
          across.x_map = MAP_PERMUTE;
          across.y_register = bits_i[29:24];
        end
        OP_TRANSPOSE: across.x_map = MAP_TRANSPOSE;
        default: begin  // extract
          across.single = 1'b1;
          {across.x_and, across.x_or} = {6'd0, number_i};
        end
      endcase
    end
  end

  // ---- matrix unit: a multiplication is a pass for each row of the weights and one for the accumulator -----------
  logic [3:0] form;
  logic [2:0] k;
  logic       integers;
  assign integers = bits_i[20];
  assign form = integers ? FORM_BYTE : bits_i[19:18] == 2'd0 ? FORM_BF16 : {2'b0, bits_i[19:18]};
  assign k = 3'(step_i - 4'd1);
  always_comb begin
    matrix = plain(slot_i[2:0]);
    matrix.x_register = bits_i[17:12];
    matrix.x_form = form;
    matrix.x_byte = bits_i[19:18];
    unique case (bits_i[7:0])
      OP_MXPUSH: matrix.target = TO_WEIGHT;
      OP_MXPUSHT: matrix.target = TO_WEIGHT_TRANSPOSED;
      OP_MXREAD: begin
        matrix.x_source = SOURCE_ACC;
        matrix.x_register = number_i;
        matrix.x_form = FORM_WORD;
      end
      default: begin
        matrix.last = step_i == 4'd9;
        if (step_i == 4'd0) begin  // after a swap: zeros into the buffer that is released
          matrix.x_source = SOURCE_NONE;
          matrix.x_form = FORM_WORD;
          matrix.target = TO_WEIGHT;
        end else if (!matrix.last) begin
          matrix.alu = integers ? ALU_MAC : ALU_FMAC;
          {matrix.x_and, matrix.x_or} = {ROWS_OF, 3'b0, k};
          matrix.y_source = SOURCE_WEIGHT;
          matrix.y_form = integers ? FORM_BYTE : FORM_LOW;
          {matrix.y_and, matrix.y_or} = {LANES_OF, k, 3'b0};
          matrix.z_source = k == 3'd0 ? SOURCE_NONE : SOURCE_RESULT;
        end else begin
          matrix.alu = !bits_i[36] ? ALU_Y : integers ? ALU_ADD : ALU_FADD;
          {matrix.x_source, matrix.x_register, matrix.x_form} = {SOURCE_ACC, number_i, FORM_WORD};
          {matrix.y_source, matrix.y_register} = {SOURCE_RESULT, 6'd6};
          matrix.target = TO_ACC;
        end
      end
    endcase
  end
endmodule
