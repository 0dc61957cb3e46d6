// The performance counters alone, for tests/rtl/counters_test.cpp.
module counters_bench (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        running_i,
  input  tpu_pkg::cause_e cause_i,
  input  logic [tpu_pkg::EVENT_COUNT*16-1:0] events_i,
  input  logic [9:0]  a_number_i,
  output logic [31:0] a_value_o,
  input  logic [9:0]  b_number_i,
  output logic [31:0] b_value_o
);
  tpu_counters counters (.*);
endmodule
