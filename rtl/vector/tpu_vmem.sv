// VMEM: rows of LANES words in 8 banks (row mod 8). Ports: load and store, each up to 8 rows per
// cycle with at most one distinct row per bank (ensured by tpu_bankpick), copy read and copy write,
// one row per cycle each. Reads are combinational and see the state before this cycle's writes.
//
// A row is written whole, with masked-off lanes keeping their old values; a copy that writes other
// lanes of a row that a store writes in the same cycle starts from the store's value.
`default_nettype none

module tpu_vmem #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned AW = $clog2(VMEM_ROWS),
  parameter int unsigned RW = LANES * 32
) (
  input  logic               clk_i,

  input  logic [7:0]         load_i,
  input  logic [8*AW-1:0]    load_row_i,
  output logic [8*RW-1:0]    load_data_o,

  input  logic [7:0]         store_i,
  input  logic [8*AW-1:0]    store_row_i,
  input  logic [8*LANES-1:0] store_mask_i,
  input  logic [8*RW-1:0]    store_data_i,

  input  logic               copy_read_i,
  input  logic [AW-1:0]      copy_read_row_i,
  output logic [RW-1:0]      copy_read_data_o,
  input  logic               copy_write_i,
  input  logic [AW-1:0]      copy_write_row_i,
  input  logic [LANES-1:0]   copy_write_strobe_i,
  input  logic [RW-1:0]      copy_write_data_i
);
  logic [RW-1:0] mem_q [VMEM_ROWS] /* verilator public_flat_rw */;
  logic [8*RW-1:0] store_rows;
  logic [RW-1:0]   copy_row;

  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : g_row
      logic [RW-1:0] fetched;
      assign load_data_o[g*RW +: RW] = fetched;
      always_comb begin
        fetched = '0;
        if (load_i[g]) fetched = mem_q[load_row_i[g*AW +: AW]];
      end
    end
  endgenerate

  // Each row as it will be, with the lanes of lower rows of the same address: the highest is written.
  logic [LANES-1:0] mask;
  logic [RW-1:0]    merged;
  always_comb begin
    store_rows = '0;
    mask = '0;
    merged = '0;
    if (store_i != 8'd0) begin
      for (int unsigned r = 0; r < 8; r = r + 1) begin
        if (store_i[r]) begin
          mask = store_mask_i[r*LANES +: LANES];
          merged = store_data_i[r*RW +: RW];
          if (!(&mask)) begin
            merged = mem_q[store_row_i[r*AW +: AW]];
            for (int unsigned lower = 0; lower < 8; lower = lower + 1)
              if ((lower < r) && store_i[lower]
                  && (store_row_i[lower*AW +: AW] == store_row_i[r*AW +: AW]))
                merged = store_rows[lower*RW +: RW];
            for (int unsigned j = 0; j < LANES; j = j + 1)
              if (mask[j]) merged[j*32 +: 32] = store_data_i[(r*LANES + j)*32 +: 32];
          end
          store_rows[r*RW +: RW] = merged;
        end
      end
    end
  end

  always_comb begin
    copy_read_data_o = '0;
    if (copy_read_i) copy_read_data_o = mem_q[copy_read_row_i];
  end

  always_comb begin
    copy_row = '0;
    if (copy_write_i) begin
      copy_row = mem_q[copy_write_row_i];
      for (int unsigned r = 0; r < 8; r = r + 1)
        if (store_i[r] && (store_row_i[r*AW +: AW] == copy_write_row_i))
          copy_row = store_rows[r*RW +: RW];
      for (int unsigned j = 0; j < LANES; j = j + 1)
        if (copy_write_strobe_i[j]) copy_row[j*32 +: 32] = copy_write_data_i[j*32 +: 32];
    end
  end

  // The copy comes last: its row has the store's lanes. (Verilator does not accept non-blocking
  // assignments in a loop over an array of registers.)
  always_ff @(posedge clk_i) begin
    if (store_i[0]) mem_q[store_row_i[0*AW +: AW]] <= store_rows[0*RW +: RW];
    if (store_i[1]) mem_q[store_row_i[1*AW +: AW]] <= store_rows[1*RW +: RW];
    if (store_i[2]) mem_q[store_row_i[2*AW +: AW]] <= store_rows[2*RW +: RW];
    if (store_i[3]) mem_q[store_row_i[3*AW +: AW]] <= store_rows[3*RW +: RW];
    if (store_i[4]) mem_q[store_row_i[4*AW +: AW]] <= store_rows[4*RW +: RW];
    if (store_i[5]) mem_q[store_row_i[5*AW +: AW]] <= store_rows[5*RW +: RW];
    if (store_i[6]) mem_q[store_row_i[6*AW +: AW]] <= store_rows[6*RW +: RW];
    if (store_i[7]) mem_q[store_row_i[7*AW +: AW]] <= store_rows[7*RW +: RW];
    if (copy_write_i) mem_q[copy_write_row_i] <= copy_row;
  end
endmodule

`default_nettype wire
