// The one arithmetic unit of pico: an element each cycle, its result ALU_CYCLES cycles after its operands, for every
// operation. Scalar, vector, cross-lane and matrix instructions all use it. The rules are those of docs/numerics.md.
//
//   1 operands   2, 3 multiplier, and results that need no more   4 fp32 of a product   5 which operand is larger
//   6 the smaller one is shifted   7 sum, product or integer as a magnitude   8 normalised   9 rounded
//
// The transcendental unit borrows the multiplier (product_o is in step with stage 3) and stages 7 to 9 (inject_i); no
// other operation is on its way then.
`default_nettype none

module pico_alu
  import pico_pkg::*;
(
  input  logic        clk_i,
  input  alu_e        alu_i,
  input  logic [31:0] x_i, y_i, z_i,
  input  logic        condition_i,
  input  logic [1:0]  byte_i,
  output logic [63:0] product_o,
  input  round_t      inject_i,
  output logic [31:0] result_o
);
  // ---- 1 to 3 ----------------------------------------------------------------------------------------------
  alu_e        alu1_q, alu2_q, alu3_q, simple_alu;
  logic [31:0] x1_q, y1_q, z1_q, x2_q, y2_q, z2_q, x3_q, y3_q, z3_q, simple, simple2_q, simple3_q;
  logic        condition1_q, fp_product;
  logic [1:0]  byte1_q;

  always_comb begin
    unique case (alu1_q)
      ALU_F_OF_S: simple_alu = ALU_X;
      ALU_F_OF_S8: simple_alu = ALU_EXT_S8;
      default: simple_alu = alu1_q;
    endcase
  end
  pico_simple units (.alu_i(simple_alu), .x_i(x1_q), .y_i(y1_q), .z_i(z1_q), .condition_i(condition1_q),
                     .byte_i(byte1_q), .result_o(simple));

  assign fp_product = alu1_q == ALU_FMUL || alu1_q == ALU_FMULERR || alu1_q == ALU_FMAC;
  pico_multiply multiplier (.clk_i(clk_i), .x_i(fp_product ? significand(x1_q) : x1_q),
                            .y_i(fp_product ? significand(y1_q) : y1_q), .product_o(product_o));

  always_ff @(posedge clk_i) begin
    {alu1_q, x1_q, y1_q, z1_q, condition1_q, byte1_q} <= {alu_i, x_i, y_i, z_i, condition_i, byte_i};
    {alu2_q, x2_q, y2_q, z2_q, simple2_q} <= {alu1_q, x1_q, y1_q, z1_q, simple};
    {alu3_q, x3_q, y3_q, z3_q, simple3_q} <= {alu2_q, x2_q, y2_q, z2_q, simple2_q};
  end

  // ---- 4: the product as fp32, exact for two bf16 ------------------------------------------------------------
  logic               sign, product_nan, product_inf;
  logic signed [11:0] exponents, product_exponent;
  logic [31:0]        product_f32, word;
  assign sign = x3_q[31] ^ y3_q[31];
  assign exponents = 12'({4'b0, x3_q[30:23]} + {4'b0, y3_q[30:23]});
  assign product_exponent = exponents - 12'sd127 + 12'(product_o[47]);
  assign product_inf = is_inf(x3_q) || is_inf(y3_q);
  assign product_nan = is_nan(x3_q) || is_nan(y3_q) ||
                       (product_inf && (x3_q[30:23] == 8'd0 || y3_q[30:23] == 8'd0));
  always_comb begin
    if (product_nan) product_f32 = NAN;
    else if (product_inf || (product_o[47:46] != 2'd0 && product_exponent >= 255)) product_f32 = {sign, INF};
    else if (product_o[47:46] == 2'd0 || product_exponent <= 0) product_f32 = {sign, 31'b0};
    else product_f32 = {sign, product_exponent[7:0], product_o[47] ? product_o[46:24] : product_o[45:23]};
    unique case (alu3_q)
      ALU_MUL: word = product_o[31:0];
      ALU_MULHU: word = product_o[63:32];
      ALU_MAC: word = product_o[31:0] + z3_q;
      default: word = simple3_q;
    endcase
  end

  alu_e               alu4_q;
  logic [31:0]        a4_q, b4_q, word4_q;
  logic [47:0]        product4_q;
  logic signed [11:0] exponents4_q;
  logic               sign4_q, nan4_q, inf4_q;
  always_ff @(posedge clk_i) begin
    alu4_q <= alu3_q;
    a4_q <= alu3_q == ALU_FMAC ? z3_q : x3_q;
    b4_q <= alu3_q == ALU_FMAC ? product_f32 : {y3_q[31] ^ (alu3_q == ALU_FSUB), y3_q[30:0]};
    word4_q <= word;
    product4_q <= product_o[47:0];
    {exponents4_q, sign4_q, nan4_q, inf4_q} <= {exponents, sign, product_nan, product_inf};
  end

  // ---- 5: order of the operands, special cases -----------------------------------------------------------
  logic        swap, whole, special;
  logic [31:0] upper, lower, value;
  logic [7:0]  exponent4, distance;
  logic [5:0]  shift;
  assign exponent4 = a4_q[30:23];
  assign whole = alu4_q == ALU_FFLOOR || alu4_q == ALU_FROUND || alu4_q == ALU_S_OF_F || alu4_q == ALU_TRUNC;
  assign swap = !whole && b4_q[30:0] > a4_q[30:0];
  assign upper = swap ? b4_q : a4_q;
  assign lower = swap || whole ? a4_q : b4_q;
  assign distance = upper[30:23] - lower[30:23];
  assign shift = whole ? (exponent4 < 8'd118 ? 6'd32 : 6'(8'd150 - exponent4)) : distance > 8'd32 ? 6'd32 : distance[5:0];

  logic [31:0] as_integer;
  assign as_integer = exponent4 >= 8'd158 ? 32'h7fffffff : significand(a4_q) << 3'(exponent4 - 8'd150);
  always_comb begin
    special = 1'b1;
    value = word4_q;
    unique case (alu4_q)
      ALU_FADD, ALU_FSUB, ALU_FMAC:
        if (is_nan(a4_q) || is_nan(b4_q) || (is_inf(a4_q) && is_inf(b4_q) && a4_q[31] != b4_q[31])) value = NAN;
        else if (is_inf(a4_q)) value = a4_q;
        else if (is_inf(b4_q)) value = b4_q;
        else special = 1'b0;
      ALU_FMUL, ALU_FMULERR:
        if (nan4_q) value = NAN;
        else if (inf4_q) value = alu4_q == ALU_FMUL ? {sign4_q, INF} : 32'd0;
        else special = 1'b0;
      ALU_FFLOOR, ALU_FROUND:
        if (is_nan(a4_q)) value = NAN;
        else if (exponent4 == 8'd0) value = {a4_q[31], 31'b0};
        else if (exponent4 >= 8'd150) value = a4_q;
        else special = 1'b0;
      ALU_S_OF_F, ALU_TRUNC:
        if (is_nan(a4_q) || exponent4 == 8'd0) value = 32'd0;
        else if (exponent4 >= 8'd158) value = a4_q[31] ? 32'h80000000 : 32'h7fffffff;
        else if (exponent4 >= 8'd150) value = a4_q[31] ? -as_integer : as_integer;
        else special = 1'b0;
      ALU_F_OF_S, ALU_F_OF_S8: special = 1'b0;
      default: ;
    endcase
  end

  alu_e               alu5_q, alu6_q;
  logic [23:0]        large5_q, small5_q, large6_q;
  logic [5:0]         shift5_q;
  logic [7:0]         exponent5_q, exponent6_q;
  logic [31:0]        value5_q, value6_q, word5_q, word6_q;
  logic [47:0]        product5_q, product6_q;
  logic signed [11:0] exponents5_q, exponents6_q;
  logic               sign5_q, sign6_q, differ5_q, differ6_q, special5_q, special6_q;
  always_ff @(posedge clk_i) begin
    {alu5_q, special5_q, value5_q, word5_q} <= {alu4_q, special, value, word4_q};
    {large5_q, small5_q, shift5_q} <= {24'(significand(upper)), 24'(significand(lower)), shift};
    {exponent5_q, differ5_q} <= {upper[30:23], a4_q[31] ^ b4_q[31]};
    {product5_q, exponents5_q} <= {product4_q, exponents4_q};
    sign5_q <= alu4_q == ALU_FMUL || alu4_q == ALU_FMULERR ? sign4_q : upper[31];
  end

  // ---- 6: shifted, with what is lost in the last bit ---------------------------------------------------------
  logic [58:0] shifted;
  logic [26:0] small6_q;
  assign shifted = {small5_q, 35'b0} >> shift5_q;
  always_ff @(posedge clk_i) begin
    small6_q <= {shifted[58:33], shifted[32:0] != 33'd0};
    {alu6_q, special6_q, value6_q, word6_q, large6_q} <= {alu5_q, special5_q, value5_q, word5_q, large5_q};
    {exponent6_q, differ6_q, product6_q, exponents6_q, sign6_q} <=
      {exponent5_q, differ5_q, product5_q, exponents5_q, sign5_q};
  end

  // ---- 7: one magnitude ----------------------------------------------------------------------------------
  // What rounding a product leaves out. Its leading one is in bit 47 or 46.
  logic               top, up, overflow;
  logic [47:0]        aligned, left_out;
  logic [24:0]        remainder;
  logic signed [11:0] rounded_exponent;
  assign top = product6_q[47];
  assign aligned = top ? product6_q : product6_q << 1;
  assign up = aligned[23] && (aligned[22:0] != 23'd0 || aligned[24]);
  assign remainder = up ? 25'h1000000 - {1'b0, aligned[23:0]} : {1'b0, aligned[23:0]};
  assign rounded_exponent = exponents6_q - 12'sd127 + 12'(top) + 12'(up && aligned[47:24] == 24'hffffff);
  assign overflow = rounded_exponent >= 255 && product6_q != 48'd0;
  assign left_out = rounded_exponent <= 0 ? product6_q : {23'b0, top ? remainder : {1'b0, remainder[24:1]}};

  logic [27:0] sum;
  logic [23:0] integer_part;
  logic        increment, away;
  assign sum = differ6_q ? {1'b0, large6_q, 3'b0} - {1'b0, small6_q} : {1'b0, large6_q, 3'b0} + {1'b0, small6_q};
  assign away = small6_q[2] && (small6_q[1:0] != 2'd0 || small6_q[3]);
  always_comb begin
    unique case (alu6_q)
      ALU_FFLOOR: increment = sign6_q && small6_q[2:0] != 3'd0;
      ALU_TRUNC: increment = 1'b0;
      default: increment = away;
    endcase
  end
  assign integer_part = small6_q[26:3] + 24'(increment);

  round_t      chosen, value7_q;
  logic [31:0] bypass, bypass7_q;
  always_comb begin
    bypass = value6_q;
    chosen.valid = !special6_q;
    chosen.negative = sign6_q;
    chosen.exponent = 12'sd190;
    chosen.magnitude = {40'b0, integer_part};
    unique case (alu6_q)
      ALU_FADD, ALU_FSUB, ALU_FMAC: begin
        chosen.negative = sum == 28'd0 && differ6_q ? 1'b0 : sign6_q;
        chosen.exponent = 12'({4'b0, exponent6_q}) + 12'sd1;
        chosen.magnitude = {sum, 36'b0};
      end
      ALU_FMUL: begin
        chosen.exponent = exponents6_q - 12'sd126;
        chosen.magnitude = {product6_q, 16'b0};
      end
      ALU_FMULERR: begin
        chosen.negative = left_out != 48'd0 && !overflow && (sign6_q ^ (up && rounded_exponent > 0));
        chosen.exponent = exponents6_q - 12'sd110;
        chosen.magnitude = overflow ? 64'd0 : {16'b0, left_out};
      end
      ALU_F_OF_S, ALU_F_OF_S8: begin
        chosen.negative = word6_q[31];
        chosen.magnitude = {32'b0, word6_q[31] ? -word6_q : word6_q};
      end
      ALU_S_OF_F, ALU_TRUNC:
        if (!special6_q) begin
          chosen.valid = 1'b0;
          bypass = sign6_q ? -{8'b0, integer_part} : {8'b0, integer_part};
        end
      default: ;
    endcase
  end
  always_ff @(posedge clk_i) begin
    value7_q <= inject_i.valid ? inject_i : chosen;
    bypass7_q <= bypass;
  end

  // ---- 8, 9 ------------------------------------------------------------------------------------------------
  pico_round rounding (.clk_i(clk_i), .value_i(value7_q), .bypass_i(bypass7_q), .result_o(result_o));
endmodule
