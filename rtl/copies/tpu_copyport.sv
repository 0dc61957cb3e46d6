// The readers of copies at the read port: the one to the chip and one for each link direction. Of
// those that ask in a cycle, the first in this order after the last accepted one goes; beats come
// back in the order of acceptance.
`default_nettype none

module tpu_copyport (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Readers: chip, right, left
  input  logic [2:0]   valid_i,
  input  logic [191:0] addr_i,
  input  logic [23:0]  beats_i,   // minus one
  output logic [2:0]   accept_o,
  output logic [2:0]   rsp_valid_o,

  // Read port
  output logic         rd_valid_o,
  output logic [63:0]  rd_addr_o,
  output logic [7:0]   rd_beats_o,
  input  logic         rd_accept_i,
  input  logic         rsp_valid_i
);
  localparam int unsigned BURSTS = tpu_pkg::TIMING_READ_BURSTS;

  logic [1:0] asked_q, asks;  // last accepted; asking now
  always_comb begin
    asks = 2'd0;
    case (asked_q)
      2'd0: asks = valid_i[1] ? 2'd1 : (valid_i[2] ? 2'd2 : 2'd0);
      2'd1: asks = valid_i[2] ? 2'd2 : (valid_i[0] ? 2'd0 : 2'd1);
      default: asks = valid_i[0] ? 2'd0 : (valid_i[1] ? 2'd1 : 2'd2);
    endcase
  end
  assign rd_valid_o = valid_i != 3'd0;
  assign rd_addr_o = addr_i[{asks, 6'd0} +: 64];
  assign rd_beats_o = beats_i[{asks, 3'd0} +: 8];
  assign accept_o = {rd_accept_i && (asks == 2'd2), rd_accept_i && (asks == 2'd1),
                     rd_accept_i && (asks == 2'd0)};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 2'd0;
    else if (rd_accept_i) asked_q <= asks;
  end

  // ---- owners of beats --------------------------------------------------------------------------
  logic [9:0]              oldest;
  logic [7:0]              came_q;  // beats of it
  logic                    last;
  logic [$clog2(BURSTS):0] bursts;
  tpu_fifo #(.WIDTH(10), .DEPTH(BURSTS)) order_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(rd_accept_i), .data_i({asks, rd_beats_o}),
    .pop_i(rsp_valid_i && last), .head_o(oldest), .count_o(bursts));
  assign last = came_q == oldest[7:0];
  assign rsp_valid_o = {rsp_valid_i && (oldest[9:8] == 2'd2), rsp_valid_i && (oldest[9:8] == 2'd1),
                        rsp_valid_i && (oldest[9:8] == 2'd0)};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) came_q <= 8'd0;
    else if (rsp_valid_i) came_q <= last ? 8'd0 : came_q + 8'd1;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!rsp_valid_i || (bursts != '0)) else $error("a beat that nobody asked for");
  end
`endif
endmodule

`default_nettype wire
