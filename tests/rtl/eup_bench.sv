// The transcendental unit alone, for tests/rtl/eup_test.cpp.
module eup_bench #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  ready_o,
  input  logic                  start_i,
  input  tpu_pkg::cross_op_e           op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,
  output logic                  done_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o
);
  tpu_eup #(.LANES(LANES)) eup (.*);
endmodule
