// Descriptor check of a copy at issue. In the first cycle (`read_i`) the 16 words and the operands
// are captured, in the second (`check_i`) the spans of the three dimensions are multiplied out;
// from the third on the verdict is valid, combinational, until the next read: TRAP_NONE or cause
// and detail. The words of a start copy are shifted in instead, without operands (`shift_i`); with
// the last one comes `check_i`.
//
// A box is [lowest, highest) byte that the runs touch, in signed arithmetic that cannot wrap.
`default_nettype none

module tpu_descriptor #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384
) (
  input  logic         clk_i,

  input  logic         read_i,
  input  logic [31:0]  address_i,
  input  logic [511:0] words_i,
  input  logic [31:0]  source_offset_i,       // in words
  input  logic [31:0]  destination_offset_i,
  input  logic         shift_i,
  input  logic [31:0]  shift_word_i,
  input  logic         check_i,
  input  logic [63:0]  hbm_bytes_i,
  input  logic [63:0]  text_i,
  input  logic [31:0]  text_bundles_i,
  input  logic [7:0]   chips_i,               // of the group

  output tpu_pkg::trap_e cause_o,
  output logic [31:0]  detail_o,
  output logic [511:0] words_o,
  output logic [63:0]  source_o,       // bytes, offset added
  output logic [63:0]  destination_o,
  output logic         empty_o,        // moves nothing
  output logic         starts_o        // a start may begin it: from HBM to VMEM of this chip
);
  localparam int unsigned VMEM_BYTES = VMEM_ROWS * LANES * 4;
  localparam int unsigned SMEM_BYTES = SMEM_WORDS * 4;

  logic [511:0] words_q;
  logic [511:0] shifted;
  assign shifted = {shift_word_i, words_q[511:32]};
  logic [31:0]  address_q, source_offset_q, destination_offset_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      words_q <= words_i;
      address_q <= address_i;
      source_offset_q <= source_offset_i;
      destination_offset_q <= destination_offset_i;
    end else if (shift_i) begin
      words_q <= shifted;
      address_q <= 32'd0;
      source_offset_q <= 32'd0;
      destination_offset_q <= 32'd0;
    end
  end

  function automatic logic [31:0] word(input logic [511:0] words, input logic [3:0] index);
    word = words[{index, 5'd0} +: 32];
  endfunction

  assign words_o = words_q;
  assign source_o = {word(words_q, tpu_pkg::DESC_SOURCE_HIGH), word(words_q, tpu_pkg::DESC_SOURCE)} + {30'd0, source_offset_q, 2'd0};
  assign destination_o = {word(words_q, tpu_pkg::DESC_TARGET_HIGH), word(words_q, tpu_pkg::DESC_TARGET)}
                       + {30'd0, destination_offset_q, 2'd0};
  assign empty_o = (word(words_q, tpu_pkg::DESC_LENGTH) == 32'd0) || (word(words_q, tpu_pkg::DESC_INNER) == 32'd0)
                || (word(words_q, tpu_pkg::DESC_MIDDLE) == 32'd0) || (word(words_q, tpu_pkg::DESC_OUTER) == 32'd0);

  // ---- second cycle: how far each dimension reaches, (count - 1) * stride -----------------------
  logic [511:0] checked;
  assign checked = shift_i ? shifted : words_q;
  logic signed [66:0] span_q [6];  // source of dimensions 1, 2, 3, then destination
  always_ff @(posedge clk_i) begin
    if (check_i) begin
      span_q[0] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_INNER) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_INNER_SOURCE_STRIDE)));
      span_q[1] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_MIDDLE) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_MIDDLE_SOURCE_STRIDE)));
      span_q[2] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_OUTER) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_OUTER_SOURCE_STRIDE)));
      span_q[3] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_INNER) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_INNER_TARGET_STRIDE)));
      span_q[4] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_MIDDLE) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_MIDDLE_TARGET_STRIDE)));
      span_q[5] <= 67'($signed({1'b0, word(checked, tpu_pkg::DESC_OUTER) - 32'd1}))
                 * 67'($signed(word(checked, tpu_pkg::DESC_OUTER_TARGET_STRIDE)));
    end
  end

  // ---- verdict ----------------------------------------------------------------------------------
  function automatic logic signed [66:0] below(input logic signed [66:0] span);
    below = span[66] ? span : 67'sd0;
  endfunction
  function automatic logic signed [66:0] above(input logic signed [66:0] span);
    above = span[66] ? 67'sd0 : span;
  endfunction
  function automatic logic signed [66:0] size_of(input tpu_pkg::memory_e space,
                                                 input logic [63:0] hbm_bytes);
    case (space)
      tpu_pkg::MEMORY_HBM: size_of = $signed({3'd0, hbm_bytes});
      tpu_pkg::MEMORY_VMEM: size_of = 67'(VMEM_BYTES);
      default: size_of = 67'(SMEM_BYTES);
    endcase
  endfunction

  tpu_pkg::memory_e   source_space, destination_space;
  logic signed [66:0] source_high, destination_low, destination_high, text_end;
  /* verilator lint_off UNUSEDSIGNAL */  // of the source only the sign of the lower end matters
  logic signed [66:0] source_low;
  /* verilator lint_on UNUSEDSIGNAL */
  assign source_space = tpu_pkg::memory_of(words_q[tpu_pkg::DESC_SOURCE_SPACE_LSB +: 2]);
  assign destination_space = tpu_pkg::memory_of(words_q[tpu_pkg::DESC_DESTINATION_SPACE_LSB +: 2]);
  assign source_low = $signed({3'd0, source_o}) + below(span_q[0]) + below(span_q[1])
                    + below(span_q[2]);
  assign source_high = $signed({3'd0, source_o}) + above(span_q[0]) + above(span_q[1])
                     + above(span_q[2]) + $signed({35'd0, word(words_q, tpu_pkg::DESC_LENGTH)});
  assign destination_low = $signed({3'd0, destination_o}) + below(span_q[3]) + below(span_q[4])
                         + below(span_q[5]);
  assign destination_high = $signed({3'd0, destination_o}) + above(span_q[3]) + above(span_q[4])
                          + above(span_q[5]) + $signed({35'd0, word(words_q, tpu_pkg::DESC_LENGTH)});
  assign text_end = $signed({3'd0, text_i}) + $signed({29'd0, text_bundles_i, 6'd0});

  // The errors of each word by itself.
  logic [15:0] bad;
  logic        remote;  // version 1
  assign remote = words_q[tpu_pkg::DESC_VERSION_LSB +: tpu_pkg::DESC_VERSION_WIDTH] == 8'd1;
  always_comb begin
    bad = 16'd0;
    bad[0] = ((words_q[31:0] & tpu_pkg::DESC_ZERO_BITS) != 32'd0)
          || (words_q[tpu_pkg::DESC_VERSION_LSB +: tpu_pkg::DESC_VERSION_WIDTH] > 8'd1)
          || (words_q[tpu_pkg::DESC_CHIP_LSB +: tpu_pkg::DESC_CHIP_WIDTH] >= (remote ? chips_i : 8'd1))
          || (source_space == 2'd3) || (destination_space == 2'd3)
          || (remote && (destination_space == tpu_pkg::MEMORY_SMEM))
          || (words_q[tpu_pkg::DESC_FLAG_LSB +: 8] >= 8'(tpu_pkg::FLAGS));
    if (remote)
      bad[1] = (words_q[tpu_pkg::DESC_AMOUNT_THERE_LSB +: tpu_pkg::DESC_AMOUNT_THERE_WIDTH] == 16'd0)
            || (words_q[tpu_pkg::DESC_FLAG_HERE_LSB +: 8] >= 8'(tpu_pkg::FLAGS));
    else
      bad[1] = ($signed(word(words_q, tpu_pkg::DESC_AMOUNT)) <= 0);
    for (int unsigned w = 2; w < 16; w = w + 1) begin
      if (tpu_pkg::DESC_NOT_NEGATIVE[w] && words_q[w*32 + 31]) bad[w] = 1'b1;
      if (tpu_pkg::DESC_ALIGNED[w] && (words_q[w*32 +: 2] != 2'd0)) bad[w] = 1'b1;
    end
  end

  assign starts_o = !remote && (source_space == tpu_pkg::MEMORY_HBM)
                 && (destination_space == tpu_pkg::MEMORY_VMEM);

  always_comb begin
    cause_o = tpu_pkg::TRAP_NONE;
    detail_o = 32'd0;
    if (address_q >= SMEM_WORDS) begin
      cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
      detail_o = address_q;
    end else if (address_q[3:0] != 4'd0) begin
      cause_o = tpu_pkg::TRAP_BAD_DESCRIPTOR;
      detail_o = 32'd16;
    end else if (bad != 16'd0) begin
      cause_o = tpu_pkg::TRAP_BAD_DESCRIPTOR;
      for (int unsigned w = 0; w < 16; w = w + 1)
        if (bad[15 - w]) detail_o = 32'd15 - w;
    end else if (!empty_o) begin
      if (source_low[66] || (source_high > size_of(source_space, hbm_bytes_i))) begin
        cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
        detail_o = 32'(tpu_pkg::DESC_SOURCE);
      end else if (destination_low[66]
                   || (destination_high > size_of(destination_space, hbm_bytes_i))) begin
        cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
        detail_o = 32'(tpu_pkg::DESC_TARGET);
      end else if ((destination_space == tpu_pkg::MEMORY_HBM) && (destination_low < text_end)
                   && (destination_high > $signed({3'd0, text_i}))) begin
        cause_o = tpu_pkg::TRAP_ADDRESS_RANGE;
        detail_o = 32'(tpu_pkg::DESC_TARGET_HIGH);
      end
    end
  end
endmodule

`default_nettype wire
