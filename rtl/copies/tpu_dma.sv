// Copies: descriptor check, queue, engine, completion. Wires and the queue's bookkeeping.
//
// A copy that issues in cycle t waits in the queue until the cycle after the first one from t + 1 on in which
// VMEM is not busy (vmem_busy_i). So loads and stores of its own and earlier bundles have finished
// before it touches VMEM, which is two cycles later at the earliest. Copies start in
// program order; one to HBM completes with the response to its last burst, any other with its last
// write, but none before an older one with the same flag. One completion per cycle, those to the
// chip first.
//
// A copy of version 1 to this chip itself adds to two flags: to both when it completes, but not
// before an older one of either flag. One to another chip goes by a link (tpu_links) and is
// complete for this chip when its source has been read.
//
// The queue holds start copies, which the host puts there, until the machine runs. A start with an
// argument block (load_i) has its copy go before them. It is the only copy that adds 0 to a flag.
// Neither kind is reported as issued or done.
`default_nettype none

module tpu_dma #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned VAW = $clog2(VMEM_ROWS),
  parameter int unsigned SBW = $clog2(SMEM_WORDS) - LB
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // Issue
  input  logic             descriptor_read_i,
  input  logic [31:0]      descriptor_i,
  input  logic [511:0]     words_i,
  input  logic [31:0]      source_offset_i,
  input  logic [31:0]      destination_offset_i,
  input  logic             check_i,
  input  logic             fire_i,  // the copy whose descriptor was checked last issues
  input  logic             vmem_busy_i,  // no load or store may begin
  input  logic [31:0]      seq_i,
  input  logic             start_word_i,  // a word of a start copy, while the machine is stopped
  input  logic [31:0]      start_word_data_i,
  output logic             start_refused_o,
  input  logic             running_i,
  input  logic             load_i,  // the machine starts
  input  logic [63:0]      arguments_i,
  input  logic [31:0]      argument_words_i,
  input  logic [63:0]      hbm_bytes_i,
  input  logic [63:0]      text_i,
  input  logic [31:0]      text_bundles_i,
  input  logic [7:0]       chip_i,   // which chip
  input  logic [7:0]       chips_i,  // of how many
  output tpu_pkg::trap_e   cause_o,
  output logic [31:0]      detail_o,
  output logic             full_o,
  output logic             pending_o,  // some copy is queued or in flight
  output logic             loading_o,  // that of the argument block is

  // Scratchpads
  output logic             vmem_read_o,
  output logic [VAW-1:0]   vmem_read_row_o,
  input  logic [RW-1:0]    vmem_read_data_i,
  output logic             vmem_write_o,
  output logic [VAW-1:0]   vmem_write_row_o,
  output logic             smem_read_o,
  output logic [SBW-1:0]   smem_read_beat_o,
  input  logic [RW-1:0]    smem_read_data_i,
  output logic             smem_write_o,
  output logic [SBW-1:0]   smem_write_beat_o,
  output logic [LANES-1:0] write_strobe_o,
  output logic [RW-1:0]    write_data_o,

  // Memory reads
  output logic             rd_valid_o,
  output logic [63:0]      rd_addr_o,
  output logic [7:0]       rd_beats_o,
  input  logic             rd_accept_i,
  input  logic             rsp_valid_i,
  input  logic [RW-1:0]    rsp_data_i,

  // Memory writes
  output logic             mem_wr_valid_o,
  input  logic             mem_wr_ready_i,
  output logic [63:0]      mem_wr_addr_o,
  output logic [7:0]       mem_wr_beats_o,
  output logic             mem_wdata_valid_o,
  input  logic             mem_wdata_ready_i,
  output logic [RW-1:0]    mem_wdata_o,
  output logic [LANES*4-1:0] mem_wstrb_o,
  input  logic             mem_wrsp_valid_i,

  // Completion, to the flags
  output logic             done_o,
  output logic [tpu_pkg::FLAG_W-1:0] done_flag_o,
  output logic [31:0]      done_amount_o,
  output logic [tpu_pkg::FLAG_W-1:0] done_here_flag_o,
  output logic [7:0]       done_here_amount_o,

  // Copies of other chips, to the flags
  output logic             arrive_o,
  output logic [tpu_pkg::FLAG_W-1:0] arrive_flag_o,
  output logic [15:0]      arrive_amount_o,
  output logic [7:0]       arrive_sender_o,
  output logic [31:0]      arrive_seq_o,

  // Links: right, left
  input  logic [1:0]          link_in_valid_i,
  input  logic [1:0]          link_in_head_i,
  input  logic [66*LANES-1:0] link_in_data_i,
  output logic [1:0]          link_in_credit_o,
  output logic [1:0]          link_out_valid_o,
  input  logic [1:0]          link_out_ready_i,
  output logic [1:0]          link_out_head_o,
  output logic [66*LANES-1:0] link_out_data_o,
  input  logic [1:0]          link_out_credit_i,
  output logic                links_idle_o,

  // Retirement
  output logic             ret_copy_valid_o,
  output logic [31:0]      ret_copy_seq_o,
  output logic [511:0]     ret_copy_descriptor_o,
  output logic [63:0]      ret_copy_source_o,
  output logic [63:0]      ret_copy_destination_o,
  output logic             ret_copy_done_valid_o,
  output logic [31:0]      ret_copy_done_seq_o
);
  localparam int unsigned QUEUE = tpu_pkg::TIMING_COPY_QUEUE;
  localparam int unsigned QW = $clog2(QUEUE);
  localparam int unsigned MOVING = tpu_pkg::TIMING_COPY_MOVING;
  localparam int unsigned ACKS = tpu_pkg::TIMING_COPY_ACKNOWLEDGE;
  localparam int unsigned RUNS = tpu_pkg::TIMING_COPY_RUNS;
  localparam int unsigned READS = tpu_pkg::TIMING_READ_BEATS;
  localparam int unsigned RUN_W = 128;
  localparam int unsigned TICKET_W = 6;  // more copies than can be in flight
  localparam int unsigned TICKET = 64 + tpu_pkg::FLAG_W;    // its place in a tag
  localparam int unsigned HERE = TICKET + TICKET_W;         // of this flag, the same in version 0
  localparam int unsigned HERE_TICKET = HERE + 8 + tpu_pkg::FLAG_W;
  localparam int unsigned ALONE = HERE_TICKET + TICKET_W;
  localparam int unsigned COUNTS = ALONE + 1;  // it adds to a flag
  localparam int unsigned AT_START = COUNTS + 1;  // a start has queued it
  localparam int unsigned TAG_W = AT_START + 1;  // at start, counts, alone, here (ticket, amount, flag), ticket, amount, flag, seq

  // ---- check ------------------------------------------------------------------------------------
  logic [511:0] words;
  logic [63:0]  source, destination;
  logic         empty, starts, start_check, start_push, start_taken;
  tpu_startcopy start_copy (
    .clk_i(clk_i), .rst_ni(rst_ni), .write_i(start_word_i), .start_i(load_i),
    .check_o(start_check), .push_o(start_push));
  tpu_descriptor #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS)
  ) check (
    .clk_i(clk_i), .read_i(descriptor_read_i), .address_i(descriptor_i), .words_i(words_i),
    .source_offset_i(source_offset_i), .destination_offset_i(destination_offset_i),
    .shift_i(start_word_i), .shift_word_i(start_word_data_i),
    .check_i(check_i || start_check), .hbm_bytes_i(hbm_bytes_i), .text_i(text_i),
    .text_bundles_i(text_bundles_i), .chips_i(chips_i), .cause_o(cause_o), .detail_o(detail_o), .words_o(words),
    .source_o(source), .destination_o(destination), .empty_o(empty), .starts_o(starts));

  // ---- queue: of each entry whether it waits for VMEM -------------------------------------------
  logic [QW:0]          queued;
  logic [1+511+64+64+1+32:0] head, queue_head;
  logic                 take, pop, head_at_start, head_empty;
  logic [511:0]         head_words;
  logic [63:0]          head_source, head_destination;
  logic [31:0]          head_seq;
  logic [QUEUE-1:0]     wait_q;
  logic [QW-1:0]        first_q, next_q;
  assign {head_at_start, head_seq, head_empty, head_source, head_destination, head_words} = head;

  // The copy of the argument block, before all of the queue: from HBM to the beginning of SMEM, one
  // run.
  logic         load, load_q;
  logic [511:0] load_words;
  assign load = load_i && (argument_words_i != 32'd0) && (argument_words_i <= SMEM_WORDS);
  always_comb begin
    load_words = '0;
    load_words[tpu_pkg::DESC_DESTINATION_SPACE_LSB +: 2] = tpu_pkg::MEMORY_SMEM;
    load_words[32*tpu_pkg::DESC_LENGTH +: 32] = argument_words_i << 2;
    load_words[32*tpu_pkg::DESC_INNER +: 32] = 32'd1;
    load_words[32*tpu_pkg::DESC_MIDDLE +: 32] = 32'd1;
    load_words[32*tpu_pkg::DESC_OUTER +: 32] = 32'd1;
  end

  // One place stays free of start copies: that of the argument block counts too.
  assign start_taken = start_push && starts && (cause_o == tpu_pkg::TRAP_NONE)
                    && (queued < QUEUE[QW:0] - 1'b1);
  assign start_refused_o = start_push && !start_taken;
  assign full_o = queued == QUEUE[QW:0];
  assign head = load_q ? {1'b1, 32'd0, 1'b0, arguments_i, 64'd0, load_words} : queue_head;
  assign pop = take && !load_q;
  tpu_fifo #(.WIDTH(1 + 512 + 64 + 64 + 1 + 32), .DEPTH(QUEUE)) queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(fire_i || start_taken),
    .data_i({start_taken, seq_i, empty, source, destination, words}),
    .pop_i(pop), .head_o(queue_head), .count_o(queued));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_q <= 1'b0;
      wait_q <= '0;
      first_q <= '0;
      next_q <= '0;
    end else begin
      load_q <= load || (load_q && !take);
      if (!vmem_busy_i) wait_q <= '0;
      if (fire_i) wait_q[next_q] <= 1'b1;
      first_q <= first_q + {{(QW-1){1'b0}}, pop};
      next_q <= next_q + {{(QW-1){1'b0}}, fire_i || start_taken};
    end
  end
  logic head_ready;
  assign head_ready = load_q || (running_i && (queued != '0) && !wait_q[first_q]);

  // ---- engine: one reader and one mover to the chip, one of each to HBM -------------------------
  // A copy between two places on the chip, or in HBM, needs both sides: it takes the path of those
  // to the chip while none to HBM is in flight (`alone`). One that moves nothing takes that path
  // too.
  tpu_pkg::memory_e head_from, head_to;
  logic       head_out, head_alone, take_in, take_out, want_in, want_out;
  assign head_from = tpu_pkg::memory_of(head_words[tpu_pkg::DESC_SOURCE_SPACE_LSB +: 2]);
  assign head_to = tpu_pkg::memory_of(head_words[tpu_pkg::DESC_DESTINATION_SPACE_LSB +: 2]);
  logic from_hbm, to_hbm;
  assign from_hbm = head_from == tpu_pkg::MEMORY_HBM;
  assign to_hbm = head_to == tpu_pkg::MEMORY_HBM;
  // The direction of a copy to another chip: the shorter one round the ring. At half way,
  // even-numbered chips send to the right, odd-numbered ones to the left.
  logic       head_remote, head_leaves;
  logic [7:0] head_chip, distance;
  logic       is_halfway, goes_right;
  logic [1:0] head_way, want_way, take_way;
  assign head_remote = head_words[tpu_pkg::DESC_VERSION_LSB +: tpu_pkg::DESC_VERSION_WIDTH] == 8'd1;
  assign head_chip = head_words[tpu_pkg::DESC_CHIP_LSB +: 8];
  assign head_leaves = head_remote && (head_chip != chip_i);
  assign distance = (head_chip >= chip_i) ? head_chip - chip_i : head_chip - chip_i + chips_i;
  assign is_halfway = {distance, 1'b0} == {1'b0, chips_i};
  assign goes_right = is_halfway ? !chip_i[0] : ({distance, 1'b0} < {1'b0, chips_i});
  assign head_way = goes_right ? 2'b01 : 2'b10;
  assign head_out = to_hbm && !from_hbm && !head_empty && !head_leaves;
  assign head_alone = (to_hbm == from_hbm) && !head_empty && !head_leaves;

  logic [$clog2(MOVING):0] in_moving, out_moving, ended, alone_q;
  logic [$clog2(RUNS):0]   in_runs, out_runs;
  logic [$clog2(READS):0]  reads;
  logic [TAG_W-1:0]        in_tag, out_tag, take_tag;
  logic [RUN_W-1:0]        in_run_new, in_run, out_run_new, out_run;
  logic                    in_push, in_pop, out_push, out_pop, read_pop, room;
  logic                    in_end, in_end_hbm, out_end, out_end_hbm, hbm_done;
  logic [RW-1:0]           read_data;
  logic                    in_reader_idle, out_reader_idle, out_rd_valid;
  logic [63:0]             out_rd_addr;
  logic [7:0]              out_rd_beats;
  logic [$clog2(ACKS):0]   acks;  // copies put to HBM and not complete

  assign want_in = head_ready && !head_out && !head_leaves && !(head_alone && (out_moving != '0));
  assign want_out = head_ready && head_out && (alone_q == '0);
  assign want_way = (head_ready && head_leaves) ? head_way : 2'b00;
  assign take = take_in || take_out || (take_way != 2'b00);

  logic        in_rd_valid, in_rd_accept, in_rsp;
  logic [63:0] in_rd_addr;
  logic [7:0]  in_rd_beats;
  logic [1:0]  way_rd_valid, way_rd_accept, way_rsp;
  logic [127:0] way_rd_addr;
  logic [15:0] way_rd_beats;
  tpu_copyport port (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .valid_i({way_rd_valid, in_rd_valid}), .addr_i({way_rd_addr, in_rd_addr}),
    .beats_i({way_rd_beats, in_rd_beats}), .accept_o({way_rd_accept, in_rd_accept}),
    .rsp_valid_o({way_rsp, in_rsp}), .rd_valid_o(rd_valid_o), .rd_addr_o(rd_addr_o),
    .rd_beats_o(rd_beats_o), .rd_accept_i(rd_accept_i), .rsp_valid_i(rsp_valid_i));
  tpu_copyread #(.LANES(LANES), .RUN_W(RUN_W)) in_reader (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .copy_valid_i(want_in), .copy_words_i(head_words), .copy_source_i(head_source),
    .copy_destination_i(head_destination), .copy_empty_i(head_empty), .copy_take_o(take_in),
    .moving_full_i(in_moving + ended == MOVING[$clog2(MOVING):0]),
    .run_push_o(in_push), .run_o(in_run_new), .run_full_i(in_runs == RUNS[$clog2(RUNS):0]),
    .rd_valid_o(in_rd_valid), .rd_addr_o(in_rd_addr), .rd_beats_o(in_rd_beats),
    .rd_accept_i(in_rd_accept), .beat_used_i(read_pop), .idle_o(in_reader_idle));
  tpu_copyread #(.LANES(LANES), .RUN_W(RUN_W)) out_reader (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .copy_valid_i(want_out), .copy_words_i(head_words), .copy_source_i(head_source),
    .copy_destination_i(head_destination), .copy_empty_i(head_empty), .copy_take_o(take_out),
    .moving_full_i(out_moving == MOVING[$clog2(MOVING):0]),
    .run_push_o(out_push), .run_o(out_run_new), .run_full_i(out_runs == RUNS[$clog2(RUNS):0]),
    .rd_valid_o(out_rd_valid), .rd_addr_o(out_rd_addr), .rd_beats_o(out_rd_beats),
    .rd_accept_i(1'b0), .beat_used_i(1'b0), .idle_o(out_reader_idle));
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(MOVING)) in_moving_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(take_in), .data_i(take_tag), .pop_i(in_end),
    .head_o(in_tag), .count_o(in_moving));
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(MOVING)) out_moving_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(take_out), .data_i(take_tag), .pop_i(out_end),
    .head_o(out_tag), .count_o(out_moving));
  tpu_fifo #(.WIDTH(RUN_W), .DEPTH(RUNS)) in_run_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_push), .data_i(in_run_new), .pop_i(in_pop),
    .head_o(in_run), .count_o(in_runs));
  tpu_fifo #(.WIDTH(RUN_W), .DEPTH(RUNS)) out_run_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(out_push), .data_i(out_run_new), .pop_i(out_pop),
    .head_o(out_run), .count_o(out_runs));
  tpu_fifo #(.WIDTH(RW), .DEPTH(READS)) read_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_rsp), .data_i(rsp_data_i),
    .pop_i(read_pop), .head_o(read_data), .count_o(reads));

  // Each scratchpad has one port for reading and one for writing: the mover to the chip reads only
  // for a copy that is alone, and the other one never writes.
  logic             in_vmem_read, out_vmem_read, in_smem_read, out_smem_read, in_beat, out_beat;
  logic             in_last, out_last, out_read_pop, out_vmem_write, out_smem_write, write_room;
  logic             in_vmem_write, between, arrival_done;
  logic [VAW-1:0]   in_write_row;
  logic [LANES-1:0] in_strobe;
  logic [RW-1:0]    in_data;
  logic             links_read, link_vmem_read, link_smem_read, holds_chip, holds_hbm;
  logic [VAW-1:0]   link_vmem_row, arrival_row;
  logic [SBW-1:0]   link_smem_beat;
  logic             arrival_vmem, arrival_beat, arrival_last;
  logic [61-LB:0]   arrival_addr;
  logic [30-LB:0]   arrival_left;
  logic [LANES-1:0] arrival_strobe;
  logic [RW-1:0]    arrival_data;
  logic [VAW-1:0]   in_vmem_row, out_vmem_row, out_write_row;
  logic [SBW-1:0]   in_smem_beat, out_smem_beat, out_write_beat;
  logic [61-LB:0]   in_beat_addr, out_beat_addr;
  logic [30-LB:0]   in_left, out_left;
  logic [LANES-1:0] out_strobe;
  logic [RW-1:0]    out_data;
  assign write_room = room && !holds_hbm && (acks + 1'b1 < ACKS[$clog2(ACKS):0]);
  assign vmem_read_o = in_vmem_read || out_vmem_read || link_vmem_read;
  assign vmem_read_row_o = link_vmem_read ? link_vmem_row
                         : (out_vmem_read ? out_vmem_row : in_vmem_row);
  assign smem_read_o = in_smem_read || out_smem_read || link_smem_read;
  assign smem_read_beat_o = link_smem_read ? link_smem_beat
                          : (out_smem_read ? out_smem_beat : in_smem_beat);

  // In a group a run to HBM that has begun does not wait for older copies to complete: they may
  // wait for another chip, and that one for a packet queued behind this run.
  logic             in_group, in_begun, out_begun, in_room, out_room, in_hold, out_hold;
  logic             in_to_hbm, out_to_hbm, in_from_chip, out_from_chip;
  assign in_group = chips_i > 8'd1;
  assign in_room = (in_group && in_begun) ? room && !holds_hbm : write_room;
  assign out_room = (in_group && out_begun) ? room && !holds_hbm : write_room;
  logic in_final, out_final, in_go, out_go;
  assign in_hold = (!in_to_hbm && holds_chip) || (in_from_chip && links_read);
  assign out_hold = (!out_to_hbm && holds_chip) || (out_from_chip && links_read);

  tpu_copymove #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .RUN_W(RUN_W)
  ) in_mover (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .run_valid_i(in_runs != '0), .run_i(in_run), .run_pop_o(in_pop),
    .to_hbm_o(in_to_hbm), .from_chip_o(in_from_chip), .begun_o(in_begun), .go_o(in_go),
    .hold_i(in_hold),
    .hbm_valid_i(reads != '0), .hbm_data_i(read_data), .hbm_pop_o(read_pop),
    .vmem_read_o(in_vmem_read), .vmem_read_row_o(in_vmem_row),
    .vmem_read_data_i(vmem_read_data_i),
    .smem_read_o(in_smem_read), .smem_read_beat_o(in_smem_beat),
    .smem_read_data_i(smem_read_data_i),
    .vmem_write_o(in_vmem_write), .vmem_write_row_o(in_write_row),
    .smem_write_o(smem_write_o), .smem_write_beat_o(smem_write_beat_o),
    .hbm_write_o(in_beat), .hbm_write_beat_o(in_beat_addr), .hbm_write_left_o(in_left),
    .hbm_write_last_o(in_last), .final_run_o(in_final), .strobe_o(in_strobe), .data_o(in_data),
    .write_room_i(in_room), .copy_end_o(in_end), .copy_end_hbm_o(in_end_hbm));
  tpu_copymove #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .RUN_W(RUN_W)
  ) out_mover (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .run_valid_i(out_runs != '0), .run_i(out_run), .run_pop_o(out_pop),
    .to_hbm_o(out_to_hbm), .from_chip_o(out_from_chip), .begun_o(out_begun), .go_o(out_go),
    .hold_i(out_hold),
    .hbm_valid_i(1'b0), .hbm_data_i({RW{1'b0}}), .hbm_pop_o(out_read_pop),
    .vmem_read_o(out_vmem_read), .vmem_read_row_o(out_vmem_row),
    .vmem_read_data_i(vmem_read_data_i),
    .smem_read_o(out_smem_read), .smem_read_beat_o(out_smem_beat),
    .smem_read_data_i(smem_read_data_i),
    .vmem_write_o(out_vmem_write), .vmem_write_row_o(out_write_row),
    .smem_write_o(out_smem_write), .smem_write_beat_o(out_write_beat),
    .hbm_write_o(out_beat), .hbm_write_beat_o(out_beat_addr), .hbm_write_left_o(out_left),
    .hbm_write_last_o(out_last), .final_run_o(out_final), .strobe_o(out_strobe),
    .data_o(out_data), .write_room_i(out_room), .copy_end_o(out_end), .copy_end_hbm_o(out_end_hbm));

  // Arrivals by a link are put where no mover puts anything: the movers have been held.
  assign vmem_write_o = in_vmem_write || arrival_vmem;
  assign vmem_write_row_o = arrival_vmem ? arrival_row : in_write_row;
  assign write_strobe_o = arrival_vmem ? arrival_strobe : in_strobe;
  assign write_data_o = arrival_vmem ? arrival_data : in_data;
  logic             own_beat, own_last;
  logic [61-LB:0]   own_addr;
  logic [30-LB:0]   own_left;
  logic [LANES-1:0] own_strobe;
  logic [RW-1:0]    own_data;
  assign own_beat = in_beat || out_beat;
  assign own_addr = out_beat ? out_beat_addr : in_beat_addr;
  assign own_left = out_beat ? out_left : in_left;
  assign own_last = out_beat ? out_last : in_last;
  assign own_strobe = out_beat ? out_strobe : in_strobe;
  assign own_data = out_beat ? out_data : in_data;
  tpu_copywrite #(.LANES(LANES)) writer (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .beat_i(own_beat || arrival_beat), .beat_addr_i(arrival_beat ? arrival_addr : own_addr),
    .left_i(arrival_beat ? arrival_left : own_left),
    .last_i(arrival_beat ? arrival_last : own_last), .arrival_i(arrival_beat),
    .strobe_i(arrival_beat ? arrival_strobe : own_strobe),
    .data_i(arrival_beat ? arrival_data : own_data), .room_o(room), .between_o(between),
    .copy_done_o(hbm_done), .arrival_done_o(arrival_done),
    .mem_wr_valid_o(mem_wr_valid_o), .mem_wr_ready_i(mem_wr_ready_i),
    .mem_wr_addr_o(mem_wr_addr_o), .mem_wr_beats_o(mem_wr_beats_o),
    .mem_wdata_valid_o(mem_wdata_valid_o), .mem_wdata_ready_i(mem_wdata_ready_i),
    .mem_wdata_o(mem_wdata_o), .mem_wstrb_o(mem_wstrb_o),
    .mem_wrsp_valid_i(mem_wrsp_valid_i));

  // ---- completion: in the order of the start among the copies of one flag -----------------------
  // A copy takes the next ticket of its flag, and completes when all before it have.
  function automatic logic [TICKET_W-1:0] ticket_of(
      input logic [tpu_pkg::FLAGS*TICKET_W-1:0] tickets,
      input logic [tpu_pkg::FLAG_W-1:0] flag);
    ticket_of = tickets[32'(flag)*TICKET_W +: TICKET_W];
  endfunction
  logic [tpu_pkg::FLAGS*TICKET_W-1:0] started_q, completed_q;
  logic [tpu_pkg::FLAG_W-1:0]         head_flag, head_here_flag;
  logic [31:0]                        head_amount;
  logic [7:0]                         head_here_amount;
  // Of a copy to another chip only the flag here is this chip's.
  logic                               head_counts;
  logic [7:0]                         amount_here;
  logic [tpu_pkg::FLAG_W-1:0]         flag_here;
  assign amount_here = head_remote ? head_words[tpu_pkg::DESC_AMOUNT_HERE_LSB +: 8] : 8'd0;
  assign flag_here = head_words[tpu_pkg::DESC_FLAG_HERE_LSB +: tpu_pkg::FLAG_W];
  assign head_counts = !head_leaves || (amount_here != 8'd0);
  assign head_flag = head_leaves ? flag_here : head_words[tpu_pkg::DESC_FLAG_LSB +: tpu_pkg::FLAG_W];
  assign head_amount = head_leaves ? 32'(amount_here)
                     : head_remote
                     ? 32'(head_words[tpu_pkg::DESC_AMOUNT_THERE_LSB +: tpu_pkg::DESC_AMOUNT_THERE_WIDTH])
                     : head_words[32*tpu_pkg::DESC_AMOUNT +: 32];
  assign head_here_amount = head_leaves ? 8'd0 : amount_here;
  assign head_here_flag = (head_here_amount == 8'd0) ? head_flag : flag_here;
  assign take_tag = {head_at_start, head_counts, head_alone,
                     ticket_of(started_q, head_here_flag), head_here_amount, head_here_flag,
                     ticket_of(started_q, head_flag), head_amount, head_flag, head_seq};

  // Candidates: the oldest that has ended on the chip, the oldest that HBM has answered.
  logic [$clog2(ACKS):0] answered_q;  // of `acks`, starting with the oldest
  logic [TAG_W-1:0]      ended_tag, here_tag, ack_tag, done_tag_q;
  logic                  end_here, here, take_here, hbm_answered, take_hbm, done_q;
  assign end_here = in_end && !in_end_hbm;
  assign here = end_here || (ended != '0);
  assign here_tag = (ended != '0) ? ended_tag : in_tag;
  assign take_here = here
                  && (here_tag[TICKET +: TICKET_W] == ticket_of(completed_q, here_tag[32 +: tpu_pkg::FLAG_W]))
                  && (here_tag[HERE_TICKET +: TICKET_W] == ticket_of(completed_q, here_tag[HERE +: tpu_pkg::FLAG_W]));
  assign hbm_answered = answered_q != '0;
  assign take_hbm = !take_here && hbm_answered
                 && (ack_tag[TICKET +: TICKET_W] == ticket_of(completed_q, ack_tag[32 +: tpu_pkg::FLAG_W]))
                 && (ack_tag[HERE_TICKET +: TICKET_W] == ticket_of(completed_q, ack_tag[HERE +: tpu_pkg::FLAG_W]));
  // After these, copies to other chips whose source has been read: right before left.
  function automatic logic in_turn(
      input logic [TAG_W-1:0] tag, input logic [tpu_pkg::FLAGS*TICKET_W-1:0] tickets);
    in_turn = !tag[COUNTS]
           || ((tag[TICKET +: TICKET_W] == ticket_of(tickets, tag[32 +: tpu_pkg::FLAG_W]))
               && (tag[HERE_TICKET +: TICKET_W]
                   == ticket_of(tickets, tag[HERE +: tpu_pkg::FLAG_W])));
  endfunction
  logic [1:0]         sent, sent_turn, take_sent;
  logic [2*TAG_W-1:0] sent_tags;
  logic [TAG_W-1:0]   end_tag;
  logic               ends, leaves_q;
  assign sent_turn = {sent[1] && in_turn(sent_tags[2*TAG_W-1:TAG_W], completed_q),
                      sent[0] && in_turn(sent_tags[TAG_W-1:0], completed_q)};
  assign take_sent = (take_here || take_hbm) ? 2'b00 : {sent_turn[1] && !sent_turn[0], sent_turn[0]};
  assign ends = take_here || take_hbm || (take_sent != 2'b00);
  always_comb begin
    end_tag = ack_tag;
    if (take_here) end_tag = here_tag;
    else if (take_sent[0]) end_tag = sent_tags[TAG_W-1:0];
    else if (take_sent[1]) end_tag = sent_tags[2*TAG_W-1:TAG_W];
  end
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(MOVING)) ended_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(end_here && !(take_here && (ended == '0))),
    .data_i(in_tag), .pop_i(take_here && (ended != '0)), .head_o(ended_tag), .count_o(ended));
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(ACKS)) ack_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(in_end_hbm || out_end_hbm),
    .data_i(out_end_hbm ? out_tag : in_tag), .pop_i(take_hbm), .head_o(ack_tag),
    .count_o(acks));

  logic [7:0] outstanding_q;  // issued and not complete
  logic       loading_q;
  logic [tpu_pkg::FLAG_W-1:0] end_flag, end_here_flag;
  assign end_flag = end_tag[32 +: tpu_pkg::FLAG_W];
  assign end_here_flag = end_tag[HERE +: tpu_pkg::FLAG_W];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      answered_q <= '0;
      alone_q <= '0;
      started_q <= '0;
      completed_q <= '0;
      done_q <= 1'b0;
      leaves_q <= 1'b0;
      outstanding_q <= 8'd0;
      loading_q <= 1'b0;
    end else begin
      answered_q <= answered_q + {{$clog2(ACKS){1'b0}}, hbm_done}
                  - {{$clog2(ACKS){1'b0}}, take_hbm};
      alone_q <= alone_q + {{$clog2(MOVING){1'b0}}, take_in && head_alone}
               - {{$clog2(MOVING){1'b0}}, in_end && in_tag[ALONE]};
      // For two equal flags the second assignment equals the first.
      if (take && head_counts) begin
        started_q[32'(head_flag)*TICKET_W +: TICKET_W] <= ticket_of(started_q, head_flag) + 1'b1;
        started_q[32'(head_here_flag)*TICKET_W +: TICKET_W] <=
            ticket_of(started_q, head_here_flag) + 1'b1;
      end
      if (ends && end_tag[COUNTS]) begin
        completed_q[32'(end_flag)*TICKET_W +: TICKET_W] <= ticket_of(completed_q, end_flag) + 1'b1;
        completed_q[32'(end_here_flag)*TICKET_W +: TICKET_W] <=
            ticket_of(completed_q, end_here_flag) + 1'b1;
      end
      done_q <= ends;
      leaves_q <= take_sent != 2'b00;
      loading_q <= load || (loading_q && !(done_q && (done_amount_o == 32'd0) && !leaves_q));
      outstanding_q <= outstanding_q + {7'd0, fire_i || start_taken} + {7'd0, load}
                     - {7'd0, done_q};
    end
    if (ends) done_tag_q <= end_tag;
  end
  assign pending_o = outstanding_q != 8'd0;
  assign loading_o = loading_q;
  assign done_o = done_q;
  assign {done_amount_o, done_flag_o, ret_copy_done_seq_o} = done_tag_q[TICKET-1:0];
  assign {done_here_amount_o, done_here_flag_o} = done_tag_q[HERE_TICKET-1:HERE];
  assign ret_copy_done_valid_o = done_q && !done_tag_q[AT_START];

  // ---- links ------------------------------------------------------------------------------------
  tpu_links #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .TAG_W(TAG_W)
  ) links (
    .clk_i(clk_i), .rst_ni(rst_ni), .chip_i(chip_i),
    .copy_valid_i(want_way), .copy_words_i(head_words), .copy_source_i(head_source),
    .copy_destination_i(head_destination), .copy_empty_i(head_empty), .copy_tag_i(take_tag),
    .copy_seq_i(head_seq), .copy_take_o(take_way),
    .ended_valid_o(sent), .ended_tag_o(sent_tags), .ended_pop_i(take_sent),
    .rd_valid_o(way_rd_valid), .rd_addr_o(way_rd_addr), .rd_beats_o(way_rd_beats),
    .rd_accept_i(way_rd_accept), .rsp_valid_i(way_rsp), .rsp_data_i(rsp_data_i),
    .port_taken_o(links_read), .vmem_read_o(link_vmem_read), .vmem_read_row_o(link_vmem_row),
    .vmem_read_data_i(vmem_read_data_i), .smem_read_o(link_smem_read),
    .smem_read_beat_o(link_smem_beat), .smem_read_data_i(smem_read_data_i),
    .holds_chip_o(holds_chip), .holds_hbm_o(holds_hbm), .room_i(room), .between_i(between),
    .vmem_write_o(arrival_vmem), .vmem_row_o(arrival_row), .hbm_write_o(arrival_beat),
    .hbm_beat_o(arrival_addr), .hbm_left_o(arrival_left), .hbm_last_o(arrival_last),
    .data_o({arrival_strobe, arrival_data}), .hbm_done_i(arrival_done),
    .arrive_o(arrive_o), .arrive_flag_o(arrive_flag_o), .arrive_amount_o(arrive_amount_o),
    .arrive_sender_o(arrive_sender_o), .arrive_seq_o(arrive_seq_o),
    .link_in_valid_i(link_in_valid_i), .link_in_head_i(link_in_head_i),
    .link_in_data_i(link_in_data_i), .link_in_credit_o(link_in_credit_o),
    .link_out_valid_o(link_out_valid_o), .link_out_ready_i(link_out_ready_i),
    .link_out_head_o(link_out_head_o), .link_out_data_o(link_out_data_o),
    .link_out_credit_i(link_out_credit_i), .idle_o(links_idle_o));

  always_ff @(posedge clk_i) begin
    ret_copy_valid_o <= rst_ni && fire_i;
    if (fire_i) begin
      ret_copy_seq_o <= seq_i;
      ret_copy_descriptor_o <= words;
      ret_copy_source_o <= source;
      ret_copy_destination_o <= destination;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(in_beat && out_beat)) else $error("both movers write to HBM");
      assert (!(in_vmem_read && out_vmem_read)) else $error("both movers read VMEM");
      assert (!(in_smem_read && out_smem_read)) else $error("both movers read SMEM");
      assert (!(links_read && (in_vmem_read || out_vmem_read || in_smem_read || out_smem_read)))
        else $error("a mover reads a scratchpad beside one to a link");
      assert (!(arrival_beat && own_beat)) else $error("an arrival beside a mover to HBM");
      assert (!(arrival_vmem && (in_vmem_write || smem_write_o)))
        else $error("an arrival beside the mover to the chip");
      assert (!(out_vmem_write || out_smem_write)) else $error("the mover to HBM writes the chip");
      assert (out_end == out_end_hbm) else $error("an end of the mover to HBM elsewhere");
    end
  end
`endif

  // The side to HBM requests nothing and takes no data from there.
  logic unused;
  assign unused = in_reader_idle || out_reader_idle || out_rd_valid || (|out_rd_addr)
               || (|out_rd_beats) || out_read_pop || (|out_write_row) || (|out_write_beat)
               || out_vmem_write || out_smem_write || in_final || out_final || in_go || out_go
               || (|done_tag_q[HERE-1:TICKET])
               || (|done_tag_q[COUNTS:HERE_TICKET]);
endmodule

`default_nettype wire
