// Stores. Captured at the end of issue cycle t, a store writes VMEM in t+1 .. t+k, where k is the
// number of distinct rows of its fullest bank. The store of a load's own bundle waits until the
// load's last read, so that the load sees old data. `busy_o` as in tpu_load.
//
// Rows with the same address are written together; tpu_vmem merges them, the highest row winning in
// each lane.
`default_nettype none

module tpu_store #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned AW = $clog2(VMEM_ROWS),
  parameter int unsigned RW = LANES * 32
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Issue
  input  logic               start_i,
  input  logic [7:0]         rows_i,
  input  logic [8*AW-1:0]    row_i,
  input  logic [8*LANES-1:0] mask_i,
  input  logic [8*RW-1:0]    data_i,
  input  logic [31:0]        seq_i,
  input  logic               load_busy_i,  // a load continues in the next cycle
  output logic               busy_o,
  output logic               idle_o,

  // VMEM
  output logic [7:0]         vmem_write_o,
  output logic [8*AW-1:0]    vmem_row_o,
  output logic [8*LANES-1:0] vmem_mask_o,
  output logic [8*RW-1:0]    vmem_data_o,

  // Retirement: what is written in this cycle, before rows of the same address are merged
  output logic               ret_st_valid_o,
  output logic [31:0]        ret_st_seq_o,
  output logic [7:0]         ret_st_rows_o,
  output logic [8*32-1:0]    ret_st_address_o,
  output logic [8*LANES-1:0] ret_st_mask_o,
  output logic [8*RW-1:0]    ret_st_data_o
);
  logic [7:0]         todo_q, pick, now, left;
  logic [8*AW-1:0]    row_q;
  logic [8*LANES-1:0] mask_q;
  logic [8*RW-1:0]    data_q;
  logic [31:0]        seq_q;

  tpu_bankpick #(.AW(AW)) bankpick (.todo_i(todo_q), .row_i(row_q), .pick_o(pick));
  assign now = load_busy_i ? 8'd0 : pick;
  assign left = todo_q & ~now;
  assign busy_o = left != 8'd0;
  assign idle_o = todo_q == 8'd0;

  assign vmem_write_o = now;
  assign vmem_row_o = row_q;
  assign vmem_mask_o = mask_q;
  assign vmem_data_o = data_q;

  assign ret_st_valid_o = now != 8'd0;
  assign ret_st_seq_o = seq_q;
  assign ret_st_rows_o = now;
  assign ret_st_mask_o = mask_q;
  assign ret_st_data_o = data_q;
  always_comb begin
    ret_st_address_o = '0;
    if (ret_st_valid_o)
      for (int unsigned r = 0; r < 8; r = r + 1)
        ret_st_address_o[r*32 +: 32] = 32'(row_q[r*AW +: AW]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) todo_q <= 8'd0;
    else todo_q <= start_i ? rows_i : left;
    if (start_i) begin
      row_q <= row_i;
      mask_q <= mask_i;
      data_q <= data_i;
      seq_q <= seq_i;
    end
  end
endmodule

`default_nettype wire
