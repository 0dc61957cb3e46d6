// fp32, bf16 and s8 arithmetic as branch-free functions: docs/numerics.md in gates.
//
// Rules everywhere: to nearest even, subnormal inputs read as zero of their sign, subnormal results
// become zero of their sign, every NaN result is QNAN. "if" appears only as a choice of values, so
// that a simulator can turn a loop over lanes into vector instructions.
package tpu_fp_pkg;
  // Functions take whole words and use the fields that they need.
  /* verilator lint_off UNUSEDSIGNAL */

  localparam logic [31:0] QNAN = 32'h7fc00000;
  localparam logic [31:0] INFINITY = 32'h7f800000;
  localparam logic [31:0] ONE = 32'h3f800000;
  localparam logic [15:0] QNAN_BF16 = 16'h7fc0;

  function automatic logic is_nan(input logic [31:0] a);
    is_nan = a[30:0] > 31'h7f800000;
  endfunction

  function automatic logic is_inf(input logic [31:0] a);
    is_inf = a[30:0] == 31'h7f800000;
  endfunction

  // Zeros and subnormals: both read as zero.
  function automatic logic is_zero(input logic [31:0] a);
    is_zero = a[30:23] == 8'd0;
  endfunction

  // The operand of larger magnitude decides sign and exponent; three bits below the fraction
  // (guard, round, sticky) make the one rounding exact. Subtract by flipping the sign of b.
  function automatic logic [31:0] add(input logic [31:0] a, input logic [31:0] b);
    logic swap, differ, sticky, up;
    logic [31:0] x, y, mx, my, ys, s, r, ex, d, e, res;
    swap = a[30:0] < b[30:0];
    x = swap ? b : a;
    y = swap ? a : b;
    ex = {24'd0, x[30:23]};
    differ = x[31] ^ y[31];
    mx = (x[30:23] != 8'd0) ? {6'b000001, x[22:0], 3'd0} : 32'd0;
    my = (y[30:23] != 8'd0) ? {6'b000001, y[22:0], 3'd0} : 32'd0;
    d = ex - {24'd0, y[30:23]};
    d = (d > 32'd27) ? 32'd27 : d;
    ys = my >> d[4:0];
    sticky = (ys << d[4:0]) != my;
    ys = ys | {31'd0, sticky};
    s = differ ? mx - ys : mx + ys;
    // Leading one to bit 27, where a carry out of the addition puts it.
    e = ex + 32'd1;
    r = s;
    if (r[27:12] == 16'd0) begin r = r << 16; e = e - 32'd16; end
    if (r[27:20] == 8'd0) begin r = r << 8; e = e - 32'd8; end
    if (r[27:24] == 4'd0) begin r = r << 4; e = e - 32'd4; end
    if (r[27:26] == 2'd0) begin r = r << 2; e = e - 32'd2; end
    if (r[27] == 1'd0) begin r = r << 1; e = e - 32'd1; end
    up = r[3] & (r[4] | (r[2:0] != 3'd0));
    res = {1'b0, e[7:0], r[26:4]} + {31'd0, up};  // a carry propagates into the exponent
    // A sum too small for fp32 is exact (both operands are multiples of 2^-149), so that the
    // exponent before rounding decides the flush.
    if ($signed(e) <= 0) res = 32'd0;
    if ($signed(e) >= 255 || ex == 32'd255) res = INFINITY;
    res[31] = x[31];
    if (s == 32'd0) res = {x[31] & y[31], 31'd0};
    if (x[30:0] > 31'h7f800000 || (y[30:0] == 31'h7f800000 && differ)) res = QNAN;
    add = res;
  endfunction

  function automatic logic [31:0] mul(input logic [31:0] a, input logic [31:0] b);
    logic up, either_zero, either_inf;
    logic [47:0] p;
    logic [24:0] m;
    logic [31:0] e, res;
    p = {24'd0, 1'b1, a[22:0]} * {24'd0, 1'b1, b[22:0]};
    e = {24'd0, a[30:23]} + {24'd0, b[30:23]} - 32'd127 + {31'd0, p[47]};
    p = p[47] ? p : p << 1;
    up = p[23] & (p[24] | (p[22:0] != 23'd0));
    m = {1'b0, p[47:24]} + {24'd0, up};
    e = e + {31'd0, m[24]};
    res = {1'b0, e[7:0], m[22:0]};
    either_zero = (a[30:23] == 8'd0) | (b[30:23] == 8'd0);
    either_inf = (a[30:0] == 31'h7f800000) | (b[30:0] == 31'h7f800000);
    if ($signed(e) <= 0 || either_zero) res = 32'd0;
    if ($signed(e) >= 255 || either_inf) res = INFINITY;
    res[31] = a[31] ^ b[31];
    if (a[30:0] > 31'h7f800000 || b[30:0] > 31'h7f800000 || (either_inf & either_zero)) res = QNAN;
    mul = res;
  endfunction

  // The rounding error of mul: the low half of the product, or (rounded up) the amount that was
  // added to it, negative. At most half a unit of the rounded product, so it fits exactly.
  function automatic logic [31:0] mul_error(input logic [31:0] a, input logic [31:0] b);
    logic up, either_zero, either_inf;
    logic [47:0] p;
    logic [24:0] m;
    logic [23:0] r;
    logic [31:0] e, t, res;
    p = {24'd0, 1'b1, a[22:0]} * {24'd0, 1'b1, b[22:0]};
    e = {24'd0, a[30:23]} + {24'd0, b[30:23]} - 32'd127 + {31'd0, p[47]};  // of bit 47 below
    p = p[47] ? p : p << 1;
    up = p[23] & (p[24] | (p[22:0] != 23'd0));
    m = {1'b0, p[47:24]} + {24'd0, up};
    t = e + {31'd0, m[24]};  // exponent of the rounded product
    r = up ? -p[23:0] : p[23:0];
    e = e - 32'd24;  // of bit 23
    if (r[23:8] == 16'd0) begin r = r << 16; e = e - 32'd16; end
    if (r[23:16] == 8'd0) begin r = r << 8; e = e - 32'd8; end
    if (r[23:20] == 4'd0) begin r = r << 4; e = e - 32'd4; end
    if (r[23:22] == 2'd0) begin r = r << 2; e = e - 32'd2; end
    if (r[23] == 1'd0) begin r = r << 1; e = e - 32'd1; end
    either_zero = (a[30:23] == 8'd0) | (b[30:23] == 8'd0);
    either_inf = (a[30:0] == 31'h7f800000) | (b[30:0] == 31'h7f800000);
    res = {a[31] ^ b[31] ^ up, e[7:0], r[22:0]};
    if ($signed(e) <= 0) res = {res[31], 31'd0};
    // A flushed product is lost completely, and its error is too small as well.
    if ($signed(t) <= 0) res = {a[31] ^ b[31], 31'd0};
    if (p[23:0] == 24'd0 && $signed(t) > 0) res = 32'd0;
    if ($signed(t) >= 255 || either_inf || either_zero) res = 32'd0;
    if (a[30:0] > 31'h7f800000 || b[30:0] > 31'h7f800000 || (either_inf & either_zero)) res = QNAN;
    mul_error = res;
  endfunction

  // The MXU's product: 8 x 8 bit significands fit in fp32, so nothing is ever rounded.
  function automatic logic [31:0] bf16_product(input logic [15:0] a, input logic [15:0] b);
    logic either_zero, either_inf;
    logic [15:0] p;
    logic [31:0] e, res;
    p = {8'd0, 1'b1, a[6:0]} * {8'd0, 1'b1, b[6:0]};
    e = {24'd0, a[14:7]} + {24'd0, b[14:7]} - 32'd127 + {31'd0, p[15]};
    res = {1'b0, e[7:0], p[15] ? {p[14:0], 8'd0} : {p[13:0], 9'd0}};
    either_zero = (a[14:7] == 8'd0) | (b[14:7] == 8'd0);
    either_inf = (a[14:0] == 15'h7f80) | (b[14:0] == 15'h7f80);
    if ($signed(e) <= 0 || either_zero) res = 32'd0;
    if ($signed(e) >= 255 || either_inf) res = INFINITY;
    res[31] = a[15] ^ b[15];
    if (a[14:0] > 15'h7f80 || b[14:0] > 15'h7f80 || (either_inf & either_zero)) res = QNAN;
    bf16_product = res;
  endfunction

  // A signed number that orders every value except NaN, -0 just below +0.
  function automatic logic [31:0] key(input logic [31:0] a);
    logic [30:0] m;
    m = (a[30:23] == 8'd0) ? 31'd0 : a[30:0];
    key = {a[31], m ^ {31{a[31]}}};
  endfunction

  function automatic logic [31:0] unkey(input logic [31:0] k);
    unkey = {k[31], k[30:0] ^ {31{k[31]}}};
  endfunction

  function automatic logic [31:0] minimum(input logic [31:0] a, input logic [31:0] b);
    logic [31:0] ka, kb;
    ka = key(a);
    kb = key(b);
    minimum = unkey(($signed(kb) < $signed(ka)) ? kb : ka);
    if (is_nan(a) || is_nan(b)) minimum = QNAN;
  endfunction

  function automatic logic [31:0] maximum(input logic [31:0] a, input logic [31:0] b);
    logic [31:0] ka, kb;
    ka = key(a);
    kb = key(b);
    maximum = unkey(($signed(kb) > $signed(ka)) ? kb : ka);
    if (is_nan(a) || is_nan(b)) maximum = QNAN;
  endfunction

  function automatic logic equal(input logic [31:0] a, input logic [31:0] b);
    logic both_zero;
    both_zero = is_zero(a) & is_zero(b);
    equal = (both_zero | (a == b)) & !is_nan(a) & !is_nan(b);
  endfunction

  function automatic logic less(input logic [31:0] a, input logic [31:0] b);
    logic both_zero;
    both_zero = is_zero(a) & is_zero(b);
    less = ($signed(key(a)) < $signed(key(b))) & !both_zero & !is_nan(a) & !is_nan(b);
  endfunction

  // Fraction bits of a number with this biased exponent, at most 25: beyond that it is below a
  // quarter, where 25 bits already distinguish it from a half.
  function automatic logic [4:0] fraction_bits(input logic [7:0] exponent);
    logic [7:0] n;
    n = 8'd150 - exponent;
    fraction_bits = (exponent < 8'd125) ? 5'd25 : (exponent > 8'd150) ? 5'd0 : n[4:0];
  endfunction

  // To a whole number, as fp32: towards minus infinity, or (nearest) to the nearest even one.
  function automatic logic [31:0] round_whole(input logic [31:0] a, input logic nearest);
    logic half, sticky, odd, up;
    logic [4:0] n;
    logic [31:0] m, h, unit, res;
    m = {7'd0, 1'b1, a[22:0], 1'b0};
    n = fraction_bits(a[30:23]);
    h = m >> n;
    half = h[0];
    odd = h[1];
    sticky = (h << n) != m;
    up = nearest ? half & (odd | sticky) : a[31] & (half | sticky);
    unit = 32'd1 << n;
    // From 1 on, the fraction bits are cleared in place; a carry propagates into the exponent.
    res = {1'b0, a[30:0] & ~(unit[30:0] - 31'd1)} + (up ? unit : 32'd0);
    if (a[30:23] < 8'd127) res = up ? ONE : 32'd0;
    if (a[30:23] == 8'd0) res = 32'd0;
    if (a[30:23] >= 8'd150) res = {1'b0, a[30:0]};
    res[31] = a[31];
    if (a[30:0] > 31'h7f800000) res = QNAN;
    round_whole = res;
  endfunction

  // fp32 to s32, to nearest even or towards zero, saturating, NaN to 0.
  function automatic logic [31:0] to_s32(input logic [31:0] a, input logic nearest);
    logic sticky, up;
    logic [4:0] n;
    logic [31:0] m, h, w, res;
    m = {7'd0, 1'b1, a[22:0], 1'b0};
    n = fraction_bits(a[30:23]);
    h = m >> n;
    sticky = (h << n) != m;
    up = nearest & h[0] & (h[1] | sticky);
    w = {1'b0, h[31:1]} + {31'd0, up};
    if (a[30:23] >= 8'd150) w = {8'd0, 1'b1, a[22:0]} << (a[25:23] - 3'd6);  // 150 is 6 mod 8
    res = a[31] ? -w : w;
    if (a[30:23] >= 8'd158) res = a[31] ? 32'h80000000 : 32'h7fffffff;
    if (a[30:23] == 8'd0 || a[30:0] > 31'h7f800000) res = 32'd0;
    to_s32 = res;
  endfunction

  function automatic logic [31:0] from_s32(input logic [31:0] a);
    logic up;
    logic [31:0] r, e, res;
    r = a[31] ? -a : a;
    e = 32'd158;
    if (r[31:16] == 16'd0) begin r = r << 16; e = e - 32'd16; end
    if (r[31:24] == 8'd0) begin r = r << 8; e = e - 32'd8; end
    if (r[31:28] == 4'd0) begin r = r << 4; e = e - 32'd4; end
    if (r[31:30] == 2'd0) begin r = r << 2; e = e - 32'd2; end
    if (r[31] == 1'd0) begin r = r << 1; e = e - 32'd1; end
    up = r[7] & (r[8] | (r[6:0] != 7'd0));
    res = {a[31], e[7:0], r[30:8]} + {31'd0, up};
    if (a == 32'd0) res = 32'd0;
    from_s32 = res;
  endfunction

  // Subnormals flush before the rounding; past the largest bf16 it rounds to infinity.
  function automatic logic [15:0] to_bf16(input logic [31:0] a);
    logic [31:0] sum;
    sum = a + 32'h00007fff + {31'd0, a[16]};
    if (a[30:23] == 8'd0) sum = {a[31], 31'd0};
    if (a[30:0] > 31'h7f800000) sum = {QNAN_BF16, 16'd0};
    to_bf16 = sum[31:16];
  endfunction

  // A signed word clamped to -128..127.
  function automatic logic [7:0] to_s8(input logic [31:0] a);
    logic fits;
    fits = (a[31:7] == 25'd0) | (a[31:7] == 25'h1ffffff);
    to_s8 = fits ? a[7:0] : {a[31], {7{!a[31]}}};
  endfunction

  // The byte of a word, in its low 8 bits.
  function automatic logic [7:0] byte_of(input logic [31:0] a, input logic [1:0] index);
    logic [31:0] shifted;
    shifted = a >> {index, 3'd0};
    byte_of = shifted[7:0];
  endfunction

  function automatic logic [31:0] extract_s8(input logic [31:0] a, input logic [1:0] index);
    logic [7:0] b;
    b = byte_of(a, index);
    extract_s8 = {{24{b[7]}}, b};
  endfunction

  function automatic logic [31:0] insert_byte(
      input logic [31:0] a, input logic [1:0] index, input logic [7:0] value);
    insert_byte = (a & ~(32'hff << {index, 3'd0})) | ({24'd0, value} << {index, 3'd0});
  endfunction

  // A sign and a 64-bit magnitude to fp32; e is the biased exponent that a leading one in bit 63
  // has, 12 bits two's complement.
  function automatic logic [31:0] round_pack(
      input logic s, input logic [11:0] e_top, input logic [63:0] m);
    logic up;
    logic [63:0] n;
    logic [11:0] e;
    logic [24:0] r;
    logic [31:0] res;
    n = m;
    e = e_top;
    if (n[63:32] == 32'd0) begin n = n << 32; e = e - 12'd32; end
    if (n[63:48] == 16'd0) begin n = n << 16; e = e - 12'd16; end
    if (n[63:56] == 8'd0) begin n = n << 8; e = e - 12'd8; end
    if (n[63:60] == 4'd0) begin n = n << 4; e = e - 12'd4; end
    if (n[63:62] == 2'd0) begin n = n << 2; e = e - 12'd2; end
    if (n[63] == 1'd0) begin n = n << 1; e = e - 12'd1; end
    up = n[39] & (n[40] | (n[38:0] != 39'd0));
    r = {1'b0, n[63:40]} + {24'd0, up};
    e = e + {11'd0, r[24]};
    res = {s, e[7:0], r[22:0]};
    if ($signed(e) <= 12'sd0 || m == 64'd0) res = {s, 31'd0};
    if ($signed(e) >= 12'sd255 && m != 64'd0) res = {s, INFINITY[30:0]};
    round_pack = res;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
endpackage
