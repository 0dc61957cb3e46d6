// Mask registers: m1..m7 of 8 x LANES bits; m0 reads all ones. Results of the two vector ALUs land
// at the end of the cycle in which they arrive. Reads are the flat output, register m at [m*8*LANES
// +:].
`default_nettype none

module tpu_mregs #(
  parameter int unsigned LANES = 16,
  parameter int unsigned W = 8 * LANES
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           clear_i,
  input  logic           va_land_i,
  input  logic [2:0]     va_dest_i,
  input  logic [W-1:0]   va_data_i,
  input  logic           vb_land_i,
  input  logic [2:0]     vb_dest_i,
  input  logic [W-1:0]   vb_data_i,
  output logic [8*W-1:0] mregs_o
);
  logic [8*W-1:W] mregs_q;
  assign mregs_o = {mregs_q, {W{1'b1}}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      mregs_q <= '0;
    end else begin
      if (va_land_i && (va_dest_i != 3'd0)) mregs_q[32'(va_dest_i) * W +: W] <= va_data_i;
      if (vb_land_i && (vb_dest_i != 3'd0)) mregs_q[32'(vb_dest_i) * W +: W] <= vb_data_i;
    end
  end
endmodule

`default_nettype wire
