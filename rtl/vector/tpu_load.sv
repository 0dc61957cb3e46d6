// Loads. Captured at the end of issue cycle t, a load reads VMEM in t+1 .. t+k, where k is the
// number of distinct rows of its fullest bank (at least 1), and lands in t+k: `done_o` with the
// whole register, elements excluded by the mask or the row count being zero. `busy_o`: an access
// continues in the next cycle, no load or store may issue.
`default_nettype none

module tpu_load #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned AW = $clog2(VMEM_ROWS),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned LB = $clog2(LANES)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Issue
  input  logic               start_i,
  input  logic               column_i,  // each row is one word in every lane
  input  logic [7:0]         rows_i,
  input  logic [8*AW-1:0]    row_i,
  input  logic [8*LB-1:0]    lane_i,
  input  logic [8*LANES-1:0] mask_i,
  input  logic [5:0]         dest_i,
  input  logic [31:0]        seq_i,
  output logic               busy_o,

  // VMEM
  output logic [7:0]         vmem_read_o,
  output logic [8*AW-1:0]    vmem_row_o,
  input  logic [8*RW-1:0]    vmem_data_i,

  // Result
  output logic               done_o,
  output logic [5:0]         dest_o,
  output logic [31:0]        seq_o,
  output logic [8*RW-1:0]    result_o
);
  logic               active_q, column_q;
  logic [7:0]         todo_q, pick, left;
  logic [8*AW-1:0]    row_q;
  logic [8*LB-1:0]    lane_q;
  logic [8*LANES-1:0] mask_q;
  logic [8*RW-1:0]    got_q, got;  // rows of earlier cycles; rows of this one

  tpu_bankpick #(.AW(AW)) bankpick (.todo_i(todo_q), .row_i(row_q), .pick_o(pick));
  assign left = todo_q & ~pick;
  assign busy_o = left != 8'd0;
  assign done_o = active_q && (left == 8'd0);
  assign vmem_read_o = pick;
  assign vmem_row_o = row_q;

  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : g_row
      logic [LANES-1:0] mask;
      logic [RW-1:0]    value;
      assign mask = mask_q[g*LANES +: LANES];
      assign got[g*RW +: RW] = value;
      always_comb begin
        value = vmem_data_i[g*RW +: RW];
        if (pick[g]) begin
          if (column_q) value = {LANES{value[{lane_q[g*LB +: LB], 5'd0} +: 32]}};
          if (!(&mask))
            for (int unsigned j = 0; j < LANES; j = j + 1)
              if (!mask[j]) value[j*32 +: 32] = 32'd0;
        end
      end
    end
  endgenerate

  // The result is only computed when it is complete.
  always_comb begin
    result_o = '0;
    if (done_o) result_o = got_q | got;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      todo_q <= 8'd0;
    end else begin
      active_q <= start_i || (active_q && !done_o);
      todo_q <= start_i ? rows_i : left;
    end
    if (start_i) begin
      column_q <= column_i;
      row_q <= row_i;
      lane_q <= lane_i;
      mask_q <= mask_i;
      dest_o <= dest_i;
      seq_o <= seq_i;
      got_q <= '0;
    end else if (busy_o) begin
      got_q <= got_q | got;
    end
  end
endmodule

`default_nettype wire
