// Packets for this chip, from both directions: one beat per cycle to VMEM or to the write port,
// where they have priority over the movers; and the flags of arrived copies.
//
// A packet is chosen in a cycle without one, preferring the other direction than the last one, and
// picked from the next cycle on; a beat that is picked is put one cycle later. One to VMEM holds
// the mover to the chip in the cycles in which it is picked (`holds_chip_o`). One to HBM begins
// between two bursts of the writer (`between_i`) and holds the movers to HBM from then on until it
// is done (`holds_hbm_o`). So nothing here waits for a program: memory always answers.
//
// A copy whose last packet is put adds to its flag in the order of these puts, one per cycle
// (`arrive_o`): from the cycle after it on, one to HBM when its last burst was answered.
`default_nettype none

module tpu_link_receive #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned VAW = $clog2(VMEM_ROWS),
  parameter int unsigned BEAT_W = LANES * 33,
  parameter int unsigned HEAD_W = 139 - LB
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Routers: right, then left
  input  logic [1:0]          mine_i,
  input  logic [2*HEAD_W-1:0] head_i,
  input  logic [2*BEAT_W-1:0] beat_i,
  output logic [1:0]          beat_pop_o,
  output logic [1:0]          free_o,

  // Movers
  output logic                holds_chip_o,
  output logic                holds_hbm_o,

  // Where beats are put
  input  logic                room_i,     // the writer takes one more
  input  logic                between_i,  // and the next one may begin a burst
  output logic                vmem_write_o,
  output logic [VAW-1:0]      vmem_row_o,
  output logic                hbm_write_o,
  output logic [61-LB:0]      hbm_beat_o,
  output logic [30-LB:0]      hbm_left_o,
  output logic                hbm_last_o,  // of its copy
  output logic [BEAT_W-1:0]   data_o,
  input  logic                hbm_done_i,  // the last burst of a copy was answered

  // Flags
  output logic                arrive_o,
  output logic [tpu_pkg::FLAG_W-1:0] arrive_flag_o,
  output logic [15:0]         arrive_amount_o,
  output logic [7:0]          arrive_sender_o,
  output logic [31:0]         arrive_seq_o,

  output logic                idle_o
);
  localparam int unsigned DONE = tpu_pkg::TIMING_LINK_ARRIVALS;
  localparam int unsigned DONE_W = 1 + 32 + 16 + tpu_pkg::FLAG_W + 8;

  // ---- choice -----------------------------------------------------------------------------------
  logic [$clog2(DONE):0] waiting;  // copies that are put and have not added
  logic                  busy_q, way_q, done_room, other_offers, same_offers;
  logic [1:0]            offers, last_of_copy;
  assign last_of_copy = {head_i[HEAD_W], head_i[0]};
  assign done_room = 32'(waiting) + 32'd2 <= DONE;
  assign offers = mine_i & ({2{done_room}} | ~last_of_copy);
  assign other_offers = offers[!way_q];
  assign same_offers = offers[way_q];

  // ---- the current packet -----------------------------------------------------------------------
  logic [HEAD_W-1:0] head;
  logic [61-LB:0]    to_beat;
  logic [31:0]       sequence_number;
  logic [15:0]       amount;
  logic [tpu_pkg::FLAG_W-1:0] flag;
  logic [7:0]        sender, chip;
  logic              to_hbm_space, last, some, to_hbm, go, last_step;
  logic [5:0]        beats, left, step_q;
  assign head = way_q ? head_i[2*HEAD_W-1:HEAD_W] : head_i[HEAD_W-1:0];
  assign {to_beat, sequence_number, amount, flag, sender, to_hbm_space, chip, beats, last} = head;
  assign some = beats != 6'd0;
  assign left = beats - step_q;
  assign to_hbm = to_hbm_space && some;
  assign holds_hbm_o = busy_q && to_hbm && ((step_q != 6'd0) || between_i);
  assign go = busy_q && (!to_hbm || (holds_hbm_o && room_i));
  assign holds_chip_o = go && some && !to_hbm;
  assign last_step = !some || (step_q + 6'd1 == beats);
  assign beat_pop_o = {go && some && way_q, go && some && !way_q};
  assign free_o = {go && last_step && way_q, go && last_step && !way_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      way_q <= 1'b0;
      step_q <= 6'd0;
    end else begin
      if (!busy_q) begin
        busy_q <= other_offers || same_offers;
        if (other_offers) way_q <= !way_q;
      end else if (go) begin
        busy_q <= !last_step;
        step_q <= last_step ? 6'd0 : step_q + 6'd1;
      end
    end
  end

  // ---- stage 2: put -----------------------------------------------------------------------------
  logic              put_q, hbm_q, end_q;
  logic [61-LB:0]    to_beat_q;
  logic [30-LB:0]    left_q;
  logic [BEAT_W-1:0] data_q;
  logic [DONE_W-1:0] copy_q;
  always_ff @(posedge clk_i) begin
    put_q <= rst_ni && go && some;
    end_q <= rst_ni && go && last_step && last;
    if (go) begin
      hbm_q <= to_hbm;
      to_beat_q <= to_beat + (62-LB)'(step_q);
      left_q <= {{(25-LB){1'b0}}, left};
      data_q <= way_q ? beat_i[2*BEAT_W-1:BEAT_W] : beat_i[BEAT_W-1:0];
      copy_q <= {to_hbm, sequence_number, amount, flag, sender};
    end
  end
  assign vmem_write_o = put_q && !hbm_q;
  assign vmem_row_o = VAW'(to_beat_q);
  assign hbm_write_o = put_q && hbm_q;
  assign hbm_beat_o = to_beat_q;
  assign hbm_left_o = left_q;
  assign hbm_last_o = end_q;
  assign data_o = data_q;

  // ---- flags ------------------------------------------------------------------------------------
  logic [DONE_W-1:0]     done;
  logic                  done_hbm;
  logic [$clog2(DONE):0] answered_q;  // of those to HBM, starting with the oldest
  tpu_fifo #(.WIDTH(DONE_W), .DEPTH(DONE)) done_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(end_q), .data_i(copy_q), .pop_i(arrive_o),
    .head_o(done), .count_o(waiting));
  assign {done_hbm, arrive_seq_o, arrive_amount_o, arrive_flag_o, arrive_sender_o} = done;
  assign arrive_o = (waiting != '0) && (!done_hbm || (answered_q != '0));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) answered_q <= '0;
    else answered_q <= answered_q + {{$clog2(DONE){1'b0}}, hbm_done_i}
                     - {{$clog2(DONE){1'b0}}, arrive_o && done_hbm};
  end
  assign idle_o = !busy_q && (waiting == '0) && !put_q && !end_q;

  // The router has compared the chip.
  logic unused;
  assign unused = (|chip) || (|head_i);
endmodule

`default_nettype wire
