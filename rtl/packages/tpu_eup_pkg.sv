// The transcendental functions between table and rounding: docs/numerics.md, "EUP". A function
// consists of its special cases, a place in a table, a quadratic common to all, and a scaling that
// passes sign, exponent and magnitude to tpu_fp_pkg::round_pack.
package tpu_eup_pkg;
  // Functions take whole words and use the fields that they need.
  /* verilator lint_off UNUSEDSIGNAL */

  // ---- special cases: {applies, result} ---------------------------------------------------------
  function automatic logic [32:0] exp2_special(input logic [31:0] a);
    exp2_special = {a[30:23] >= 8'd135, a[31] ? 32'd0 : tpu_fp_pkg::INFINITY};
    if (tpu_fp_pkg::is_nan(a)) exp2_special = {1'b1, tpu_fp_pkg::QNAN};
  endfunction

  function automatic logic [32:0] log2_special(input logic [31:0] a);
    log2_special = {a[31] | tpu_fp_pkg::is_inf(a), a[31] ? tpu_fp_pkg::QNAN : tpu_fp_pkg::INFINITY};
    if (tpu_fp_pkg::is_zero(a)) log2_special = {1'b1, 1'b1, tpu_fp_pkg::INFINITY[30:0]};
    if (tpu_fp_pkg::is_nan(a)) log2_special = {1'b1, tpu_fp_pkg::QNAN};
  endfunction

  function automatic logic [32:0] rcp_special(input logic [31:0] a);
    rcp_special = {tpu_fp_pkg::is_inf(a), a[31], 31'd0};
    if (tpu_fp_pkg::is_zero(a)) rcp_special = {1'b1, a[31], tpu_fp_pkg::INFINITY[30:0]};
    if (tpu_fp_pkg::is_nan(a)) rcp_special = {1'b1, tpu_fp_pkg::QNAN};
  endfunction

  function automatic logic [32:0] rsqrt_special(input logic [31:0] a);
    rsqrt_special = {a[31] | tpu_fp_pkg::is_inf(a), a[31] ? tpu_fp_pkg::QNAN : 32'd0};
    if (tpu_fp_pkg::is_zero(a)) rsqrt_special = {1'b1, a[31], tpu_fp_pkg::INFINITY[30:0]};
    if (tpu_fp_pkg::is_nan(a)) rsqrt_special = {1'b1, tpu_fp_pkg::QNAN};
  endfunction

  function automatic logic [32:0] tanh_special(input logic [31:0] a);
    tanh_special = {a[30:23] >= 8'd131, a[31], tpu_fp_pkg::ONE[30:0]};
    if (tpu_fp_pkg::is_nan(a)) tanh_special = {1'b1, tpu_fp_pkg::QNAN};
  endfunction

  // ---- fixed point ------------------------------------------------------------------------------
  // 24 bits, 0 for zeros and subnormals.
  function automatic logic [23:0] significand(input logic [31:0] a);
    significand = (a[30:23] == 8'd0) ? 24'd0 : {1'b1, a[22:0]};
  endfunction

  // |a| in units of 2^-27, rounded down, for |a| < 256.
  function automatic logic [34:0] fixed(input logic [31:0] a);
    logic [63:0] wide;
    logic [7:0] n;
    n = (a[30:23] < 8'd71) ? 8'd63 : 8'd134 - a[30:23];
    wide = {29'd0, significand(a), 11'd0} >> n[5:0];
    fixed = wide[34:0];
  endfunction

  // The same with the sign, in two's complement.
  function automatic logic [35:0] signed_fixed(input logic [31:0] a);
    signed_fixed = a[31] ? -{1'b0, fixed(a)} : {1'b0, fixed(a)};
  endfunction

  // log2: the significand folded around sqrt(2), less 1, in units of 2^-24.
  function automatic logic signed [24:0] folded(input logic [31:0] a);
    folded = a[22] ? {2'b11, a[22:0]} : {1'b0, a[22:0], 1'b0};
  endfunction

  // ---- place in a table: {segment, dx} ----------------------------------------------------------
  function automatic logic [27:0] exp2_place(input logic [31:0] a);
    logic [35:0] x;
    x = signed_fixed(a);
    exp2_place = {1'b0, x[26:0]};
  endfunction

  function automatic logic [27:0] log2_place(input logic [31:0] a);
    logic [24:0] v;
    v = folded(a) + 25'h0400000;
    log2_place = {1'b0, v[23:0], 3'd0};
  endfunction

  function automatic logic [27:0] rcp_place(input logic [31:0] a);
    rcp_place = {1'b0, a[22:0], 4'd0};
  endfunction

  function automatic logic [27:0] rsqrt_place(input logic [31:0] a);
    rsqrt_place = {!a[23], a[22:0], 4'd0};
  endfunction

  // From 1 on tanh has a separate table, with 64 segments for each power of two.
  function automatic logic is_far(input logic [31:0] a);
    is_far = a[30:23] >= 8'd127;
  endfunction

  function automatic logic [27:0] tanh_place(input logic [31:0] a);
    logic [34:0] x;
    logic [1:0] octave;
    x = fixed(a);
    octave = a[24:23] + 2'd1;  // exponent - 127
    tanh_place = is_far(a) ? {octave, a[22:0], 3'd0} : {1'b0, x[26:0]};
  endfunction

  // ---- the quadratic: c0 + c1 dx + c2 dx^2 in units of 2^-28, exact, then rounded down ----------
  function automatic logic [29:0] quadratic(
      input logic [31:0] c0, input logic [31:0] c1, input logic [31:0] c2, input logic [19:0] dx);
    logic [31:0] square;
    logic signed [44:0] linear;
    logic signed [33:0] curved;
    logic [51:0] sum;
    square = {16'd0, dx[19:4]} * {16'd0, dx[19:4]};
    linear = $signed(c1[23:0]) * $signed({1'b0, dx});
    curved = $signed(c2[16:0]) * $signed({1'b0, square[31:16]});
    sum = {2'd0, c0[29:0], 20'd0} + {{7{linear[44]}}, linear} + {{14{curved[33]}}, curved, 4'd0};
    quadratic = sum[49:20];
  endfunction

  // ---- scaling: {sign, exponent of bit 63, magnitude} for round_pack ----------------------------
  function automatic logic [76:0] exp2_scaled(input logic [31:0] a, input logic [29:0] p);
    logic [35:0] x;
    x = signed_fixed(a);
    exp2_scaled = {1'b0, {{3{x[35]}}, x[35:27]} + 12'd162, 34'd0, p};
  endfunction

  function automatic logic [76:0] log2_scaled(input logic [31:0] a, input logic [29:0] p);
    logic [9:0] k;
    logic signed [55:0] product;
    logic [63:0] s;
    k = {2'd0, a[30:23]} - 10'd127 + {9'd0, a[22]};
    product = folded(a) * $signed({1'b0, p});
    s = {{2{k[9]}}, k, 52'd0} + {{8{product[55]}}, product};
    log2_scaled = {s[63], 12'd138, s[63] ? -s : s};
  endfunction

  function automatic logic [76:0] rcp_scaled(input logic [31:0] a, input logic [29:0] p);
    rcp_scaled = {a[31], 12'd288 - {4'd0, a[30:23]}, 34'd0, p};
  endfunction

  // Half of (exponent - 127, made even): (exponent - 128) / 2 for an even exponent, (exponent -
  // 127) / 2 for an odd one, so the exponent's upper bits minus 64 or 63.
  function automatic logic [76:0] rsqrt_scaled(input logic [31:0] a, input logic [29:0] p);
    logic [11:0] half;
    half = {5'd0, a[30:24]} - 12'd64 + {11'd0, a[23]};
    rsqrt_scaled = {1'b0, 12'd161 - half, 34'd0, p};
  endfunction

  function automatic logic [76:0] tanh_scaled(input logic [31:0] a, input logic [29:0] p);
    logic [63:0] product;
    product = {40'd0, significand(a)} * {34'd0, p};
    tanh_scaled = is_far(a) ? {a[31], 12'd162, 34'd0, p}
                            : {a[31], {4'd0, a[30:23]} + 12'd12, product};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
endpackage
