// The small register files: scalars, predicates, masks, sync flags and the two weight buffers. Read at once, written at
// the end of the cycle. clear_i writes zeros at place_i of all but the weights.
`default_nettype none

module pico_files (
  input  logic        clk_i, rst_ni,
  input  logic        clear_i,
  input  logic [5:0]  place_i,
  // Scalars
  input  logic [4:0]  a_i, b_i,
  output logic [31:0] a_o, b_o,
  input  logic        sreg_we_i,
  input  logic [4:0]  sreg_i,
  input  logic [31:0] sreg_word_i,
  // Predicates
  output logic [7:0]  pregs_o,
  input  logic        preg_we_i,
  input  logic [2:0]  preg_i,
  input  logic        preg_bit_i,
  // Masks: a mask and a row
  input  logic [5:0]  mask_a_i, mask_b_i,
  output logic [7:0]  mask_a_o, mask_b_o,
  input  logic        mreg_we_i,
  input  logic [5:0]  mreg_i,
  input  logic [7:0]  mreg_bits_i,
  // Flags
  input  logic [4:0]  flag_i,
  output logic [31:0] flag_o,
  input  logic        flag_we_i, flag_adds_i,
  input  logic [31:0] flag_amount_i,
  // Weights, of the active and of the filling buffer
  input  logic [5:0]  weight_i,
  output logic [15:0] weight_o,
  input  logic        weight_we_i, swap_i,
  input  logic [5:0]  filling_i,
  input  logic [15:0] filling_word_i
);
  logic [31:0] sregs_q [32];
  logic [7:0]  mregs_q [64];
  logic [31:0] flags_q [32];
  logic [15:0] weights_q [128];
  logic [7:1]  pregs_q;
  logic        active_q;

  assign a_o = a_i == 5'd0 ? 32'd0 : sregs_q[a_i];
  assign b_o = b_i == 5'd0 ? 32'd0 : sregs_q[b_i];
  assign pregs_o = {pregs_q, 1'b1};
  assign mask_a_o = mask_a_i[5:3] == 3'd0 ? 8'hff : mregs_q[mask_a_i];
  assign mask_b_o = mask_b_i[5:3] == 3'd0 ? 8'hff : mregs_q[mask_b_i];
  assign flag_o = flags_q[flag_i];
  assign weight_o = weights_q[{active_q, weight_i}];

  // A memory each, so that each is one port for writing.
  logic [4:0]  sreg, flag;
  logic [5:0]  mreg;
  assign sreg = clear_i ? place_i[4:0] : sreg_i;
  assign flag = clear_i ? place_i[4:0] : flag_i;
  assign mreg = clear_i ? place_i : mreg_i;
  always_ff @(posedge clk_i) if (clear_i || sreg_we_i) sregs_q[sreg] <= clear_i ? 32'd0 : sreg_word_i;
  always_ff @(posedge clk_i) if (clear_i || mreg_we_i) mregs_q[mreg] <= clear_i ? 8'd0 : mreg_bits_i;
  always_ff @(posedge clk_i)
    if (clear_i || flag_we_i) flags_q[flag] <= clear_i ? 32'd0 : flag_amount_i + (flag_adds_i ? flag_o : 32'd0);
  always_ff @(posedge clk_i) if (weight_we_i) weights_q[{!active_q, filling_i}] <= filling_word_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (swap_i) active_q <= !active_q;
    if (clear_i) pregs_q <= 7'd0;
    else if (preg_we_i && preg_i != 3'd0) pregs_q[preg_i] <= preg_bit_i;
  end
endmodule
