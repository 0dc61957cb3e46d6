// The increment of each event counter in this cycle, 16 bits per event
// (isa/registers/counters.def). Combinational.
`default_nettype none

module tpu_events #(
  parameter int unsigned LANES = 16
) (
  input  logic [511:0] bundle_i,
  input  logic [8:0]   fire_i,
  input  logic [7:0]   ld_rows_i,
  input  logic [7:0]   st_rows_i,
  input  logic         taken_i,
  input  logic         miss_i,
  input  logic         fetch_beat_i,
  input  logic         read_beat_i,
  input  logic         write_beat_i,
  input  logic         copy_done_i,
  output logic [tpu_pkg::EVENT_COUNT*16-1:0] events_o
);
  localparam logic [15:0] BEAT = 16'(4 * LANES);  // bytes, of a VMEM row too

  function automatic logic [15:0] ones(input logic [7:0] set);
    ones = 16'd0;
    for (int unsigned i = 0; i < 8; i = i + 1) ones = ones + {15'd0, set[i]};
  endfunction

  logic [63:0] mx;
  assign mx = bundle_i[tpu_pkg::SLOT_MX_LSB +: 64];

  always_comb begin
    events_o = '0;
    for (int unsigned i = 0; i < 9; i = i + 1) events_o[i*16] = fire_i[i];  // slots come first
    events_o[tpu_pkg::EVENT_BRANCHES_TAKEN*16] = taken_i;
    if (fire_i[tpu_pkg::SLOT_MX] && (tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_MULTIPLY))
      events_o[tpu_pkg::EVENT_MXU_ROWS*16 +: 16] = {13'd0, tpu_pkg::mx_rows_value(mx)} + 16'd1;
    if (fire_i[tpu_pkg::SLOT_LD])
      events_o[tpu_pkg::EVENT_VMEM_LOAD_BYTES*16 +: 16] = ones(ld_rows_i) * BEAT;
    if (fire_i[tpu_pkg::SLOT_ST])
      events_o[tpu_pkg::EVENT_VMEM_STORE_BYTES*16 +: 16] = ones(st_rows_i) * BEAT;
    events_o[tpu_pkg::EVENT_HBM_READ_BYTES*16 +: 16] = read_beat_i ? BEAT : 16'd0;
    events_o[tpu_pkg::EVENT_HBM_WRITE_BYTES*16 +: 16] = write_beat_i ? BEAT : 16'd0;
    events_o[tpu_pkg::EVENT_FETCH_BYTES*16 +: 16] = fetch_beat_i ? BEAT : 16'd0;
    events_o[tpu_pkg::EVENT_ICACHE_MISSES*16] = miss_i;
    events_o[tpu_pkg::EVENT_COPIES*16] = copy_done_i;
  end
endmodule

`default_nettype wire
