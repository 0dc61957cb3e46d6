// Copies to other chips, one direction round the ring: a reader and a mover as for copies within
// the chip, the packetizer for their beats, and the router of that direction.
//
// To the mover a link is the write port: whatever the destination space of a copy there, its runs
// are marked as going to HBM. A copy whose last step was put is at `ended_o` from the next cycle
// on, until it is popped.
`default_nettype none

module tpu_link_way #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned VAW = $clog2(VMEM_ROWS),
  parameter int unsigned SBW = $clog2(SMEM_WORDS) - LB,
  parameter int unsigned BEAT_W = LANES * 33,
  parameter int unsigned HEAD_W = 139 - LB,
  parameter int unsigned TAG_W = 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        chip_i,

  // Queue of copies
  input  logic              copy_valid_i,
  input  logic [511:0]      copy_words_i,
  input  logic [63:0]       copy_source_i,
  input  logic [63:0]       copy_destination_i,
  input  logic              copy_empty_i,
  input  logic [TAG_W-1:0]  copy_tag_i,
  input  logic [31:0]       copy_seq_i,
  output logic              copy_take_o,

  // Completion
  output logic              ended_valid_o,
  output logic [TAG_W-1:0]  ended_tag_o,
  input  logic              ended_pop_i,

  // Read port
  output logic              rd_valid_o,
  output logic [63:0]       rd_addr_o,
  output logic [7:0]        rd_beats_o,
  input  logic              rd_accept_i,
  input  logic              rsp_valid_i,
  input  logic [RW-1:0]     rsp_data_i,

  // Scratchpads
  input  logic              port_taken_i,  // another mover reads one in this cycle
  output logic              port_taken_o,  // this one does
  output logic              vmem_read_o,
  output logic [VAW-1:0]    vmem_read_row_o,
  input  logic [RW-1:0]     vmem_read_data_i,
  output logic              smem_read_o,
  output logic [SBW-1:0]    smem_read_beat_o,
  input  logic [RW-1:0]     smem_read_data_i,

  // Links
  input  logic              in_valid_i,
  input  logic              in_head_i,
  input  logic [BEAT_W-1:0] in_data_i,
  output logic              in_credit_o,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic              out_head_o,
  output logic [BEAT_W-1:0] out_data_o,
  input  logic              out_credit_i,

  // Packets for this chip
  output logic              mine_o,
  output logic [HEAD_W-1:0] head_o,
  output logic [BEAT_W-1:0] beat_o,
  input  logic              beat_pop_i,
  input  logic              free_i,

  output logic              idle_o
);
  localparam int unsigned MOVING = tpu_pkg::TIMING_COPY_MOVING;
  localparam int unsigned RUNS = tpu_pkg::TIMING_COPY_RUNS;
  localparam int unsigned READS = tpu_pkg::TIMING_READ_BEATS;
  localparam int unsigned RUN_W = 128;
  localparam int unsigned SPACE = 29 + 62 + 30 + 2;  // of a run: its destination space

  // ---- reader -----------------------------------------------------------------------------------
  logic [RUN_W-1:0]        run_new, run_out, run;
  logic [$clog2(MOVING):0] moving, ended;
  logic [$clog2(RUNS):0]   runs;
  logic [$clog2(READS):0]  reads;
  logic [TAG_W-1:0]        tag;
  logic [69:0]             copy_head, head;
  logic                    run_push, run_pop, read_pop, put_end, reader_idle;
  logic [RW-1:0]           read_data;
  assign copy_head = {copy_seq_i,
                      copy_words_i[tpu_pkg::DESC_AMOUNT_THERE_LSB +: tpu_pkg::DESC_AMOUNT_THERE_WIDTH],
                      copy_words_i[tpu_pkg::DESC_FLAG_LSB +: tpu_pkg::FLAG_W], chip_i,
                      tpu_pkg::memory_of(copy_words_i[tpu_pkg::DESC_DESTINATION_SPACE_LSB +: 2])
                          == tpu_pkg::MEMORY_HBM,
                      copy_words_i[tpu_pkg::DESC_CHIP_LSB +: 8]};
  tpu_copyread #(.LANES(LANES), .RUN_W(RUN_W)) reader (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .copy_valid_i(copy_valid_i), .copy_words_i(copy_words_i), .copy_source_i(copy_source_i),
    .copy_destination_i(copy_destination_i), .copy_empty_i(copy_empty_i),
    .copy_take_o(copy_take_o), .moving_full_i(moving + ended == MOVING[$clog2(MOVING):0]),
    .run_push_o(run_push), .run_o(run_new), .run_full_i(runs == RUNS[$clog2(RUNS):0]),
    .rd_valid_o(rd_valid_o), .rd_addr_o(rd_addr_o), .rd_beats_o(rd_beats_o),
    .rd_accept_i(rd_accept_i), .beat_used_i(read_pop), .idle_o(reader_idle));
  always_comb begin
    run_out = run_new;
    run_out[SPACE +: 2] = tpu_pkg::MEMORY_HBM;
  end
  tpu_fifo #(.WIDTH(TAG_W + 70), .DEPTH(MOVING)) moving_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(copy_take_o), .data_i({copy_tag_i, copy_head}),
    .pop_i(put_end), .head_o({tag, head}), .count_o(moving));
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(MOVING)) ended_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(put_end), .data_i(tag), .pop_i(ended_pop_i),
    .head_o(ended_tag_o), .count_o(ended));
  assign ended_valid_o = ended != '0;
  tpu_fifo #(.WIDTH(RUN_W), .DEPTH(RUNS)) run_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(run_push), .data_i(run_out), .pop_i(run_pop),
    .head_o(run), .count_o(runs));
  tpu_fifo #(.WIDTH(RW), .DEPTH(READS)) read_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(rsp_valid_i), .data_i(rsp_data_i),
    .pop_i(read_pop), .head_o(read_data), .count_o(reads));

  // ---- mover ------------------------------------------------------------------------------------
  logic             beat, end_moves, from_chip, go, room, to_hbm, begun, final_run, last_step;
  logic             vmem_write, smem_write;
  logic [VAW-1:0]   write_row;
  logic [SBW-1:0]   write_beat;
  logic [61-LB:0]   beat_addr;
  logic [30-LB:0]   left;
  logic [LANES-1:0] strobe;
  logic [RW-1:0]    data;
  tpu_copymove #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .RUN_W(RUN_W)
  ) mover (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .run_valid_i(runs != '0), .run_i(run), .run_pop_o(run_pop),
    .to_hbm_o(to_hbm), .from_chip_o(from_chip), .begun_o(begun), .go_o(go),
    .hold_i(from_chip && port_taken_i),
    .hbm_valid_i(reads != '0), .hbm_data_i(read_data), .hbm_pop_o(read_pop),
    .vmem_read_o(vmem_read_o), .vmem_read_row_o(vmem_read_row_o),
    .vmem_read_data_i(vmem_read_data_i),
    .smem_read_o(smem_read_o), .smem_read_beat_o(smem_read_beat_o),
    .smem_read_data_i(smem_read_data_i),
    .vmem_write_o(vmem_write), .vmem_write_row_o(write_row),
    .smem_write_o(smem_write), .smem_write_beat_o(write_beat),
    .hbm_write_o(beat), .hbm_write_beat_o(beat_addr), .hbm_write_left_o(left),
    .hbm_write_last_o(last_step), .final_run_o(final_run), .strobe_o(strobe), .data_o(data),
    .write_room_i(room), .copy_end_o(put_end), .copy_end_hbm_o(end_moves));
  assign port_taken_o = go && from_chip;

  // ---- packets and destinations -----------------------------------------------------------------
  logic              send_valid, send_pop, send_beat_valid, send_beat_pop, router_idle;
  logic [HEAD_W-1:0] send_head;
  logic [BEAT_W-1:0] send_beat;
  tpu_link_send #(.LANES(LANES)) send (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .beat_i(beat), .beat_addr_i(beat_addr), .left_i(left), .final_i(final_run),
    .empty_i(put_end && !end_moves), .data_i({strobe, data}), .copy_i(head), .room_o(room),
    .head_valid_o(send_valid), .head_o(send_head), .head_pop_i(send_pop),
    .beat_valid_o(send_beat_valid), .beat_o(send_beat), .beat_pop_i(send_beat_pop));
  tpu_router #(.LANES(LANES)) router (
    .clk_i(clk_i), .rst_ni(rst_ni), .chip_i(chip_i),
    .in_valid_i(in_valid_i), .in_head_i(in_head_i), .in_data_i(in_data_i),
    .in_credit_o(in_credit_o), .out_valid_o(out_valid_o), .out_ready_i(out_ready_i),
    .out_head_o(out_head_o), .out_data_o(out_data_o), .out_credit_i(out_credit_i),
    .send_valid_i(send_valid), .send_head_i(send_head), .send_pop_o(send_pop),
    .send_beat_valid_i(send_beat_valid), .send_beat_i(send_beat),
    .send_beat_pop_o(send_beat_pop),
    .mine_o(mine_o), .head_o(head_o), .beat_o(beat_o), .beat_pop_i(beat_pop_i),
    .free_i(free_i), .idle_o(router_idle));
  assign idle_o = router_idle && (moving == '0) && (ended == '0);

  // These runs only go to a link.
  logic unused;
  assign unused = reader_idle || to_hbm || begun || last_step || vmem_write || smem_write
               || (|write_row) || (|write_beat);
endmodule

`default_nettype wire
