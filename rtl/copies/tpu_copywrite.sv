// The write port of copies: cuts the beats of a run into bursts, asks for each with its first beat,
// sends the beats of granted bursts and waits for their responses.
//
// A beat passed in cycle t (`beat_i`, only while `room_o` was high in t-1 or t-2) may appear on the
// port from t + 1, and not before its burst was granted. `copy_done_o` in the cycle of the response
// to the last burst of a copy, `arrival_done_o` for a copy sent by another chip.
`default_nettype none

module tpu_copywrite #(
  parameter int unsigned LANES = 16,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned RW = LANES * 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Mover
  input  logic             beat_i,
  input  logic [61-LB:0]   beat_addr_i,
  input  logic [30-LB:0]   left_i,  // beats of the run from this one on
  input  logic             last_i,  // of its copy,
  input  logic             arrival_i,  // sent by another chip
  input  logic [LANES-1:0] strobe_i,
  input  logic [RW-1:0]    data_i,
  output logic             room_o,
  output logic             between_o,  // after this cycle's beat the next one begins a burst
  output logic             copy_done_o,
  output logic             arrival_done_o,

  // Memory
  output logic             mem_wr_valid_o,
  input  logic             mem_wr_ready_i,
  output logic [63:0]      mem_wr_addr_o,
  output logic [7:0]       mem_wr_beats_o,
  output logic             mem_wdata_valid_o,
  input  logic             mem_wdata_ready_i,
  output logic [RW-1:0]    mem_wdata_o,
  output logic [LANES*4-1:0] mem_wstrb_o,
  input  logic             mem_wrsp_valid_i
);
  localparam int unsigned BEATS = tpu_pkg::TIMING_WRITE_BEATS;
  localparam int unsigned BURSTS = tpu_pkg::TIMING_WRITE_BURSTS;
  localparam int unsigned BEATS_W = $clog2(BEATS);
  localparam int unsigned BURSTS_W = $clog2(BURSTS);
  localparam int unsigned PAGE_BEATS = tpu_pkg::BURST_LIMIT_BYTES / (4 * LANES);
  localparam int unsigned PB = $clog2(PAGE_BEATS);

  // ---- cutting: remaining beats of the current burst --------------------------------------------
  logic [7:0]  burst_left_q, burst;
  logic [PB:0] page_left;
  logic        opens, last_burst;
  assign opens = beat_i && (burst_left_q == 8'd0);
  assign page_left = (PB+1)'(PAGE_BEATS) - {1'b0, beat_addr_i[PB-1:0]};
  always_comb begin
    burst = 8'(tpu_pkg::TIMING_COPY_BURST_BEATS);
    if (32'(page_left) < 32'(burst)) burst = 8'(page_left);
    if (32'(left_i) < 32'(burst)) burst = 8'(left_i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) burst_left_q <= 8'd0;
    else if (opens) burst_left_q <= burst - 8'd1;
    else if (beat_i) burst_left_q <= burst_left_q - 8'd1;
  end

  // ---- requests waiting, beats waiting, bursts unanswered ---------------------------------------
  // A request carries whether its burst is the copy's last one. Only the last beat knows, so the
  // mark is kept separately: one entry per burst, pushed with the burst's last beat.
  logic [BURSTS_W:0] requests, marks;
  logic [69-LB:0]    request;
  logic              grant, mark, arrival;
  tpu_fifo #(.WIDTH(70-LB), .DEPTH(BURSTS)) request_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(opens), .data_i({burst - 8'd1, beat_addr_i}),
    .pop_i(grant), .head_o(request), .count_o(requests));
  assign last_burst = beat_i && ((opens && (burst == 8'd1)) || (burst_left_q == 8'd1));
  tpu_fifo #(.WIDTH(2), .DEPTH(BURSTS)) mark_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(last_burst), .data_i({arrival_i, last_i}),
    .pop_i(mem_wrsp_valid_i), .head_o({arrival, mark}), .count_o(marks));
  assign copy_done_o = mem_wrsp_valid_i && mark && !arrival;
  assign arrival_done_o = mem_wrsp_valid_i && mark && arrival;
  assign between_o = last_burst || (!beat_i && (burst_left_q == 8'd0));

  assign mem_wr_valid_o = requests != '0;
  assign grant = mem_wr_valid_o && mem_wr_ready_i;
  assign mem_wr_addr_o = {request[61-LB:0], {(LB+2){1'b0}}};
  assign mem_wr_beats_o = request[69-LB -: 8];

  logic [BEATS_W:0]  beats;
  logic [LANES-1:0]  strobe;
  logic              send;
  tpu_fifo #(.WIDTH(LANES + RW), .DEPTH(BEATS)) beat_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(beat_i), .data_i({strobe_i, data_i}),
    .pop_i(send), .head_o({strobe, mem_wdata_o}), .count_o(beats));

  // Beats of granted bursts that are still to be sent; no more than are granted and unanswered.
  logic [15:0] granted_q;
  assign mem_wdata_valid_o = (beats != '0) && (granted_q != 16'd0);
  assign send = mem_wdata_valid_o && mem_wdata_ready_i;
  always_comb
    for (int unsigned j = 0; j < LANES; j = j + 1) mem_wstrb_o[j*4 +: 4] = {4{strobe[j]}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) granted_q <= 16'd0;
    else granted_q <= granted_q + (grant ? {8'd0, mem_wr_beats_o} + 16'd1 : 16'd0)
                    - {15'd0, send};
  end

  // A burst occupies its request and its mark entry one after the other; bound the sum.
  logic [BURSTS_W:0] open_q;  // bursts begun and not answered
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= open_q + {{BURSTS_W{1'b0}}, opens} - {{BURSTS_W{1'b0}}, mem_wrsp_valid_i};
  end
  assign room_o = (32'(beats) + 32'd2 <= BEATS) && (32'(open_q) + 32'd2 <= BURSTS);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!mem_wrsp_valid_i || (marks != '0)) else $error("response without a burst");
      assert (!mem_wr_valid_o
              || ({20'd0, mem_wr_addr_o[11:0]} + (32'(mem_wr_beats_o) + 32'd1) * 4 * LANES <= 4096))
        else $error("write burst crosses 4 KiB");
    end
  end
`endif
endmodule

`default_nettype wire
