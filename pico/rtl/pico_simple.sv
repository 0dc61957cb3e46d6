// The results of one element that need neither the multiplier nor the normaliser. Combinational.
`default_nettype none

module pico_simple
  import pico_pkg::*;
(
  input  alu_e        alu_i,
  input  logic [31:0] x_i, y_i, z_i,
  input  logic        condition_i,  // of ALU_SEL
  input  logic [1:0]  byte_i,       // of ALU_PACK_S8 and ALU_EXT_S8
  output logic [31:0] result_o
);
  // One comparator. Floating-point values are compared by their keys, unsigned ones with the top bit inverted.
  logic floating, unsigned_order, equal, less, nan, zeros;
  logic [31:0] p, q;
  always_comb begin
    unique case (alu_i)
      ALU_FMIN, ALU_FMAX, ALU_FEQ, ALU_FNE, ALU_FLT, ALU_FLE, ALU_KEY, ALU_PICK_F: floating = 1'b1;
      default: floating = 1'b0;
    endcase
    unique case (alu_i)
      ALU_MIN_U, ALU_MAX_U, ALU_LT_U, ALU_LE_U, ALU_GT_U, ALU_GE_U: unsigned_order = 1'b1;
      default: unsigned_order = 1'b0;
    endcase
  end
  // The second operand of a pick is a key already.
  assign p = floating ? key_of_f32(x_i) : {x_i[31] ^ unsigned_order, x_i[30:0]};
  assign q = floating && alu_i != ALU_PICK_F ? key_of_f32(y_i) : {y_i[31] ^ unsigned_order, y_i[30:0]};
  assign equal = p == q;
  assign less = $signed(p) < $signed(q);
  assign nan = is_nan(x_i) || is_nan(y_i);
  assign zeros = x_i[30:23] == 8'd0 && y_i[30:23] == 8'd0;

  function automatic logic [31:0] flush(input logic [31:0] a);
    flush = a[30:23] == 8'd0 ? {a[31], 31'b0} : a;
  endfunction

  // One shifter: left shifts and rotations to the left are rotations to the right with a mask.
  logic [4:0]  amount;
  logic [31:0] rotated, kept;
  assign amount = alu_i == ALU_SHL || alu_i == ALU_ROTL ? 5'd0 - y_i[4:0] : y_i[4:0];
  assign rotated = 32'({x_i, x_i} >> amount);
  assign kept = alu_i == ALU_SHL ? 32'hffffffff << y_i[4:0] : 32'hffffffff >> y_i[4:0];

  function automatic logic [31:0] leading_zeros(input logic [31:0] a);
    leading_zeros = 32'd32;
    for (int i = 0; i < 32; ++i) if (a[i]) leading_zeros = 32'(31 - i);
  endfunction

  function automatic logic [31:0] ones(input logic [31:0] a);
    ones = 32'd0;
    for (int i = 0; i < 32; ++i) ones += {31'b0, a[i]};
  endfunction

  logic [7:0]  chosen, saturated;
  logic [31:0] packed_s8, key;
  logic        far, picked;
  assign chosen = x_i[8*byte_i +: 8];
  assign saturated = $signed(y_i) > 127 ? 8'h7f : $signed(y_i) < -128 ? 8'h80 : y_i[7:0];
  assign far = y_i[31:5] != 27'd0;
  assign key = is_nan(x_i) ? 32'h7fffffff : p;
  assign picked = alu_i == ALU_PICK_F ? key == q : equal;
  always_comb begin
    packed_s8 = x_i;
    packed_s8[8*byte_i +: 8] = saturated;
  end

  always_comb begin
    unique case (alu_i)
      ALU_X: result_o = x_i;
      ALU_Y: result_o = y_i;
      ALU_ADD: result_o = x_i + y_i;
      ALU_SUB: result_o = x_i - y_i;
      ALU_AND: result_o = x_i & y_i;
      ALU_OR: result_o = x_i | y_i;
      ALU_XOR: result_o = x_i ^ y_i;
      ALU_NOT: result_o = ~x_i;
      ALU_SHL, ALU_SHR: result_o = far ? 32'd0 : rotated & kept;
      ALU_SAR: result_o = far ? {32{x_i[31]}} : (rotated & kept) | (x_i[31] ? ~kept : 32'd0);
      ALU_ROTL: result_o = rotated;
      ALU_CLZ: result_o = leading_zeros(x_i);
      ALU_POP: result_o = ones(x_i);
      ALU_MIN_S, ALU_MIN_U: result_o = less ? x_i : y_i;
      ALU_MAX_S, ALU_MAX_U: result_o = less ? y_i : x_i;
      ALU_EQ: result_o = {31'b0, equal};
      ALU_NE: result_o = {31'b0, !equal};
      ALU_LT_S, ALU_LT_U: result_o = {31'b0, less};
      ALU_LE_S, ALU_LE_U: result_o = {31'b0, less || equal};
      ALU_GT_S, ALU_GT_U: result_o = {31'b0, !less && !equal};
      ALU_GE_S, ALU_GE_U: result_o = {31'b0, !less};
      ALU_SEL: result_o = condition_i ? x_i : y_i;
      ALU_PACK_S8: result_o = packed_s8;
      ALU_EXT_S8: result_o = {{24{chosen[7]}}, chosen};
      ALU_PICK_S, ALU_PICK_F: result_o = picked ? z_i : 32'd8;  // 8: above every lane and sublane
      ALU_FMIN: result_o = nan ? NAN : flush(less ? x_i : y_i);
      ALU_FMAX: result_o = nan ? NAN : flush(less ? y_i : x_i);
      ALU_FEQ: result_o = {31'b0, !nan && (equal || zeros)};
      ALU_FNE: result_o = {31'b0, nan || !(equal || zeros)};
      ALU_FLT: result_o = {31'b0, !nan && less && !zeros};
      ALU_FLE: result_o = {31'b0, !nan && (less || equal || zeros)};
      ALU_KEY: result_o = key;
      ALU_PACK_BF16: result_o = {bf16_of_f32(y_i), bf16_of_f32(x_i)};
      default: result_o = 32'd0;
    endcase
  end
endmodule
