// Instruction cache: direct mapped, lines of TIMING_FETCH_LINE_BUNDLES bundles, two tag lookups and
// one bundle read per cycle (combinational), filled beat by beat.
//
// A line is invalid from its first beat until its last one is written; a lookup sees a completed
// line from the next cycle, and a bundle of the line being filled from the cycle after its last
// beat.
`default_nettype none

module tpu_icache #(
  parameter int unsigned LANES = 16,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,

  // Bundle lookup, and whether another line is there
  input  logic [31:0]         pc_i,
  output logic                hit_o,       // the bundle is there
  output logic                line_hit_o,  // and all of its line
  output logic [511:0]        bundle_o,
  input  logic [28:0]         probe_line_i,
  output logic                probe_hit_o,

  // Fill
  input  logic                filling_i,  // fill_line_i, with fill_beat_i beats so far
  input  logic                fill_i,
  input  logic                fill_first_i,
  input  logic                fill_last_i,
  input  logic [28:0]         fill_line_i,
  /* verilator lint_off UNUSEDSIGNAL */  // as many bits as a line has beats
  input  logic [7:0]          fill_beat_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [LANES*32-1:0] fill_data_i
);
  localparam int unsigned LINES = ICACHE_BUNDLES / tpu_pkg::TIMING_FETCH_LINE_BUNDLES;
  localparam int unsigned IW = $clog2(LINES);
  localparam int unsigned TW = 29 - IW;
  localparam int unsigned BEAT_BITS = LANES * 32;
  localparam int unsigned BEATS = 4096 / BEAT_BITS;  // of a line of 512 bytes

  logic [LINES-1:0]     valid_q;
  logic [TW-1:0]        tag_q [LINES];
  logic [BEAT_BITS-1:0] data_q [LINES*BEATS];

  logic [IW-1:0] index, probe_index, fill_index;
  assign index = pc_i[3 +: IW];
  assign probe_index = probe_line_i[IW-1:0];
  assign fill_index = fill_line_i[IW-1:0];
  assign line_hit_o = valid_q[index] && (tag_q[index] == pc_i[31 -: TW]);

  // Beats of a line up to the end of the bundle at its place.
  logic [7:0] needed;
  assign needed = 8'((({29'd0, pc_i[2:0]} + 32'd1) * BEATS + 32'd7) >> 3);
  assign hit_o = line_hit_o
              || (filling_i && (fill_line_i == pc_i[31:3]) && (fill_beat_i >= needed));
  assign probe_hit_o = valid_q[probe_index] && (tag_q[probe_index] == probe_line_i[28 -: TW]);

  localparam int unsigned FW = $clog2(LINES * BEATS);
  logic [FW-1:0] fill_row;
  generate
    if (BEAT_BITS < 512) begin : g_narrow  // a bundle is two beats (nano)
      assign bundle_o = {data_q[{index, pc_i[2:0], 1'b1}], data_q[{index, pc_i[2:0], 1'b0}]};
      assign fill_row = {fill_index, fill_beat_i[3:0]};
    end else if (BEAT_BITS == 512) begin : g_equal
      assign bundle_o = data_q[{index, pc_i[2:0]}];
      assign fill_row = {fill_index, fill_beat_i[2:0]};
    end else if (BEATS > 1) begin : g_wide  // a beat holds BEAT_BITS / 512 bundles
      localparam int unsigned SUB = $clog2(BEAT_BITS / 512);
      assign bundle_o = data_q[{index, pc_i[2:SUB]}][{pc_i[SUB-1:0], 9'd0} +: 512];
      assign fill_row = {fill_index, fill_beat_i[$clog2(BEATS)-1:0]};
    end else begin : g_line  // a beat is a line (full)
      assign bundle_o = data_q[index][{pc_i[2:0], 9'd0} +: 512];
      assign fill_row = fill_index;
    end
  endgenerate

  always_ff @(posedge clk_i) begin
    if (fill_i) data_q[fill_row] <= fill_data_i;
    if (fill_i && fill_last_i) tag_q[fill_index] <= fill_line_i[28 -: TW];
    if (!rst_ni || clear_i) begin
      valid_q <= '0;
    end else if (fill_i && (fill_first_i || fill_last_i)) begin
      valid_q[fill_index] <= fill_last_i;
    end
  end
endmodule

`default_nettype wire
