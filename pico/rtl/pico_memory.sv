// A memory of words with a synchronous port for reading and one for writing: block RAM.
`default_nettype none

module pico_memory #(
  parameter int unsigned WORDS = 512,
  localparam int unsigned ADDRESS = $clog2(WORDS)
) (
  input  logic               clk_i,
  input  logic [ADDRESS-1:0] read_i,
  output logic [31:0]        word_o,  // of the cycle before; the old one if it was written in that cycle
  input  logic               we_i,
  input  logic [ADDRESS-1:0] write_i,
  input  logic [31:0]        word_i
);
  logic [31:0] words_q [WORDS];
  always_ff @(posedge clk_i) begin
    if (we_i) words_q[write_i] <= word_i;
    word_o <= words_q[read_i];
  end
endmodule
