// Second half of the copy engine: moves the runs, one destination beat per cycle.
//
// Two source beats, the present one and the one before it (`before`), are shifted by the distance d
// of source and destination lane, so that each word is in its destination lane: lanes from d on come
// from the present one, lanes below d from the one before. Thus every step takes at most one source
// beat and produces at most one destination beat, whatever the alignment. When the destination lane
// is below the source lane (the run "wraps"), the first step only takes a beat, unless the whole
// source of the run is in one beat.
//
// Where a run begins in the beat that the one before ended in (`keep`), that beat is here already:
// the first step takes the second beat where it would wrap, and none otherwise.
//
// Stage 1 (`pick`): a step of the run at the head of the queue, its source beat read in this cycle
// from the read buffer, VMEM or SMEM. Stage 2 (`put`), one cycle later: shift, write to VMEM
// or SMEM, or pass to the write port, which always has room (`write_room_i` looks ahead by one).
// `hold_i`: no step is picked, because of another mover or of arrivals by a link. A copy that does
// not end in HBM is complete when its last step was put: `done_o`, one cycle later.
`default_nettype none

module tpu_copymove #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned RUN_W = 128,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned VAW = $clog2(VMEM_ROWS),
  parameter int unsigned SBW = $clog2(SMEM_WORDS) - LB
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Queue of runs
  input  logic             run_valid_i,
  input  logic [RUN_W-1:0] run_i,
  output logic             run_pop_o,
  output logic             to_hbm_o,     // it goes to HBM,
  output logic             from_chip_o,  // comes from a scratchpad,
  output logic             begun_o,      // is not at its first step
  output logic             go_o,         // a step is picked in this cycle
  input  logic             hold_i,       // none may be

  // Sources
  input  logic             hbm_valid_i,
  input  logic [RW-1:0]    hbm_data_i,
  output logic             hbm_pop_o,
  output logic             vmem_read_o,
  output logic [VAW-1:0]   vmem_read_row_o,
  input  logic [RW-1:0]    vmem_read_data_i,
  output logic             smem_read_o,
  output logic [SBW-1:0]   smem_read_beat_o,
  input  logic [RW-1:0]    smem_read_data_i,

  // Destinations: beats of words, one strobe per word
  output logic             vmem_write_o,
  output logic [VAW-1:0]   vmem_write_row_o,
  output logic             smem_write_o,
  output logic [SBW-1:0]   smem_write_beat_o,
  output logic             hbm_write_o,
  output logic [61-LB:0]   hbm_write_beat_o,  // address of the beat
  output logic [30-LB:0]   hbm_write_left_o,  // beats of the run from this one on
  output logic             hbm_write_last_o,  // the last beat of its copy
  output logic [LANES-1:0] strobe_o,
  output logic [RW-1:0]    data_o,
  output logic             final_run_o,       // of the last run of its copy
  input  logic             write_room_i,

  output logic             copy_end_o,     // stage 2: the copy's last step is put in this cycle
  output logic             copy_end_hbm_o  // and its bytes go to HBM
);
  // ---- the run at the head ----------------------------------------------------------------------
  logic        run_keep, run_empty, run_last;
  tpu_pkg::memory_e to_space, from_space;
  logic [28:0] words;
  logic [61:0] to_word;
  logic [29:0] from_word;
  assign {run_keep, run_empty, run_last, to_space, from_space, words, to_word, from_word} = run_i;

  logic [LB-1:0]  from_lane, to_lane, distance;
  logic           one, below, wraps, idle_first;
  logic [30-LB:0] from_beats, to_beats, steps;
  assign from_lane = from_word[LB-1:0];
  assign to_lane = to_word[LB-1:0];
  assign distance = to_lane - from_lane;
  assign one = from_beats == (31-LB)'(1);
  assign below = to_lane < from_lane;
  assign wraps = below && !one && !run_keep;
  assign idle_first = run_keep && (one || !below);  // its first step takes nothing
  assign from_beats = (31-LB)'(({2'd0, words} + 31'(from_lane) + 31'(LANES - 1)) >> LB);
  assign to_beats = (31-LB)'(({2'd0, words} + 31'(to_lane) + 31'(LANES - 1)) >> LB);
  assign steps = to_beats + {{(30-LB){1'b0}}, wraps};

  // ---- stage 1: one step ------------------------------------------------------------------------
  logic [30-LB:0] step_q, to_index;
  logic           takes, makes, go, last_step;
  logic [LB-1:0]  first_lane, last_lane;
  assign takes = !run_empty && (idle_first ? (step_q != '0) && (step_q < from_beats)
                                           : step_q < from_beats - (31-LB)'(run_keep));
  assign makes = !run_empty && (!wraps || (step_q != '0));
  assign to_index = step_q - {{(30-LB){1'b0}}, wraps};
  assign last_step = run_empty || (step_q + 1'b1 == steps);
  assign go = run_valid_i && (!takes || (from_space != tpu_pkg::MEMORY_HBM) || hbm_valid_i)
           && ((to_space != tpu_pkg::MEMORY_HBM) || write_room_i) && !hold_i;
  assign go_o = go;
  assign to_hbm_o = to_space == tpu_pkg::MEMORY_HBM;
  assign from_chip_o = !run_empty && (from_space != tpu_pkg::MEMORY_HBM);
  assign begun_o = step_q != '0;
  assign run_pop_o = go && last_step;
  assign hbm_pop_o = go && takes && (from_space == tpu_pkg::MEMORY_HBM);
  assign vmem_read_o = go && takes && (from_space == tpu_pkg::MEMORY_VMEM);
  assign smem_read_o = go && takes && (from_space == tpu_pkg::MEMORY_SMEM);
  assign vmem_read_row_o = VAW'((from_word >> LB) + 30'(step_q));
  assign smem_read_beat_o = SBW'((from_word >> LB) + 30'(step_q));
  assign first_lane = (to_index == '0) ? to_lane : '0;
  assign last_lane = (to_index + 1'b1 == to_beats) ? LB'(words) + to_lane - 1'b1 : '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else if (go) step_q <= last_step ? '0 : step_q + 1'b1;
  end

  // ---- stage 2: shift, write -------------------------------------------------------------
  logic           put_q, makes_q, takes_q, fresh_q, end_q, end_hbm_q, final_q;
  tpu_pkg::memory_e to_space_q;
  logic [LB-1:0]  distance_q, first_lane_q, last_lane_q;
  logic [61-LB:0] to_beat_q;
  logic [30-LB:0] left_q;
  logic [RW-1:0]  source_q, before_q;

  always_ff @(posedge clk_i) begin
    put_q <= rst_ni && go;
    if (go) begin
      takes_q <= takes;
      makes_q <= makes;
      fresh_q <= one && below;
      end_q <= last_step && run_last;
      final_q <= run_last;
      end_hbm_q <= (to_space == tpu_pkg::MEMORY_HBM) && !run_empty;
      to_space_q <= to_space;
      distance_q <= distance;
      first_lane_q <= first_lane;
      last_lane_q <= last_lane;
      to_beat_q <= to_word[61:LB] + (62-LB)'(to_index);
      left_q <= to_beats - to_index;
    end
    if (hbm_pop_o) source_q <= hbm_data_i;
    else if (vmem_read_o) source_q <= vmem_read_data_i;
    else if (smem_read_o) source_q <= smem_read_data_i;
    if (put_q && takes_q) before_q <= source_q;
  end

  always_comb begin
    data_o = '0;
    strobe_o = '0;
    if (put_q) begin
      data_o = RW'({source_q, fresh_q ? source_q : before_q}
                   >> {(LB+1)'(LANES) - {1'b0, distance_q}, 5'd0});
      if (makes_q) begin
        for (int unsigned j = 0; j < LANES; j = j + 1)
          strobe_o[j] = (LB'(j) >= first_lane_q) && (LB'(j) <= last_lane_q);
      end
    end
  end

  assign vmem_write_o = put_q && makes_q && (to_space_q == tpu_pkg::MEMORY_VMEM);
  assign smem_write_o = put_q && makes_q && (to_space_q == tpu_pkg::MEMORY_SMEM);
  assign hbm_write_o = put_q && makes_q && (to_space_q == tpu_pkg::MEMORY_HBM);
  assign vmem_write_row_o = VAW'(to_beat_q);
  assign smem_write_beat_o = SBW'(to_beat_q);
  assign hbm_write_beat_o = to_beat_q;
  assign hbm_write_left_o = left_q;
  assign hbm_write_last_o = end_q;
  assign final_run_o = final_q;
  assign copy_end_o = put_q && end_q;
  assign copy_end_hbm_o = copy_end_o && end_hbm_q;
endmodule

`default_nettype wire
