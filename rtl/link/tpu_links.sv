// The link logic of a chip in a group: two directions, right and left (bit 0 and 1 of every
// vector), and one receiver. Wires only.
`default_nettype none

module tpu_links #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned LB = $clog2(LANES),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned VAW = $clog2(VMEM_ROWS),
  parameter int unsigned SBW = $clog2(SMEM_WORDS) - LB,
  parameter int unsigned BEAT_W = LANES * 33,
  parameter int unsigned TAG_W = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          chip_i,

  // Queue of copies
  input  logic [1:0]          copy_valid_i,
  input  logic [511:0]        copy_words_i,
  input  logic [63:0]         copy_source_i,
  input  logic [63:0]         copy_destination_i,
  input  logic                copy_empty_i,
  input  logic [TAG_W-1:0]    copy_tag_i,
  input  logic [31:0]         copy_seq_i,
  output logic [1:0]          copy_take_o,

  // Completion
  output logic [1:0]          ended_valid_o,
  output logic [2*TAG_W-1:0]  ended_tag_o,
  input  logic [1:0]          ended_pop_i,

  // Read port
  output logic [1:0]          rd_valid_o,
  output logic [127:0]        rd_addr_o,
  output logic [15:0]         rd_beats_o,
  input  logic [1:0]          rd_accept_i,
  input  logic [1:0]          rsp_valid_i,
  input  logic [RW-1:0]       rsp_data_i,

  // Scratchpads
  output logic                port_taken_o,
  output logic                vmem_read_o,
  output logic [VAW-1:0]      vmem_read_row_o,
  input  logic [RW-1:0]       vmem_read_data_i,
  output logic                smem_read_o,
  output logic [SBW-1:0]      smem_read_beat_o,
  input  logic [RW-1:0]       smem_read_data_i,

  // Arrivals: stalls that they cause, and where they are put
  output logic                holds_chip_o,
  output logic                holds_hbm_o,
  input  logic                room_i,
  input  logic                between_i,
  output logic                vmem_write_o,
  output logic [VAW-1:0]      vmem_row_o,
  output logic                hbm_write_o,
  output logic [61-LB:0]      hbm_beat_o,
  output logic [30-LB:0]      hbm_left_o,
  output logic                hbm_last_o,
  output logic [BEAT_W-1:0]   data_o,
  input  logic                hbm_done_i,
  output logic                arrive_o,
  output logic [tpu_pkg::FLAG_W-1:0] arrive_flag_o,
  output logic [15:0]         arrive_amount_o,
  output logic [7:0]          arrive_sender_o,
  output logic [31:0]         arrive_seq_o,

  // Links
  input  logic [1:0]          link_in_valid_i,
  input  logic [1:0]          link_in_head_i,
  input  logic [2*BEAT_W-1:0] link_in_data_i,
  output logic [1:0]          link_in_credit_o,
  output logic [1:0]          link_out_valid_o,
  input  logic [1:0]          link_out_ready_i,
  output logic [1:0]          link_out_head_o,
  output logic [2*BEAT_W-1:0] link_out_data_o,
  input  logic [1:0]          link_out_credit_i,
  output logic                idle_o
);
  localparam int unsigned HEAD_W = 139 - LB;

  logic [1:0]          taken, vmem_read, smem_read, mine, beat_pop, leaves, way_idle;
  logic [2*VAW-1:0]    vmem_row;
  logic [2*SBW-1:0]    smem_beat;
  logic [2*HEAD_W-1:0] head;
  logic [2*BEAT_W-1:0] beat;
  logic                receive_idle;

  for (genvar w = 0; w < 2; w = w + 1) begin : gen_way
    tpu_link_way #(
      .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .TAG_W(TAG_W)
    ) way (
      .clk_i(clk_i), .rst_ni(rst_ni), .chip_i(chip_i),
      .copy_valid_i(copy_valid_i[w]), .copy_words_i(copy_words_i), .copy_source_i(copy_source_i),
      .copy_destination_i(copy_destination_i), .copy_empty_i(copy_empty_i),
      .copy_tag_i(copy_tag_i), .copy_seq_i(copy_seq_i), .copy_take_o(copy_take_o[w]),
      .ended_valid_o(ended_valid_o[w]), .ended_tag_o(ended_tag_o[w*TAG_W +: TAG_W]),
      .ended_pop_i(ended_pop_i[w]),
      .rd_valid_o(rd_valid_o[w]), .rd_addr_o(rd_addr_o[w*64 +: 64]),
      .rd_beats_o(rd_beats_o[w*8 +: 8]), .rd_accept_i(rd_accept_i[w]),
      .rsp_valid_i(rsp_valid_i[w]), .rsp_data_i(rsp_data_i),
      .port_taken_i((w == 1) && taken[0]), .port_taken_o(taken[w]),
      .vmem_read_o(vmem_read[w]), .vmem_read_row_o(vmem_row[w*VAW +: VAW]),
      .vmem_read_data_i(vmem_read_data_i),
      .smem_read_o(smem_read[w]), .smem_read_beat_o(smem_beat[w*SBW +: SBW]),
      .smem_read_data_i(smem_read_data_i),
      .in_valid_i(link_in_valid_i[w]), .in_head_i(link_in_head_i[w]),
      .in_data_i(link_in_data_i[w*BEAT_W +: BEAT_W]), .in_credit_o(link_in_credit_o[w]),
      .out_valid_o(link_out_valid_o[w]), .out_ready_i(link_out_ready_i[w]),
      .out_head_o(link_out_head_o[w]), .out_data_o(link_out_data_o[w*BEAT_W +: BEAT_W]),
      .out_credit_i(link_out_credit_i[w]),
      .mine_o(mine[w]), .head_o(head[w*HEAD_W +: HEAD_W]), .beat_o(beat[w*BEAT_W +: BEAT_W]),
      .beat_pop_i(beat_pop[w]), .free_i(leaves[w]), .idle_o(way_idle[w]));
  end
  assign port_taken_o = taken != 2'd0;
  assign vmem_read_o = vmem_read != 2'd0;
  assign vmem_read_row_o = vmem_read[0] ? vmem_row[VAW-1:0] : vmem_row[2*VAW-1:VAW];
  assign smem_read_o = smem_read != 2'd0;
  assign smem_read_beat_o = smem_read[0] ? smem_beat[SBW-1:0] : smem_beat[2*SBW-1:SBW];

  tpu_link_receive #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) receive (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .mine_i(mine), .head_i(head), .beat_i(beat), .beat_pop_o(beat_pop), .free_o(leaves),
    .holds_chip_o(holds_chip_o), .holds_hbm_o(holds_hbm_o),
    .room_i(room_i), .between_i(between_i), .vmem_write_o(vmem_write_o),
    .vmem_row_o(vmem_row_o), .hbm_write_o(hbm_write_o), .hbm_beat_o(hbm_beat_o),
    .hbm_left_o(hbm_left_o), .hbm_last_o(hbm_last_o), .data_o(data_o), .hbm_done_i(hbm_done_i),
    .arrive_o(arrive_o), .arrive_flag_o(arrive_flag_o), .arrive_amount_o(arrive_amount_o),
    .arrive_sender_o(arrive_sender_o), .arrive_seq_o(arrive_seq_o), .idle_o(receive_idle));
  assign idle_o = (way_idle == 2'b11) && receive_idle;
endmodule

`default_nettype wire
