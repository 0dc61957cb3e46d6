// SMEM: scalar scratchpad of 32-bit words.
//
// Ports: load (address taken when `load_i`, data in the next cycle), store, descriptor read (16
// words in the same cycle), copy read and copy write (a beat of LANES words each, read in the same
// cycle). Writes are visible from the next cycle.
// A start clears all of it in one cycle: a row of LANES words reads zero until something is written
// to it (`written_q`), and the first write to it writes all its words.
// In hardware: max(LANES, 16) banks of words; every wide access is aligned to its size.
`default_nettype none

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
  input  logic                clear_i
);
  // One row per beat; word w is row w / LANES, lane w mod LANES.
  localparam int unsigned LANE_BITS = $clog2(LANES);
  localparam int unsigned ROWS = SMEM_WORDS / LANES;

  logic [LANES*32-1:0] mem_q [ROWS] /* verilator public_flat_rw */;
  logic [ROWS-1:0]     written_q /* verilator public_flat_rd */;
  logic [AW-1:0]       load_address_q, descriptor_word;
  logic [BW-1:0]       load_row, store_row, descriptor_row;
  logic [LANES*32-1:0] copy_words, store_words;
  assign load_row = load_address_q[AW-1:LANE_BITS];
  assign store_row = address_i[AW-1:LANE_BITS];
  assign load_data_o = written_q[load_row]
      ? mem_q[load_row][{load_address_q[LANE_BITS-1:0], 5'd0} +: 32] : 32'd0;

  always_comb begin
    descriptor_o = '0;
    descriptor_word = descriptor_i;
    descriptor_row = descriptor_i[AW-1:LANE_BITS];
    if (descriptor_read_i)
      for (int unsigned i = 0; i < 16; i = i + 1) begin
        descriptor_word[3:0] = i[3:0];
        descriptor_row = descriptor_word[AW-1:LANE_BITS];
        if (written_q[descriptor_row])
          descriptor_o[i*32 +: 32] =
              mem_q[descriptor_row][{descriptor_word[LANE_BITS-1:0], 5'd0} +: 32];
      end
  end

  always_comb begin
    copy_read_data_o = '0;
    if (copy_read_i && written_q[copy_read_beat_i]) copy_read_data_o = mem_q[copy_read_beat_i];
  end

  // The row of a copy's beat and the row of a stored word, as they will be.
  always_comb begin
    copy_words = '0;
    if (copy_write_i) begin
      if (written_q[copy_write_beat_i]) copy_words = mem_q[copy_write_beat_i];
      for (int unsigned i = 0; i < LANES; i = i + 1)
        if (copy_write_strobe_i[i]) copy_words[i*32 +: 32] = copy_write_data_i[i*32 +: 32];
    end
  end
  always_comb begin
    store_words = '0;
    if (store_i) begin
      if (copy_write_i && (copy_write_beat_i == store_row)) store_words = copy_words;
      else if (written_q[store_row]) store_words = mem_q[store_row];
      store_words[{address_i[LANE_BITS-1:0], 5'd0} +: 32] = store_data_i;
    end
  end

  // The stored word comes last: its row has a copy's words of this cycle too.
  always_ff @(posedge clk_i) begin
    if (load_i) load_address_q <= address_i;
    if (copy_write_i) mem_q[copy_write_beat_i] <= copy_words;
    if (store_i) mem_q[store_row] <= store_words;
    if (!rst_ni || clear_i) begin
      written_q <= '0;
    end else begin
      if (copy_write_i) written_q[copy_write_beat_i] <= 1'b1;
      if (store_i) written_q[store_row] <= 1'b1;
    end
  end
endmodule

`default_nettype wire
