// VMEM addresses of a load or store at issue: which rows take part, the address of each, and the
// first one out of range. Combinational; nothing is evaluated unless `enable_i`, so that an idle
// slot costs no simulation time.
`default_nettype none

module tpu_address #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384
) (
  input  logic               enable_i,
  input  logic               column_i,  // column form: base counts words, row r is word base + r
  input  logic [31:0]        base_i,
  input  logic [31:0]        stride_i,  // in rows, signed; not used by the column form
  input  logic [2:0]         rows_i,    // minus one
  input  logic [8*LANES-1:0] mask_i,
  input  logic               indexed_i, // indexed form: row r is base + index of r, if that is below
  input  logic [8*32-1:0]    index_i,   // the bound
  input  logic [31:0]        bound_i,

  output logic [7:0]         rows_o,    // rows r that take part
  output logic [8*32-1:0]    row_o,     // VMEM row of each
  output logic [8*$clog2(LANES)-1:0] lane_o,  // column form: lane of each word
  output logic               bad_o,
  output logic [31:0]        bad_detail_o  // first row or word out of range
);
  localparam int unsigned LANE_BITS = $clog2(LANES);
  localparam logic [31:0] WORDS = VMEM_ROWS * LANES;

  logic [31:0] place, index;  // row or word of register row r
  always_comb begin
    rows_o = 8'd0;
    row_o = '0;
    lane_o = '0;
    bad_o = 1'b0;
    bad_detail_o = 32'd0;
    place = base_i;
    index = 32'd0;
    if (enable_i) begin
      for (int unsigned r = 0; r < 8; r = r + 1) begin
        index = index_i[r*32 +: 32];
        rows_o[r] = (r[2:0] <= rows_i) && (mask_i[r * LANES +: LANES] != '0)
                 && (!indexed_i || (index < bound_i));
        if (indexed_i) place = base_i + index;
        row_o[r*32 +: 32] = column_i ? place >> LANE_BITS : place;
        lane_o[r*LANE_BITS +: LANE_BITS] = place[LANE_BITS-1:0];
        if (rows_o[r] && !bad_o && (place >= (column_i ? WORDS : VMEM_ROWS))) begin
          bad_o = 1'b1;
          bad_detail_o = place;
        end
        place = place + (column_i ? 32'd1 : stride_i);
      end
    end
  end
endmodule

`default_nettype wire
