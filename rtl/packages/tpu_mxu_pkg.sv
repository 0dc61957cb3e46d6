// Conversion of a 32-bit element to a weight or an activation in the matrix unit.
package tpu_mxu_pkg;

  // The 16 bits of the part: bf16 (fp32 rounded, or a half unchanged), or a byte sign-extended.
  function automatic logic [15:0] operand(input logic [31:0] x, input tpu_pkg::part_e part);
    logic [7:0] b;
    logic [15:0] half;
    b = tpu_fp_pkg::byte_of(x, part[1:0]);
    half = (part == tpu_pkg::PART_HI) ? x[31:16] : x[15:0];
    operand = (part == tpu_pkg::PART_F32) ? tpu_fp_pkg::to_bf16(x) : half;
    if (part[2]) operand = {{8{b[7]}}, b};
  endfunction

  // The signed product of the low bytes, which is how s8 multiplies read both sides.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [31:0] s8_product(input logic [15:0] a, input logic [15:0] w);
  /* verilator lint_on UNUSEDSIGNAL */
    s8_product = {{24{a[7]}}, a[7:0]} * {{24{w[7]}}, w[7:0]};
  endfunction
endpackage
