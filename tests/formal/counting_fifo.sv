// A queue that keeps count but no contents: its head is arbitrary. What is proved of a module with
// such queues holds with tpu_fifo, whose count is proved to be this one; and pushing while full and
// popping while empty are mistakes here.
`default_nettype none

module tpu_fifo #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 8,
  parameter int unsigned PW = $clog2(DEPTH)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [WIDTH-1:0] data_i,
  input  logic             pop_i,
  output logic [WIDTH-1:0] head_o,
  output logic [PW:0]      count_o
);
  (* anyseq *) logic [WIDTH-1:0] f_head;
  assign head_o = f_head;

  logic f_begun_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_begun_q <= 1'b1;
    if (!rst_ni) count_o <= '0;
    else count_o <= count_o + {{PW{1'b0}}, push_i} - {{PW{1'b0}}, pop_i};
  end

  always_comb
    if (f_begun_q && rst_ni) begin
      assert (count_o <= DEPTH);
      assert (!push_i || (count_o != DEPTH));
      assert (!pop_i || (count_o != 0));
    end
endmodule

`default_nettype wire
