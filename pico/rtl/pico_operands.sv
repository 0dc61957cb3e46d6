// Which scalar registers the instruction of a slot reads, and the constants and numbers that they and its bits make.
// Combinational.
`default_nettype none

module pico_operands
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic [3:0]  slot_i,
  input  logic [63:0] bits_i,
  input  logic        copy_first_i,  // a copy's descriptor address, not its offsets
  output logic [4:0]  a_o, b_o,      // the registers
  input  logic [31:0] a_i, b_i,      // their words
  input  logic [7:0]  pregs_i,
  output logic        enabled_o,
  output logic [31:0] x_o, y_o,      // of the arithmetic unit, where they are no vectors
  output logic [5:0]  number_o,      // lane, sublane, element or accumulator
  output logic        condition_o,   // of `sel`
  output logic [31:0] smem_o,        // address of sld, sst and ssti
  output logic [31:0] place_o,       // accumulator or row of weights
  output logic [31:0] flag_o, n_o    // of slot dma
);
  logic [7:0] opcode;
  logic       of_predicates, shifts, moves_sublanes;
  assign opcode = bits_i[7:0];
  assign of_predicates = opcode == OP_PAND || opcode == OP_POR || opcode == OP_PXOR;
  assign shifts = opcode == OP_SHL || opcode == OP_SHR || opcode == OP_SAR;
  assign moves_sublanes = opcode == OP_VROT_SUB || opcode == OP_VBCAST_SUB;
  assign enabled_o = bits_i != 64'd0 && (pregs_i[bits_i[10:8]] ^ bits_i[11]);

  always_comb begin
    unique case (slot_i)
      SLOT_SA: {a_o, b_o} = {bits_i[21:17], bits_i[26:22]};
      SLOT_SB: {a_o, b_o} = {opcode == OP_SSTI ? bits_i[16:12] : bits_i[21:17], bits_i[26:22]};
      SLOT_VA, SLOT_VB: {a_o, b_o} = {bits_i[22:18], moves_sublanes ? bits_i[30:26] : bits_i[36:32]};
      SLOT_LD, SLOT_ST: {a_o, b_o} = {bits_i[22:18], bits_i[58:54]};
      SLOT_MX: {a_o, b_o} = {bits_i[32:28], 5'd0};
      SLOT_XU: {a_o, b_o} = {5'd0, bits_i[28:24]};
      default:
        if (opcode != OP_COPY) {a_o, b_o} = {bits_i[21:17], bits_i[27:23]};
        else {a_o, b_o} = {copy_first_i ? bits_i[16:12] : bits_i[21:17], bits_i[26:22]};
    endcase
  end

  logic scalar_slot;
  assign scalar_slot = slot_i == SLOT_SA || slot_i == SLOT_SB;
  always_comb begin
    x_o = a_i;
    y_o = bits_i[31] ? bits_i[63:32] : b_i;
    if (scalar_slot) begin
      y_o = bits_i[30] ? bits_i[63:32] : b_i;
      if (shifts) y_o = {27'b0, y_o[4:0]};
      if (of_predicates) begin
        x_o = {31'b0, pregs_i[bits_i[19:17]] ^ bits_i[20]};
        y_o = {31'b0, pregs_i[bits_i[24:22]] ^ bits_i[25]};
      end
    end
  end
  always_comb begin
    unique case (slot_i)
      SLOT_MX: number_o = place_o[5:0];
      SLOT_XU: number_o = bits_i[31] ? bits_i[29:24] : b_i[5:0];
      default: number_o = bits_i[31] ? bits_i[37:32] : b_i[5:0];
    endcase
  end
  assign condition_o = pregs_i[bits_i[29:27]] ^ bits_i[31];
  assign smem_o = a_i + (opcode == OP_SSTI ? {{17{bits_i[31]}}, bits_i[31:17]} : bits_i[63:32]);
  assign place_o = a_i + {25'b0, bits_i[27:21]};
  assign flag_o = a_i + {27'b0, bits_i[16:12]};
  assign n_o = bits_i[22] ? {{23{bits_i[31]}}, bits_i[31:23]} : b_i;
endmodule
