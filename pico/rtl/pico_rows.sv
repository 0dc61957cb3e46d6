// Loads and stores, row by row: first, with checking_i, only the addresses; then the elements. docs/reference.md,
// sections 3 and 4.
//
// start_i begins; done_o is one cycle at the end, with trap_o when checking finds an address out of range. A row takes
// two cycles for its address, and eight for its elements.
`default_nettype none

module pico_rows
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic          clk_i, rst_ni,
  input  logic          start_i, checking_i,
  output logic          busy_o, done_o, trap_o,
  output logic [31:0]   detail_o,
  input  logic          stores_i,       // slot st, not ld
  input  logic [63:0]   bits_i,
  input  logic [31:0]   base_i, bound_i,
  output logic [11:0]   vreg_o,         // the word comes one cycle later
  input  logic [31:0]   vreg_i,
  output logic [5:0]    mask_o,         // mask and row
  input  logic [7:0]    mask_i,
  output logic [13:0]   vmem_o,
  input  logic [31:0]   vmem_i,
  output logic          vmem_we_o,
  output logic [13:0]   vmem_address_o,
  output logic [31:0]   vmem_data_o,
  output result_write_t result_o
);
  typedef enum logic [2:0] {IDLE, INDEX, ROW, ELEMENTS, DRAIN} state_e;
  state_e      state_q;
  logic [2:0]  row_q, lane_q;
  logic [31:0] stride_q;    // of rows so far
  logic [13:0] place_q;     // of the row, in words
  logic        enabled_q, columns, indexed, row_enabled, out_of_range, last_row;
  logic [31:0] offset, address;
  logic [7:0]  mask;

  assign columns = !stores_i && bits_i[7:0] == OP_VLDC;
  assign indexed = stores_i ? bits_i[7:0] == OP_VSTX : bits_i[7:0] == OP_VLDX;
  assign mask_o = {bits_i[25:23], row_q};
  assign mask = mask_i ^ {8{bits_i[26]}};
  assign offset = {{16{bits_i[47]}}, bits_i[47:32]} + (indexed ? vreg_i : stride_q);
  assign address = base_i + offset;
  assign row_enabled = row_q <= bits_i[29:27] && mask != 8'd0 && (!indexed || vreg_i < bound_i);
  assign out_of_range = columns ? address >= VMEM_WORDS : address >= VMEM_ROWS;
  assign last_row = row_q == 3'd7;

  assign busy_o = state_q != IDLE;
  assign trap_o = state_q == ROW && checking_i && row_enabled && out_of_range;
  assign detail_o = address;
  assign done_o = trap_o || (state_q == ROW && checking_i && last_row) || state_q == DRAIN;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else
      unique case (state_q)
        INDEX: state_q <= ROW;
        ROW:
          if (done_o) state_q <= IDLE;
          else state_q <= checking_i ? INDEX : ELEMENTS;
        ELEMENTS: if (lane_q == 3'd7) state_q <= last_row ? DRAIN : INDEX;
        DRAIN: state_q <= IDLE;
        default: if (start_i) state_q <= INDEX;
      endcase
  end

  logic row_ends;
  assign row_ends = checking_i ? state_q == ROW : state_q == ELEMENTS && lane_q == 3'd7;
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      {row_q, lane_q} <= '0;
      stride_q <= 32'd0;
    end
    if (state_q == ROW) begin
      place_q <= columns ? address[13:0] : {address[10:0], 3'b0};
      enabled_q <= row_enabled;
    end
    if (state_q == ELEMENTS) lane_q <= lane_q + 3'd1;
    if (row_ends) begin
      row_q <= row_q + 3'd1;
      stride_q <= stride_q + (columns ? 32'd1 : {{20{bits_i[59]}}, bits_i[59:48]});
    end
  end

  // An element is read in the cycle of lane_q and written in the next.
  logic        moving_q, taken_q;
  logic [5:0]  element_q;
  logic [13:0] element_place, element_place_q;
  assign element_place = columns ? place_q : {place_q[13:3], lane_q};
  assign vmem_o = element_place;
  assign vreg_o = state_q == INDEX ? {bits_i[53:48], row_q, 3'd0} : {bits_i[17:12], row_q, lane_q};
  always_ff @(posedge clk_i) begin
    moving_q <= rst_ni && state_q == ELEMENTS;
    taken_q <= enabled_q && mask[lane_q];
    element_q <= {row_q, lane_q};
    element_place_q <= element_place;
  end
  assign result_o = '{we: moving_q && !stores_i, address: {SLOT_LD[2:0], element_q}, data: taken_q ? vmem_i : 32'd0};
  assign vmem_we_o = moving_q && stores_i && taken_q;
  assign vmem_address_o = element_place_q;
  assign vmem_data_o = vreg_i;
endmodule
