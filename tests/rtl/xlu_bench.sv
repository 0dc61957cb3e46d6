// The cross-lane unit alone, for tests/rtl/xlu_test.cpp.
module xlu_bench #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,
  input  logic                  start_i,
  input  tpu_pkg::cross_op_e           op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [8*LANES*32-1:0] index_i,
  input  logic [31:0]           n_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,
  output logic                  done_o,
  output tpu_pkg::space_e       space_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o,
  output logic [31:0]           scalar_o
);
  tpu_xlu #(.LANES(LANES)) xlu (.*);
endmodule
