// The coefficients of the transcendental functions, from the generated tables, as one memory of 1024 segments:
// 128 of exp2, 128 of log2 (96 used), 128 of rcp, 128 of near tanh, 256 of rsqrt, 256 of far tanh. One cycle.
`default_nettype none

module pico_eup_tables (
  input  logic        clk_i,
  input  logic [2:0]  table_i,  // 0 exp2, 1 log2, 2 rcp, 3 rsqrt, 4 tanh below 1, 5 tanh from 1
  input  logic [7:0]  index_i,
  output logic [29:0] c0_o,
  output logic [23:0] c1_o,
  output logic [16:0] c2_o
);
  import tpu_eup_tables_pkg::*;

  logic [70:0] coefficients [1024];
  initial begin
    for (int i = 0; i < 128; ++i) begin
      coefficients[i] = {EUP_EXP2_C0[32*i +: 30], EUP_EXP2_C1[32*i +: 24], EUP_EXP2_C2[32*i +: 17]};
      coefficients[256 + i] = {EUP_RCP_C0[32*i +: 30], EUP_RCP_C1[32*i +: 24], EUP_RCP_C2[32*i +: 17]};
      coefficients[384 + i] = {EUP_TANH_NEAR_C0[32*i +: 30], EUP_TANH_NEAR_C1[32*i +: 24], EUP_TANH_NEAR_C2[32*i +: 17]};
    end
    for (int i = 0; i < 96; ++i)
      coefficients[128 + i] = {EUP_LOG2_C0[32*i +: 30], EUP_LOG2_C1[32*i +: 24], EUP_LOG2_C2[32*i +: 17]};
    for (int i = 96; i < 128; ++i) coefficients[128 + i] = 71'd0;
    for (int i = 0; i < 256; ++i) begin
      coefficients[512 + i] = {EUP_RSQRT_C0[32*i +: 30], EUP_RSQRT_C1[32*i +: 24], EUP_RSQRT_C2[32*i +: 17]};
      coefficients[768 + i] = {EUP_TANH_FAR_C0[32*i +: 30], EUP_TANH_FAR_C1[32*i +: 24], EUP_TANH_FAR_C2[32*i +: 17]};
    end
  end

  logic [9:0] place;
  always_comb begin
    unique case (table_i)
      3'd0: place = {3'd0, index_i[6:0]};
      3'd1: place = {3'd1, index_i[6:0]};
      3'd2: place = {3'd2, index_i[6:0]};
      3'd4: place = {3'd3, index_i[6:0]};
      3'd3: place = {2'd2, index_i};
      default: place = {2'd3, index_i};
    endcase
  end
  always_ff @(posedge clk_i) {c0_o, c1_o, c2_o} <= coefficients[place];
endmodule
