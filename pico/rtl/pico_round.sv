// round_pack of docs/numerics.md in two cycles: normalise, then round to 24 bits and pack.
`default_nettype none

module pico_round
  import pico_pkg::*;
(
  input  logic        clk_i,
  input  round_t      value_i,  // not valid: bypass_i is the result
  input  logic [31:0] bypass_i,
  output logic [31:0] result_o
);
  logic [5:0] zeros;
  always_comb begin
    zeros = 6'd63;
    for (int i = 0; i < 64; ++i) if (value_i.magnitude[i]) zeros = 6'(63 - i);
  end

  round_t      normal_q;
  logic [31:0] bypass_q;
  always_ff @(posedge clk_i) begin
    normal_q.valid <= value_i.valid;
    normal_q.negative <= value_i.negative;
    normal_q.exponent <= value_i.exponent - 12'(zeros);
    normal_q.magnitude <= value_i.magnitude << zeros;
    bypass_q <= bypass_i;
  end

  logic               up;
  logic [24:0]        rounded;  // bit 23 is the leading one, unless it is bit 24
  logic signed [11:0] exponent;
  logic [31:0]        packed_value;
  assign up = normal_q.magnitude[39] && (normal_q.magnitude[38:0] != 39'd0 || normal_q.magnitude[40]);
  assign rounded = {1'b0, normal_q.magnitude[63:40]} + {24'b0, up};
  assign exponent = normal_q.exponent + 12'(rounded[24]);
  always_comb begin
    if (!normal_q.magnitude[63] || exponent <= 0) packed_value = {normal_q.negative, 31'b0};
    else if (exponent >= 255) packed_value = {normal_q.negative, INF};
    else packed_value = {normal_q.negative, exponent[7:0], rounded[22:0]};
  end
  always_ff @(posedge clk_i) result_o <= normal_q.valid ? packed_value : bypass_q;
endmodule
