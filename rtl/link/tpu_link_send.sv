// Packets of one direction that this chip creates: cuts the beats that a mover puts into bursts,
// like the writer, with a header for each, and keeps them for the router.
//
// A step of the mover (`beat_i`, `end_i`) may come only if `room_o` was high in one of the two
// previous cycles. A header is available from the cycle after the first beat of its packet on, and
// each beat from the cycle after it was put. The router takes a packet's beats, and with the last
// one the header.
`default_nettype none

module tpu_link_send #(
  parameter int unsigned LANES = 16,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned BEAT_W = LANES * 33,  // data and one strobe per word
  parameter int unsigned HEAD_W = 139 - LB
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Mover
  input  logic              beat_i,
  input  logic [61-LB:0]    beat_addr_i,
  input  logic [30-LB:0]    left_i,    // beats of the run from this one on
  input  logic              final_i,   // the run is the last of its copy
  input  logic              empty_i,   // end of a copy that moves nothing
  input  logic [BEAT_W-1:0] data_i,
  input  logic [69:0]       copy_i,    // of the header: sequence, amount, flag, sender, chip, HBM
  output logic              room_o,

  // Router
  output logic              head_valid_o,
  output logic [HEAD_W-1:0] head_o,
  input  logic              head_pop_i,
  output logic              beat_valid_o,
  output logic [BEAT_W-1:0] beat_o,
  input  logic              beat_pop_i
);
  localparam int unsigned BEATS = tpu_pkg::TIMING_LINK_SEND_BEATS;
  localparam int unsigned HEADS = tpu_pkg::TIMING_LINK_SEND_PACKETS;
  localparam int unsigned PAGE_BEATS = tpu_pkg::BURST_LIMIT_BYTES / (4 * LANES);
  localparam int unsigned PB = $clog2(PAGE_BEATS);

  logic [5:0]  burst_left_q, burst;  // remaining beats of the packet being cut
  logic [PB:0] page_left;
  logic        opens, last;
  assign opens = beat_i && (burst_left_q == 6'd0);
  assign page_left = (PB+1)'(PAGE_BEATS) - {1'b0, beat_addr_i[PB-1:0]};
  always_comb begin
    burst = 6'(tpu_pkg::TIMING_COPY_BURST_BEATS);
    if (32'(page_left) < 32'(burst)) burst = 6'(page_left);
    if (32'(left_i) < 32'(burst)) burst = 6'(left_i);
  end
  assign last = empty_i || (final_i && (32'(left_i) == 32'(burst)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) burst_left_q <= 6'd0;
    else if (opens) burst_left_q <= burst - 6'd1;
    else if (beat_i) burst_left_q <= burst_left_q - 6'd1;
  end

  logic [$clog2(HEADS):0] heads;
  logic [$clog2(BEATS):0] beats;
  tpu_fifo #(.WIDTH(HEAD_W), .DEPTH(HEADS)) head_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(opens || empty_i),
    .data_i({empty_i ? {(62-LB){1'b0}} : beat_addr_i, copy_i, empty_i ? 6'd0 : burst, last}),
    .pop_i(head_pop_i), .head_o(head_o), .count_o(heads));
  tpu_fifo #(.WIDTH(BEAT_W), .DEPTH(BEATS)) beat_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(beat_i), .data_i(data_i), .pop_i(beat_pop_i),
    .head_o(beat_o), .count_o(beats));
  assign head_valid_o = heads != '0;
  assign beat_valid_o = beats != '0;
  assign room_o = (32'(beats) + 32'd2 <= BEATS) && (32'(heads) + 32'd2 <= HEADS);
endmodule

`default_nettype wire
