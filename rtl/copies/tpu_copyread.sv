// First half of the copy engine: takes copies off the queue in program order, walks their runs and
// asks HBM for the source beats of each, ahead of the mover.
//
// One burst per cycle: a run of one burst (or of a source on the chip) takes one cycle, a longer
// one as many as it has bursts (at most TIMING_COPY_BURST_BEATS, never across 4 KiB). Each run goes
// into the queue of runs with its first burst. Reads are requested only when the buffer of read
// data has room, because beats cannot be refused.
//
// The last beat of a run stays in the mover: where the next run of the copy begins in it, that beat
// is not asked for again (`keep`), and a run that is all in it asks for nothing.
`default_nettype none

module tpu_copyread #(
  parameter int unsigned LANES = 16,
  parameter int unsigned RUN_W = 128
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  // Queue of copies
  input  logic          copy_valid_i,
  input  logic [511:0]  copy_words_i,
  input  logic [63:0]   copy_source_i,
  input  logic [63:0]   copy_destination_i,
  input  logic          copy_empty_i,
  output logic          copy_take_o,
  input  logic          moving_full_i,  // no room for one more copy being moved

  // Queue of runs
  output logic          run_push_o,
  output logic [RUN_W-1:0] run_o,
  input  logic          run_full_i,

  // Read port and buffer
  output logic          rd_valid_o,
  output logic [63:0]   rd_addr_o,
  output logic [7:0]    rd_beats_o,  // minus one
  input  logic          rd_accept_i,
  input  logic          beat_used_i, // the mover took a beat out of the buffer
  output logic          idle_o
);
  localparam int unsigned LB = $clog2(LANES);
  localparam int unsigned BB = LB + 2;                // address bits inside a beat
  localparam int unsigned PAGE_BEATS = tpu_pkg::BURST_LIMIT_BYTES / (4 * LANES);
  localparam int unsigned PB = $clog2(PAGE_BEATS);
  localparam int unsigned CW = $clog2(tpu_pkg::TIMING_READ_BEATS) + 1;

  // ---- the copy being walked --------------------------------------------------------------------
  logic         active_q, empty_q;
  tpu_pkg::memory_e source_space_q, destination_space_q;
  logic [28:0]  length_q;                             // words of a run
  logic [31:0]  count1_q, count2_q, count3_q, i1_q, i2_q, i3_q;
  logic [191:0] strides_q;  // source and destination, bytes, of dimensions 1, 2, 3
  // Where the current run starts, and the run with i1 = 0, and the one with i1 = i2 = 0.
  logic [63:0]  source1_q, source2_q, source3_q, dest1_q, dest2_q, dest3_q;

  function automatic logic [63:0] stride(input logic [191:0] strides, input logic [2:0] index);
    stride = {{32{strides[{index, 5'd31}]}}, strides[{index, 5'd0} +: 32]};
  endfunction

  // ---- bursts of the current run ----------------------------------------------------------------
  logic          first_q;                             // nothing of the run has been requested yet
  logic [63:BB]  addr_q, addr;                        // beat address of the next burst
  logic [30-LB:0] left_q, left;                       // beats to request
  logic [PB:0]   page_left;
  logic [7:0]    beats;                               // of the next burst
  logic          from_hbm, last1, last2, last3, last_burst, last_run, step;

  logic          held_q, keep, asks;
  logic [63:BB]  held_beat_q;                         // the last beat of the run before
  assign from_hbm = (source_space_q == tpu_pkg::MEMORY_HBM) && !empty_q;
  assign keep = held_q && (source1_q[63:BB] == held_beat_q);
  assign addr = first_q ? source1_q[63:BB] + (64-BB)'(keep) : addr_q;
  assign left = first_q
      ? (31-LB)'(({2'd0, length_q} + 31'(source1_q[2 +: LB]) + 31'(LANES - 1)) >> LB) - (31-LB)'(keep)
      : left_q;
  assign asks = from_hbm && (left != '0);
  assign page_left = (PB+1)'(PAGE_BEATS) - {1'b0, addr[BB +: PB]};

  always_comb begin
    beats = 8'(tpu_pkg::TIMING_COPY_BURST_BEATS);
    if (32'(page_left) < 32'(beats)) beats = 8'(page_left);
    if (32'(left) < 32'(beats)) beats = 8'(left);
  end

  assign last1 = i1_q + 32'd1 == count1_q;
  assign last2 = i2_q + 32'd1 == count2_q;
  assign last3 = i3_q + 32'd1 == count3_q;
  assign last_run = empty_q || (last1 && last2 && last3);
  assign last_burst = !from_hbm || (32'(left) == 32'(beats));

  // ---- room in the read buffer ------------------------------------------------------------------
  logic [CW-1:0] room_q;
  assign rd_valid_o = active_q && asks && !(first_q && run_full_i)
                   && (32'(beats) <= 32'(room_q));
  assign rd_addr_o = {addr, {BB{1'b0}}};
  assign rd_beats_o = beats - 8'd1;
  assign step = active_q && (asks ? rd_accept_i : !run_full_i);
  assign run_push_o = step && first_q;
  assign run_o = {keep, empty_q, last_run, destination_space_q, source_space_q, length_q,
                  dest1_q[63:2], source1_q[31:2]};
  assign idle_o = !active_q;

  // A new copy may start in the cycle in which the last burst of the previous one goes out.
  assign copy_take_o = copy_valid_i && !moving_full_i
                    && (!active_q || (step && last_burst && last_run));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      room_q <= CW'(tpu_pkg::TIMING_READ_BEATS);
    end else begin
      if (copy_take_o) active_q <= 1'b1;
      else if (step && last_burst && last_run) active_q <= 1'b0;
      room_q <= room_q - (rd_accept_i ? CW'(beats) : '0) + {{(CW-1){1'b0}}, beat_used_i};
    end

    if (copy_take_o) begin
      empty_q <= copy_empty_i;
      source_space_q <= tpu_pkg::memory_of(copy_words_i[tpu_pkg::DESC_SOURCE_SPACE_LSB +: 2]);
      destination_space_q <= tpu_pkg::memory_of(copy_words_i[tpu_pkg::DESC_DESTINATION_SPACE_LSB +: 2]);
      length_q <= copy_words_i[32*tpu_pkg::DESC_LENGTH + 2 +: 29];
      count1_q <= copy_words_i[32*tpu_pkg::DESC_INNER +: 32];
      count2_q <= copy_words_i[32*tpu_pkg::DESC_MIDDLE +: 32];
      count3_q <= copy_words_i[32*tpu_pkg::DESC_OUTER +: 32];
      strides_q <= {copy_words_i[32*tpu_pkg::DESC_OUTER_SOURCE_STRIDE +: 64],
                    copy_words_i[32*tpu_pkg::DESC_MIDDLE_SOURCE_STRIDE +: 64],
                    copy_words_i[32*tpu_pkg::DESC_INNER_SOURCE_STRIDE +: 64]};
      i1_q <= 32'd0;
      i2_q <= 32'd0;
      i3_q <= 32'd0;
      source1_q <= copy_source_i;
      source2_q <= copy_source_i;
      source3_q <= copy_source_i;
      dest1_q <= copy_destination_i;
      dest2_q <= copy_destination_i;
      dest3_q <= copy_destination_i;
      first_q <= 1'b1;
      held_q <= 1'b0;
    end else if (step && !last_burst) begin
      first_q <= 1'b0;
      addr_q <= addr + (64-BB)'(beats);
      left_q <= left - (31-LB)'(beats);
    end else if (step) begin
      first_q <= 1'b1;
      held_q <= from_hbm;
      held_beat_q <= addr + (64-BB)'(beats) - (64-BB)'(1);
      if (!last1) begin
        i1_q <= i1_q + 32'd1;
        source1_q <= source1_q + stride(strides_q, 3'd0);
        dest1_q <= dest1_q + stride(strides_q, 3'd1);
      end else if (!last2) begin
        i1_q <= 32'd0;
        i2_q <= i2_q + 32'd1;
        source1_q <= source2_q + stride(strides_q, 3'd2);
        source2_q <= source2_q + stride(strides_q, 3'd2);
        dest1_q <= dest2_q + stride(strides_q, 3'd3);
        dest2_q <= dest2_q + stride(strides_q, 3'd3);
      end else begin
        i1_q <= 32'd0;
        i2_q <= 32'd0;
        i3_q <= i3_q + 32'd1;
        source1_q <= source3_q + stride(strides_q, 3'd4);
        source2_q <= source3_q + stride(strides_q, 3'd4);
        source3_q <= source3_q + stride(strides_q, 3'd4);
        dest1_q <= dest3_q + stride(strides_q, 3'd5);
        dest2_q <= dest3_q + stride(strides_q, 3'd5);
        dest3_q <= dest3_q + stride(strides_q, 3'd5);
      end
    end
  end
endmodule

`default_nettype wire
