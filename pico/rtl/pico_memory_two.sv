// As pico_memory, with two ports for reading: two block RAMs with the same words.
`default_nettype none

module pico_memory_two #(
  parameter int unsigned WORDS = 512,
  localparam int unsigned ADDRESS = $clog2(WORDS)
) (
  input  logic               clk_i,
  input  logic [ADDRESS-1:0] x_i, y_i,
  output logic [31:0]        x_o, y_o,
  input  logic               we_i,
  input  logic [ADDRESS-1:0] write_i,
  input  logic [31:0]        word_i
);
  logic [31:0] words_q [WORDS];
  always_ff @(posedge clk_i) begin
    if (we_i) words_q[write_i] <= word_i;
    x_o <= words_q[x_i];
    y_o <= words_q[y_i];
  end
endmodule
