// Executes an instruction of a scalar, vector, cross-lane or matrix slot as passes over the 64 elements of a register
// (pico_passes), one element a cycle through the arithmetic unit. A pass begins when the last result of the one before is
// written.
//
// start_i begins the instruction whose slot and bits are at the inputs until done_o, one cycle at its end. An element
// takes two cycles for its operands (y, then x, whose place may depend on y) and ALU_CYCLES for its result.
`default_nettype none

module pico_stream
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic          clk_i, rst_ni,
  input  logic          start_i,
  output logic          busy_o, done_o,
  input  logic [3:0]    slot_i,
  input  logic [63:0]   bits_i,
  input  logic [31:0]   x_constant_i, y_constant_i,
  input  logic [5:0]    number_i,
  input  logic          condition_i,  // of the scalar `sel`
  // Registers: an address now, its word in the next cycle; masks and weights at once
  output logic [11:0]   x_vreg_o, y_vreg_o, acc_o,
  output logic [8:0]    x_result_o, y_result_o,
  input  logic [31:0]   x_vreg_i, y_vreg_i, acc_i, x_result_i, y_result_i,
  output logic [5:0]    mask_a_o, mask_b_o,  // mask and row
  input  logic [7:0]    mask_a_i, mask_b_i,
  output logic [5:0]    weight_o,
  input  logic [15:0]   weight_i,
  // Arithmetic
  output alu_e          alu_o,
  output logic [31:0]   x_o, y_o, z_o,
  output logic          condition_o,
  output logic [1:0]    byte_o,
  input  logic [31:0]   result_i,
  // Results
  output result_write_t result_o,
  output logic          acc_we_o, weight_we_o, swap_o,
  output logic [11:0]   acc_address_o,
  output logic [5:0]    weight_address_o,
  output logic [31:0]   acc_data_o,
  output logic [15:0]   weight_data_o
);
  localparam int unsigned STAGES = ALU_CYCLES + 2;
  typedef struct packed {
    logic       valid;
    logic [5:0] element;
  } tag_t;

  pass_t      pass_q, pass_d;
  logic [3:0] step_q;
  pico_passes passes (.slot_i(slot_i), .bits_i(bits_i), .step_i(step_q), .number_i(number_i), .pass_o(pass_d));
  always_ff @(posedge clk_i) pass_q <= pass_d;  // there one cycle after its step

  // ---- elements on their way ---------------------------------------------------------------------------------
  logic       running_q, ready_q, feeding_q, drained, pass_ends, multiplies;
  logic [5:0] element_q;
  tag_t       tags_q [STAGES];
  tag_t       done;
  always_comb begin
    drained = !feeding_q && !ready_q;
    for (int unsigned i = 0; i < STAGES; ++i) if (tags_q[i].valid) drained = 1'b0;
  end
  assign pass_ends = running_q && drained;
  assign done_o = pass_ends && pass_q.last;
  assign busy_o = running_q;
  assign multiplies = slot_i == SLOT_MX && (bits_i[7:0] == OP_MXMUL_BF16 || bits_i[7:0] == OP_MXMUL_S8);
  assign swap_o = start_i && multiplies && bits_i[37];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {running_q, ready_q, feeding_q} <= '0;
      step_q <= 4'd0;
      element_q <= 6'd0;
      for (int unsigned i = 0; i < STAGES; ++i) tags_q[i] <= '0;
    end else begin
      tags_q[0] <= '{valid: feeding_q, element: element_q};
      for (int unsigned i = 1; i < STAGES; ++i) tags_q[i] <= tags_q[i-1];
      if (start_i) begin
        {running_q, ready_q} <= 2'b11;
        element_q <= 6'd0;
        step_q <= multiplies && !bits_i[37] ? 4'd1 : 4'd0;
      end else if (ready_q) begin
        ready_q <= 1'b0;
        feeding_q <= 1'b1;
      end else if (feeding_q) begin
        element_q <= element_q + 6'd1;
        feeding_q <= !pass_q.single && element_q != 6'd63;
      end else if (pass_ends) begin
        running_q <= !pass_q.last;
        ready_q <= !pass_q.last;
        step_q <= step_q + 4'd1;
      end
    end
  end

  // ---- operands ----------------------------------------------------------------------------------------------
  // y first, in the cycle of element_q; then x.
  logic [5:0]  y_element, x_element, e1, e2;
  logic [31:0] y1, y_word_q;
  assign e1 = tags_q[0].element;
  assign e2 = tags_q[1].element;
  assign y_element = (element_q & pass_q.y_and) | pass_q.y_or;
  assign y_vreg_o = {pass_q.y_register, y_element};
  assign y_result_o = {pass_q.y_register[2:0], y_element};
  assign y1 = pass_q.y_source == SOURCE_RESULT ? y_result_i : y_vreg_i;
  always_comb begin
    unique case (pass_q.x_map)
      MAP_ROTATE_SUBLANES: x_element = {e1[5:3] - number_i[2:0], e1[2:0]};
      MAP_ROTATE_LANES: x_element = {e1[5:3], e1[2:0] - number_i[2:0]};
      MAP_TRANSPOSE: x_element = {e1[2:0], e1[5:3]};
      MAP_PERMUTE: x_element = {e1[5:3], y1[2:0]};
      default: x_element = (e1 & pass_q.x_and) | pass_q.x_or;
    endcase
  end
  assign x_vreg_o = {pass_q.x_register, x_element};
  assign acc_o = {pass_q.x_register, x_element};
  assign x_result_o = pass_q.z_source == SOURCE_RESULT ? {3'd6, e1} : {pass_q.x_register[2:0], x_element};
  always_ff @(posedge clk_i) y_word_q <= y1;

  // Both are there.
  logic        mask_a, mask_b;
  logic [31:0] x_word, y_word, lane, sublane;
  assign mask_a_o = {bits_i[28:26], e2[5:3]};
  assign mask_b_o = {bits_i[34:32], e2[5:3]};
  assign mask_a = mask_a_i[e2[2:0]] ^ bits_i[29];
  assign mask_b = mask_b_i[e2[2:0]] ^ bits_i[35];
  assign weight_o = (e2 & pass_q.y_and) | pass_q.y_or;
  assign lane = {29'b0, e2[2:0]};
  assign sublane = {29'b0, e2[5:3]};
  always_comb begin
    unique case (pass_q.x_source)
      SOURCE_VREG: x_word = x_vreg_i;
      SOURCE_RESULT: x_word = x_result_i;
      SOURCE_ACC: x_word = acc_i;
      SOURCE_MASK: x_word = {31'b0, mask_a};
      SOURCE_LANE: x_word = lane;
      SOURCE_SUBLANE: x_word = sublane;
      default: x_word = 32'd0;
    endcase
    unique case (pass_q.y_source)
      SOURCE_MASK: y_word = {31'b0, mask_b};
      SOURCE_WEIGHT: y_word = {16'b0, weight_i};
      default: y_word = y_word_q;
    endcase
    unique case (pass_q.z_source)
      SOURCE_RESULT: z_o = x_result_i;
      SOURCE_LANE: z_o = lane;
      SOURCE_SUBLANE: z_o = sublane;
      default: z_o = 32'd0;
    endcase
  end

  function automatic logic [31:0] formed(input logic [3:0] form, input logic [1:0] number, input logic [31:0] word,
                                         input logic [31:0] constant);
    logic [7:0] one;
    one = word[8*number +: 8];
    unique case (form)
      FORM_LOW: formed = {word[15:0], 16'b0};
      FORM_HIGH: formed = {word[31:16], 16'b0};
      FORM_CONSTANT: formed = constant;
      FORM_BF16: formed = {bf16_of_f32(word), 16'b0};
      FORM_BYTE: formed = {{24{one[7]}}, one};
      default: formed = word;
    endcase
  endfunction
  assign x_o = formed(pass_q.x_form, pass_q.x_byte, x_word, x_constant_i);
  assign y_o = formed(pass_q.y_form, 2'd0, y_word, y_constant_i);
  assign alu_o = pass_q.alu;
  assign condition_o = slot_i == SLOT_SA || slot_i == SLOT_SB ? condition_i : mask_a;
  assign byte_o = bits_i[27:26];

  // ---- results -----------------------------------------------------------------------------------------------
  logic        counts, found_q;
  logic [6:0]  ones_q, ones;
  logic [5:0]  first_q, first;
  assign done = tags_q[STAGES-1];
  assign counts = pass_q.target == TO_COUNT || pass_q.target == TO_FIRST;
  assign ones = ones_q + {6'b0, result_i[0]};
  assign first = found_q ? first_q : done.element;
  always_ff @(posedge clk_i) begin
    if (start_i) {found_q, ones_q, first_q} <= '0;
    else if (done.valid) begin
      found_q <= found_q || result_i[0];
      ones_q <= ones;
      first_q <= first;
    end
  end

  always_comb begin
    result_o.we = done.valid && (pass_q.target == TO_RESULT || (counts && done.element == 6'd63));
    result_o.address = {pass_q.to, counts ? 6'd0 : done.element};
    unique case (pass_q.target)
      TO_COUNT: result_o.data = {25'b0, ones};
      TO_FIRST: result_o.data = found_q || result_i[0] ? {26'b0, first} : 32'hffffffff;
      default: result_o.data = result_i;
    endcase
  end

  assign acc_we_o = done.valid && pass_q.target == TO_ACC && done.element[5:3] <= bits_i[35:33];
  assign acc_address_o = {number_i, done.element};
  assign acc_data_o = result_i;
  assign weight_we_o = done.valid && (pass_q.target == TO_WEIGHT || pass_q.target == TO_WEIGHT_TRANSPOSED);
  assign weight_address_o = pass_q.target == TO_WEIGHT ? done.element : {done.element[2:0], done.element[5:3]};
  assign weight_data_o = pass_q.x_form == FORM_BYTE ? result_i[15:0] : result_i[31:16];
endmodule
