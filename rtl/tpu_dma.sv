// Copies: descriptor check, queue, engine, completion. Wires and the queue's bookkeeping.
//
// A copy that issues in cycle t waits in the queue until t + TIMING_COPY_START, so that loads and
// stores of its own and earlier bundles are over before it touches VMEM. Copies start in program
// order; one to HBM completes with the response to its last burst, any other with its last write.
// One completion a cycle, those to the chip first.
//
// A start with an argument block (load_i) puts its copy into the empty queue, to start at once. It
// is the only copy that adds 0 to a flag; nobody hears of it but pending_o.
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
  input  logic [31:0]      seq_i,
  input  logic             load_i,  // the machine starts
  input  logic [63:0]      arguments_i,
  input  logic [31:0]      argument_words_i,
  input  logic [63:0]      hbm_bytes_i,
  input  logic [63:0]      text_i,
  input  logic [31:0]      text_bundles_i,
  output logic [7:0]       cause_o,
  output logic [31:0]      detail_o,
  output logic             full_o,
  output logic             pending_o,  // some copy is queued or in flight

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
  output logic [4:0]       done_flag_o,
  output logic [31:0]      done_amount_o,

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
  localparam int unsigned RUN_W = 127;
  localparam int unsigned TAG_W = 69;   // seq, flag, amount

  // ---- check ------------------------------------------------------------------------------------
  logic [511:0] words;
  logic [63:0]  source, destination;
  logic         empty;
  tpu_descriptor #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS)
  ) check (
    .clk_i(clk_i), .read_i(descriptor_read_i), .address_i(descriptor_i), .words_i(words_i),
    .source_offset_i(source_offset_i), .destination_offset_i(destination_offset_i),
    .check_i(check_i), .hbm_bytes_i(hbm_bytes_i), .text_i(text_i),
    .text_bundles_i(text_bundles_i), .cause_o(cause_o), .detail_o(detail_o), .words_o(words),
    .source_o(source), .destination_o(destination), .empty_o(empty));

  // ---- queue: each entry counts down the cycles that it still has to wait -----------------------
  logic [QW:0]          queued;
  logic [511+64+64+1+32:0] head;
  logic                 take, head_empty;
  logic [511:0]         head_words;
  logic [63:0]          head_source, head_destination;
  logic [31:0]          head_seq;
  logic [QUEUE*5-1:0]   wait_q;
  logic [QW-1:0]        first_q, next_q;
  assign {head_seq, head_empty, head_source, head_destination, head_words} = head;

  // The copy of the argument block: from HBM to the beginning of SMEM, one run.
  logic         load;
  logic [511:0] load_words;
  assign load = load_i && (argument_words_i != 32'd0) && (argument_words_i <= SMEM_WORDS);
  always_comb begin
    load_words = '0;
    load_words[11:10] = 2'd2;
    load_words[6*32 +: 32] = argument_words_i << 2;
    load_words[7*32 +: 32] = 32'd1;
    load_words[10*32 +: 32] = 32'd1;
    load_words[13*32 +: 32] = 32'd1;
  end
  assign full_o = queued == QUEUE[QW:0];
  tpu_fifo #(.WIDTH(512 + 64 + 64 + 1 + 32), .DEPTH(QUEUE)) queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(fire_i || load),
    .data_i(load ? {32'd0, 1'b0, arguments_i, 64'd0, load_words}
                 : {seq_i, empty, source, destination, words}),
    .pop_i(take), .head_o(head), .count_o(queued));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      first_q <= '0;
      next_q <= '0;
    end else begin
      if (queued != '0)
        for (int unsigned i = 0; i < QUEUE; i = i + 1)
          if (wait_q[i*5 +: 5] != 5'd0) wait_q[i*5 +: 5] <= wait_q[i*5 +: 5] - 5'd1;
      if (fire_i) wait_q[32'(next_q)*5 +: 5] <= 5'(tpu_pkg::TIMING_COPY_START - 1);
      if (load) wait_q[32'(next_q)*5 +: 5] <= 5'd0;
      first_q <= first_q + {{(QW-1){1'b0}}, take};
      next_q <= next_q + {{(QW-1){1'b0}}, fire_i || load};
    end
  end
  logic head_ready;
  assign head_ready = (queued != '0) && (wait_q[32'(first_q)*5 +: 5] == 5'd0);

  // ---- engine -----------------------------------------------------------------------------------
  logic [$clog2(MOVING):0] moving;
  logic [$clog2(RUNS):0]   runs;
  logic [$clog2(READS):0]  reads;
  logic [TAG_W-1:0]        moving_tag;
  logic [RUN_W-1:0]        run_in, run;
  logic                    run_push, run_pop, read_pop, reader_idle, beat, beat_last, room;
  logic                    copy_end, copy_end_hbm, hbm_done;
  logic [RW-1:0]           read_data;
  logic [61-LB:0]          beat_addr;
  logic [30-LB:0]          beat_left;

  tpu_copyread #(.LANES(LANES), .RUN_W(RUN_W)) reader (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .copy_valid_i(head_ready), .copy_words_i(head_words), .copy_source_i(head_source),
    .copy_destination_i(head_destination), .copy_empty_i(head_empty), .copy_take_o(take),
    .moving_full_i(moving == MOVING[$clog2(MOVING):0]),
    .run_push_o(run_push), .run_o(run_in), .run_full_i(runs == RUNS[$clog2(RUNS):0]),
    .rd_valid_o(rd_valid_o), .rd_addr_o(rd_addr_o), .rd_beats_o(rd_beats_o),
    .rd_accept_i(rd_accept_i), .beat_used_i(read_pop), .idle_o(reader_idle));

  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(MOVING)) moving_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(take),
    .data_i({head_words[1*32 +: 32], head_words[20:16], head_seq}), .pop_i(copy_end),
    .head_o(moving_tag), .count_o(moving));
  tpu_fifo #(.WIDTH(RUN_W), .DEPTH(RUNS)) run_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(run_push), .data_i(run_in), .pop_i(run_pop),
    .head_o(run), .count_o(runs));
  tpu_fifo #(.WIDTH(RW), .DEPTH(READS)) read_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(rsp_valid_i), .data_i(rsp_data_i),
    .pop_i(read_pop), .head_o(read_data), .count_o(reads));

  tpu_copymove #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .RUN_W(RUN_W)
  ) mover (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .run_valid_i(runs != '0), .run_i(run), .run_pop_o(run_pop),
    .hbm_valid_i(reads != '0), .hbm_data_i(read_data), .hbm_pop_o(read_pop),
    .vmem_read_o(vmem_read_o), .vmem_read_row_o(vmem_read_row_o),
    .vmem_read_data_i(vmem_read_data_i),
    .smem_read_o(smem_read_o), .smem_read_beat_o(smem_read_beat_o),
    .smem_read_data_i(smem_read_data_i),
    .vmem_write_o(vmem_write_o), .vmem_write_row_o(vmem_write_row_o),
    .smem_write_o(smem_write_o), .smem_write_beat_o(smem_write_beat_o),
    .hbm_write_o(beat), .hbm_write_beat_o(beat_addr), .hbm_write_left_o(beat_left),
    .hbm_write_last_o(beat_last), .strobe_o(write_strobe_o), .data_o(write_data_o),
    .write_room_i(room && (acks + 1'b1 < ACKS[$clog2(ACKS):0])),
    .copy_end_o(copy_end), .copy_end_hbm_o(copy_end_hbm));

  tpu_copywrite #(.LANES(LANES)) writer (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .beat_i(beat), .beat_addr_i(beat_addr), .left_i(beat_left), .last_i(beat_last),
    .strobe_i(write_strobe_o), .data_i(write_data_o), .room_o(room), .copy_done_o(hbm_done),
    .mem_wr_valid_o(mem_wr_valid_o), .mem_wr_ready_i(mem_wr_ready_i),
    .mem_wr_addr_o(mem_wr_addr_o), .mem_wr_beats_o(mem_wr_beats_o),
    .mem_wdata_valid_o(mem_wdata_valid_o), .mem_wdata_ready_i(mem_wdata_ready_i),
    .mem_wdata_o(mem_wdata_o), .mem_wstrb_o(mem_wstrb_o),
    .mem_wrsp_valid_i(mem_wrsp_valid_i));

  // ---- completion -------------------------------------------------------------------------------
  logic [$clog2(ACKS):0] acks, answered_q;  // copies to HBM put; answered of these
  logic [TAG_W-1:0]      ack_tag, done_tag_q;
  logic                  end_here, end_hbm, done_q;
  assign end_here = copy_end && !copy_end_hbm;
  assign end_hbm = !end_here && (answered_q != '0);
  tpu_fifo #(.WIDTH(TAG_W), .DEPTH(ACKS)) ack_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(copy_end_hbm), .data_i(moving_tag),
    .pop_i(end_hbm), .head_o(ack_tag), .count_o(acks));

  logic [7:0] outstanding_q;  // issued and not complete
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      answered_q <= '0;
      done_q <= 1'b0;
      outstanding_q <= 8'd0;
    end else begin
      answered_q <= answered_q + {{$clog2(ACKS){1'b0}}, hbm_done}
                  - {{$clog2(ACKS){1'b0}}, end_hbm};
      done_q <= end_here || end_hbm;
      outstanding_q <= outstanding_q + {7'd0, fire_i || load} - {7'd0, done_q};
    end
    if (end_here) done_tag_q <= moving_tag;
    else if (end_hbm) done_tag_q <= ack_tag;
  end
  assign pending_o = outstanding_q != 8'd0;
  assign done_o = done_q;
  assign {done_amount_o, done_flag_o, ret_copy_done_seq_o} = done_tag_q;
  assign ret_copy_done_valid_o = done_q && (done_amount_o != 32'd0);

  always_ff @(posedge clk_i) begin
    ret_copy_valid_o <= rst_ni && fire_i;
    if (fire_i) begin
      ret_copy_seq_o <= seq_i;
      ret_copy_descriptor_o <= words;
      ret_copy_source_o <= source;
      ret_copy_destination_o <= destination;
    end
  end

  logic unused;
  assign unused = reader_idle;
endmodule
