// SMEM: scalar scratchpad of 32-bit words.
//
// Ports: load (address taken when `load_i`, data in the next cycle), store, descriptor read (16
// words in the same cycle), copy read and copy write (a beat of LANES words each, read in the same
// cycle). Writes are visible from the next cycle. `clear_i` zeroes one beat a cycle, every cycle
// from `clear_start_i` until `cleared_o`.
// In hardware: max(LANES, 16) banks of words; every wide access is aligned to its size.
module tpu_smem #(
  parameter int unsigned LANES = 16,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned AW = $clog2(SMEM_WORDS),
  parameter int unsigned BW = AW - $clog2(LANES)  // beat address
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Slot sb
  input  logic                load_i,
  input  logic                store_i,
  input  logic [AW-1:0]       address_i,
  input  logic [31:0]         store_data_i,
  output logic [31:0]         load_data_o,

  // Descriptors
  input  logic                descriptor_read_i,
  input  logic [AW-1:0]       descriptor_i,
  output logic [511:0]        descriptor_o,

  // Copies
  input  logic                copy_read_i,
  input  logic [BW-1:0]       copy_read_beat_i,
  output logic [LANES*32-1:0] copy_read_data_o,
  input  logic                copy_write_i,
  input  logic [BW-1:0]       copy_write_beat_i,
  input  logic [LANES-1:0]    copy_write_strobe_i,
  input  logic [LANES*32-1:0] copy_write_data_i,

  // Clearing at start
  input  logic                clear_start_i,
  output logic                cleared_o
);
  // One row a beat; word w is row w / LANES, lane w mod LANES.
  localparam int unsigned LANE_BITS = $clog2(LANES);

  logic [LANES*32-1:0] mem_q [SMEM_WORDS/LANES] /* verilator public_flat_rw */;
  logic [AW-1:0] load_address_q, descriptor_word;
  logic [LANES*32-1:0] copy_row;
  logic          clearing_q;
  logic [BW-1:0] clear_beat_q;

  assign cleared_o = !clearing_q;
  assign load_data_o =
      mem_q[load_address_q[AW-1:LANE_BITS]][{load_address_q[LANE_BITS-1:0], 5'd0} +: 32];

  always_comb begin
    descriptor_o = '0;
    descriptor_word = descriptor_i;
    if (descriptor_read_i)
      for (int unsigned i = 0; i < 16; i = i + 1) begin
        descriptor_word[3:0] = i[3:0];
        descriptor_o[i*32 +: 32] =
            mem_q[descriptor_word[AW-1:LANE_BITS]][{descriptor_word[LANE_BITS-1:0], 5'd0} +: 32];
      end
  end

  always_comb begin
    copy_read_data_o = '0;
    if (copy_read_i) copy_read_data_o = mem_q[copy_read_beat_i];
  end

  always_comb begin
    copy_row = '0;
    if (copy_write_i) begin
      copy_row = mem_q[copy_write_beat_i];
      for (int unsigned i = 0; i < LANES; i = i + 1)
        if (copy_write_strobe_i[i]) copy_row[i*32 +: 32] = copy_write_data_i[i*32 +: 32];
    end
  end

  // The single word comes last, so that it keeps its place beside other words of the same row.
  always_ff @(posedge clk_i) begin
    if (load_i) load_address_q <= address_i;
    if (copy_write_i) mem_q[copy_write_beat_i] <= copy_row;
    if (clearing_q) mem_q[clear_beat_q] <= '0;
    if (store_i)
      mem_q[address_i[AW-1:LANE_BITS]][{address_i[LANE_BITS-1:0], 5'd0} +: 32] <= store_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clearing_q <= 1'b0;
      clear_beat_q <= '0;
    end else if (clear_start_i) begin
      clearing_q <= 1'b1;
      clear_beat_q <= '0;
    end else if (clearing_q) begin
      clearing_q <= clear_beat_q != '1;
      clear_beat_q <= clear_beat_q + 1'b1;
    end
  end
endmodule
