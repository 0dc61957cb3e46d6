// A queue: the head is visible without a request. Pushing while full or popping while empty is an
// error of the user. An entry pushed in cycle t is at the head in t + 1 at the earliest.
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
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [PW-1:0]    head_q, tail_q;

  assign head_o = mem_q[head_q];

  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[tail_q] <= data_i;
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_o <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
      count_o <= count_o + {{PW{1'b0}}, push_i} - {{PW{1'b0}}, pop_i};
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!push_i || (count_o != DEPTH[PW:0])) else $error("push into a full queue");
      assert (!pop_i || (count_o != '0)) else $error("pop from an empty queue");
    end
  end
`endif
endmodule

`default_nettype wire
