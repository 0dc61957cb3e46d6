// Vector registers: 64 of 8 x LANES words, element r * LANES + j at [(r*LANES + j)*32 +: 32].
//
// Read ports are combinational and give zero unless enabled, so that only used operands cost
// simulation time. Writes (results that land) are visible from the next cycle; the scoreboard never
// lets two of them hit one register in one cycle.
`default_nettype none

module tpu_vregs #(
  parameter int unsigned LANES = 16,
  parameter int unsigned W = 8 * LANES * 32
) (
  input  logic         clk_i,

  // Operands at issue
  input  logic         va_x_read_i,
  input  logic [5:0]   va_x_index_i,
  output logic [W-1:0] va_x_o,
  input  logic         va_y_read_i,
  input  logic [5:0]   va_y_index_i,
  output logic [W-1:0] va_y_o,
  input  logic         vb_x_read_i,
  input  logic [5:0]   vb_x_index_i,
  output logic [W-1:0] vb_x_o,
  input  logic         vb_y_read_i,
  input  logic [5:0]   vb_y_index_i,
  output logic [W-1:0] vb_y_o,
  input  logic         st_read_i,
  input  logic [5:0]   st_index_i,
  output logic [W-1:0] st_o,
  input  logic         ld_rows_read_i,  // lane 0 of each row, for indexed loads and stores
  input  logic [5:0]   ld_rows_index_i,
  output logic [255:0] ld_rows_o,
  input  logic         st_rows_read_i,
  input  logic [5:0]   st_rows_index_i,
  output logic [255:0] st_rows_o,
  input  logic         mx_read_i,
  input  logic [5:0]   mx_index_i,
  output logic [W-1:0] mx_o,
  input  logic         xu_x_read_i,
  input  logic [5:0]   xu_x_index_i,
  output logic [W-1:0] xu_x_o,
  input  logic         xu_index_read_i,
  input  logic [5:0]   xu_index_index_i,
  output logic [W-1:0] xu_index_o,

  // Results
  input  logic         va_land_i,
  input  logic [5:0]   va_dest_i,
  input  logic [W-1:0] va_data_i,
  input  logic         vb_land_i,
  input  logic [5:0]   vb_dest_i,
  input  logic [W-1:0] vb_data_i,
  input  logic         ld_land_i,
  input  logic [5:0]   ld_dest_i,
  input  logic [W-1:0] ld_data_i,
  input  logic         mx_land_i,
  input  logic [5:0]   mx_dest_i,
  input  logic [W-1:0] mx_data_i,
  input  logic         eup_land_i,
  input  logic [5:0]   eup_dest_i,
  input  logic [W-1:0] eup_data_i,
  input  logic         xlu_land_i,
  input  logic [5:0]   xlu_dest_i,
  input  logic [W-1:0] xlu_data_i
);
  logic [W-1:0] v_q [64] /* verilator public_flat_rw */;

  always_comb begin
    va_x_o = '0;
    if (va_x_read_i) va_x_o = v_q[va_x_index_i];
  end
  always_comb begin
    va_y_o = '0;
    if (va_y_read_i) va_y_o = v_q[va_y_index_i];
  end
  always_comb begin
    vb_x_o = '0;
    if (vb_x_read_i) vb_x_o = v_q[vb_x_index_i];
  end
  always_comb begin
    vb_y_o = '0;
    if (vb_y_read_i) vb_y_o = v_q[vb_y_index_i];
  end
  always_comb begin
    st_o = '0;
    if (st_read_i) st_o = v_q[st_index_i];
  end
  always_comb begin
    ld_rows_o = '0;
    if (ld_rows_read_i)
      for (int unsigned r = 0; r < 8; r = r + 1)
        ld_rows_o[r*32 +: 32] = v_q[ld_rows_index_i][r*LANES*32 +: 32];
  end
  always_comb begin
    st_rows_o = '0;
    if (st_rows_read_i)
      for (int unsigned r = 0; r < 8; r = r + 1)
        st_rows_o[r*32 +: 32] = v_q[st_rows_index_i][r*LANES*32 +: 32];
  end
  always_comb begin
    mx_o = '0;
    if (mx_read_i) mx_o = v_q[mx_index_i];
  end
  always_comb begin
    xu_x_o = '0;
    if (xu_x_read_i) xu_x_o = v_q[xu_x_index_i];
  end
  always_comb begin
    xu_index_o = '0;
    if (xu_index_read_i) xu_index_o = v_q[xu_index_index_i];
  end

  always_ff @(posedge clk_i) begin
    if (va_land_i) v_q[va_dest_i] <= va_data_i;
    if (vb_land_i) v_q[vb_dest_i] <= vb_data_i;
    if (ld_land_i) v_q[ld_dest_i] <= ld_data_i;
    if (mx_land_i) v_q[mx_dest_i] <= mx_data_i;
    if (eup_land_i) v_q[eup_dest_i] <= eup_data_i;
    if (xlu_land_i) v_q[xlu_dest_i] <= xlu_data_i;
  end
endmodule

`default_nettype wire
