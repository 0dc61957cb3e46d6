// The multiplier of pico, the only one: 32 x 32 bits unsigned from four of 16 x 16, a product each cycle, two cycles
// after its operands.
`default_nettype none

module pico_multiply (
  input  logic        clk_i,
  input  logic [31:0] x_i, y_i,
  output logic [63:0] product_o
);
  logic [31:0] low_q, high_q, cross_q, other_q;
  always_ff @(posedge clk_i) begin
    low_q <= x_i[15:0] * y_i[15:0];
    cross_q <= x_i[15:0] * y_i[31:16];
    other_q <= x_i[31:16] * y_i[15:0];
    high_q <= x_i[31:16] * y_i[31:16];
    product_o <= {high_q, low_q} + {15'd0, {1'b0, cross_q} + {1'b0, other_q}, 16'd0};
  end
endmodule
