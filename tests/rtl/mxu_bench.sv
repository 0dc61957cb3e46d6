// The matrix unit alone, for tests/rtl/mxu_test.cpp.
module mxu_bench #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [31:0]           seq_i,
  input  logic                  push_valid_i,
  input  logic                  push_transposed_i,
  input  tpu_pkg::part_e           push_part_i,
  input  logic [6:0]            push_row_i,
  output logic                  push_ready_o,
  input  logic                  push_start_i,
  input  logic                  mul_valid_i,
  input  logic                  mul_s8_i,
  input  tpu_pkg::part_e           mul_part_i,
  input  logic [2:0]            mul_rows_i,
  input  logic                  mul_add_i,
  input  logic                  mul_swap_i,
  input  logic [5:0]            mul_acc_i,
  output logic                  mul_ready_o,
  input  logic                  mul_start_i,
  output logic                  row_valid_o,
  output logic [31:0]           row_seq_o,
  output logic [5:0]            row_acc_o,
  output logic [2:0]            row_r_o,
  output logic [LANES*32-1:0]   row_data_o,
  input  logic                  read_valid_i,
  input  logic [5:0]            read_acc_i,
  input  logic [5:0]            read_dest_i,
  output logic                  read_ready_o,
  input  logic                  read_start_i,
  output logic                  read_done_o,
  output logic [5:0]            read_dest_o,
  output logic [31:0]           read_seq_o,
  output logic [8*LANES*32-1:0] read_data_o,
  output logic                  idle_o
);
  tpu_mxu #(.LANES(LANES)) mxu (.*);
endmodule
