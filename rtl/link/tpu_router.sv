// One direction through a chip: packets from the previous chip, some of which are for this chip
// while the others pass, and packets that this chip sends.
//
// Arrivals are kept in SLOTS places, a header and its beats each: the previous chip counts them
// (its credits), so there is always room. A passing packet takes a place at the next chip if one is
// free there, a new one if two are: so every ring of chips keeps a free place, and something always
// moves. If both may go they take turns.
//
// A packet is chosen in a cycle in which none goes out; its header is offered to the link from the
// next cycle on, then its beats as they arrive. `credit_o` is high in the cycle after a place was
// freed. The link's outputs follow from registers alone.
`default_nettype none

module tpu_router #(
  parameter int unsigned LANES = 16,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned BEAT_W = LANES * 33,
  parameter int unsigned HEAD_W = 139 - LB
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        chip_i,       // this one

  // From the previous chip
  input  logic              in_valid_i,
  input  logic              in_head_i,    // a header, in the low bits
  input  logic [BEAT_W-1:0] in_data_i,
  output logic              in_credit_o,  // a place is free again

  // To the next chip
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic              out_head_o,
  output logic [BEAT_W-1:0] out_data_o,
  input  logic              out_credit_i,

  // Packets sent by this chip
  input  logic              send_valid_i,
  input  logic [HEAD_W-1:0] send_head_i,
  output logic              send_pop_o,
  input  logic              send_beat_valid_i,
  input  logic [BEAT_W-1:0] send_beat_i,
  output logic              send_beat_pop_o,

  // Packets for this chip
  output logic              mine_o,       // the oldest packet is ours and complete
  output logic [HEAD_W-1:0] head_o,
  output logic [BEAT_W-1:0] beat_o,
  input  logic              beat_pop_i,
  input  logic              free_i,       // it has left its place

  output logic              idle_o
);
  localparam int unsigned SLOTS = tpu_pkg::TIMING_LINK_SLOTS;
  localparam int unsigned BEATS = SLOTS * tpu_pkg::TIMING_COPY_BURST_BEATS;

  // ---- places -----------------------------------------------------------------------------------
  logic [$clog2(SLOTS):0] heads;
  logic [$clog2(BEATS):0] beats;
  logic                   mine, pass_pop, pass_beat_pop;
  logic [5:0]             head_beats;
  tpu_fifo #(.WIDTH(HEAD_W), .DEPTH(SLOTS)) head_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_valid_i && in_head_i),
    .data_i(in_data_i[HEAD_W-1:0]), .pop_i(free_i || pass_pop), .head_o(head_o),
    .count_o(heads));
  tpu_fifo #(.WIDTH(BEAT_W), .DEPTH(BEATS)) beat_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_valid_i && !in_head_i), .data_i(in_data_i),
    .pop_i(beat_pop_i || pass_beat_pop), .head_o(beat_o), .count_o(beats));
  assign mine = head_o[14:7] == chip_i;
  assign head_beats = head_o[6:1];
  assign mine_o = (heads != '0) && mine && (32'(beats) >= 32'(head_beats));

  // ---- choice -----------------------------------------------------------------------------------
  logic                   busy_q, own_q, header_q, passed_q, passes, sends, sends_first;
  logic [5:0]             left_q;
  logic [$clog2(SLOTS):0] credits_q;  // places free at the next chip
  assign passes = (heads != '0) && !mine && (credits_q != '0);
  assign sends = send_valid_i && (32'(credits_q) >= 32'd2);
  assign sends_first = sends && (passed_q || !passes);

  // ---- the packet that goes out -----------------------------------------------------------------
  logic put, last;
  assign out_valid_o = busy_q && (header_q || (own_q ? send_beat_valid_i : (beats != '0)));
  assign out_head_o = header_q;
  assign out_data_o = header_q ? {{(BEAT_W-HEAD_W){1'b0}}, own_q ? send_head_i : head_o}
                               : (own_q ? send_beat_i : beat_o);
  assign put = out_valid_o && out_ready_i;
  assign last = put && (header_q ? (left_q == 6'd0) : (left_q == 6'd1));
  assign send_beat_pop_o = put && !header_q && own_q;
  assign pass_beat_pop = put && !header_q && !own_q;
  assign send_pop_o = last && own_q;
  assign pass_pop = last && !own_q;
  assign idle_o = (heads == '0) && !busy_q && !send_valid_i && !in_credit_o;

  logic starts;
  assign starts = !busy_q && (passes || sends);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      header_q <= 1'b0;
      passed_q <= 1'b0;
      in_credit_o <= 1'b0;
      credits_q <= SLOTS[$clog2(SLOTS):0];
    end else begin
      if (starts) begin
        busy_q <= 1'b1;
        header_q <= 1'b1;
        passed_q <= !sends_first;
      end else if (put) begin
        header_q <= 1'b0;
        busy_q <= !last;
      end
      in_credit_o <= free_i || pass_pop;
      credits_q <= credits_q + {{$clog2(SLOTS){1'b0}}, out_credit_i}
                 - {{$clog2(SLOTS){1'b0}}, starts};
    end
    if (starts) begin
      own_q <= sends_first;
      left_q <= sends_first ? send_head_i[6:1] : head_beats;
    end else if (put && !header_q) begin
      left_q <= left_q - 6'd1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!free_i || mine_o || mine) else $error("a packet of another chip leaves its place here");
      assert (!(free_i && pass_pop)) else $error("two packets leave one place");
      assert (!(out_credit_i && !starts && (32'(credits_q) == SLOTS)))
        else $error("a credit too many");
    end
  end
`endif
endmodule

`default_nettype wire
