// The vector ALU alone, for tests/rtl/valu_test.cpp.
module valu_bench #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  start_i,
  input  tpu_pkg::valu_op_e           op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  tpu_pkg::form_e           x_form_i,
  input  logic [31:0]           x_scalar_i,
  input  logic [8*LANES*32-1:0] y_i,
  input  tpu_pkg::form_e           y_form_i,
  input  logic [31:0]           y_scalar_i,
  input  logic [8*LANES-1:0]    ma_i,
  input  logic [8*LANES-1:0]    mb_i,
  input  logic [1:0]            byte_i,
  input  logic [2:0]            n_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,
  output logic                  done_o,
  output tpu_pkg::space_e       space_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o,
  output logic [8*LANES-1:0]    mask_o,
  output logic [31:0]           scalar_o
);
  tpu_valu #(.LANES(LANES)) valu (.*);
endmodule
