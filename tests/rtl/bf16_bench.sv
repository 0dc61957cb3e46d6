// The MXU's bf16 product of one activation with 256 consecutive weights, for tests/rtl/bf16_test.cpp.
module bf16_bench (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [15:0]     a_i,
  input  logic [7:0]      w_i,      // upper half of the weights
  output logic [256*32-1:0] product_o
);
  always_ff @(posedge clk_i)
    if (rst_ni)
      for (int unsigned i = 0; i < 256; i = i + 1)
        product_o[i*32 +: 32] <= tpu_fp_pkg::bf16_product(a_i, {w_i, i[7:0]});
endmodule
