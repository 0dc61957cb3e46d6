// The 64 accumulators of 8 x L words. One row of sums arrives per cycle and replaces or is added to
// its row in that cycle, so adding to the same row in consecutive cycles needs no interlock. The
// read port delivers a whole accumulator in the cycle after read_start_i.
//
// An accumulator is pending from the start of a multiply until its last row is written.
`default_nettype none

module tpu_mxu_acc #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // A multiply starts: count its rows as pending.
  input  logic                  mul_start_i,
  input  logic [5:0]            mul_acc_i,
  input  logic [3:0]            mul_rows_i,   // 1 to 8

  // A row of sums, with its tag.
  input  logic                  sum_valid_i,
  input  logic [LANES*32-1:0]   sum_i,
  input  logic [5:0]            sum_acc_i,
  input  logic [2:0]            sum_r_i,
  input  logic                  sum_add_i,
  input  logic                  sum_s8_i,
  input  logic [31:0]           sum_seq_i,

  // The row as written, one cycle later.
  output logic                  row_valid_o,
  output logic [31:0]           row_seq_o,
  output logic [5:0]            row_acc_o,
  output logic [2:0]            row_r_o,
  output logic [LANES*32-1:0]   row_data_o,

  // Read port.
  input  logic [5:0]            read_acc_i,
  output logic                  read_ready_o,
  input  logic                  read_start_i,
  input  logic [5:0]            read_dest_i,
  input  logic [31:0]           read_seq_i,
  output logic                  read_done_o,
  output logic [5:0]            read_dest_o,
  output logic [31:0]           read_seq_o,
  output logic [8*LANES*32-1:0] read_data_o
);
  // Row r of accumulator a at [a * 8 + r]; the harness loads and reads it.
  logic [LANES*32-1:0] acc_q [512] /* verilator public_flat_rw */;

  // Rows pending, 8 bits per accumulator: at most LANES + 10 rows are in flight.
  logic [64*8-1:0] pending_q;

  assign read_ready_o = pending_q[read_acc_i*8 +: 8] == 8'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
    end else if (mul_start_i && sum_valid_i && mul_acc_i == sum_acc_i) begin
      pending_q[mul_acc_i*8 +: 8] <= pending_q[mul_acc_i*8 +: 8] + {4'd0, mul_rows_i} - 8'd1;
    end else begin
      if (mul_start_i)
        pending_q[mul_acc_i*8 +: 8] <= pending_q[mul_acc_i*8 +: 8] + {4'd0, mul_rows_i};
      if (sum_valid_i) pending_q[sum_acc_i*8 +: 8] <= pending_q[sum_acc_i*8 +: 8] - 8'd1;
    end
  end

  // Scratch of one clock edge, in a form that a C++ compiler turns into vector instructions.
  logic [LANES*32-1:0] old_t, new_t;

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    row_valid_o <= rst_ni && sum_valid_i;
    row_seq_o <= sum_seq_i;
    row_acc_o <= sum_acc_i;
    row_r_o <= sum_r_i;
    if (sum_valid_i) begin
      old_t = acc_q[{sum_acc_i, sum_r_i}];
      new_t = sum_i;
      if (sum_add_i && sum_s8_i)
        for (int unsigned j = 0; j < LANES; j = j + 1)
          new_t[j*32 +: 32] = old_t[j*32 +: 32] + sum_i[j*32 +: 32];
      if (sum_add_i && !sum_s8_i)
        for (int unsigned j = 0; j < LANES; j = j + 1)
          new_t[j*32 +: 32] = tpu_fp_pkg::add(old_t[j*32 +: 32], sum_i[j*32 +: 32]);
      acc_q[{sum_acc_i, sum_r_i}] <= new_t;
      row_data_o <= new_t;
    end
  end
  /* verilator lint_on BLKSEQ */

  always_ff @(posedge clk_i) begin
    read_done_o <= rst_ni && read_start_i;
    read_dest_o <= read_dest_i;
    read_seq_o <= read_seq_i;
    if (read_start_i)
      for (int unsigned r = 0; r < 8; r = r + 1)
        read_data_o[r*LANES*32 +: LANES*32] <= acc_q[{read_acc_i, r[2:0]}];
  end
endmodule

`default_nettype wire
