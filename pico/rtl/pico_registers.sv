// The registers that a host writes before a start and reads after it, and those that a program reads
// (docs/registers.md). pico has cycles and bundles; all other counters read 0.
`default_nettype none

module pico_registers
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic        clk_i, rst_ni,
  // Host
  input  logic        write_i,
  input  logic [9:0]  address_i,
  input  logic [31:0] data_i,
  output logic [31:0] data_o,
  // Program
  input  logic [9:0]  csr_i,
  output logic [31:0] csr_o,
  // What the core needs of them
  output logic        start_o, stop_o,
  output logic [63:0] text_o, arguments_o, hbm_size_o,
  output logic [31:0] text_bundles_o, entry_o, argument_words_o,
  // How the run goes
  input  logic        running_i, bundle_i,
  input  logic        ended_i, halted_i,  // one cycle
  input  trap_t       trap_i,
  input  logic [31:0] pc_i,
  output logic        halted_o, trapped_o,
  output trap_t       trap_o,
  output logic [31:0] trap_pc_o
);
  logic        start_error_q, write_start;
  logic [63:0] cycles_q, bundles_q;
  assign write_start = write_i && address_i == REG_CONTROL && data_i[BIT_CONTROL_START];
  assign start_o = write_start && !running_i;
  assign stop_o = write_i && address_i == REG_CONTROL && data_i[BIT_CONTROL_STOP];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {text_o, arguments_o, hbm_size_o} <= '0;
      {text_bundles_o, entry_o, argument_words_o} <= '0;
      {halted_o, trapped_o, trap_o, trap_pc_o, start_error_q} <= '0;
    end else begin
      if (write_i && !running_i)
        unique case (address_i)
          REG_TEXT_LO: text_o[31:0] <= data_i;
          REG_TEXT_HI: text_o[63:32] <= data_i;
          REG_TEXT_BUNDLES: text_bundles_o <= data_i;
          REG_ENTRY_PC: entry_o <= data_i;
          REG_ARG_LO: arguments_o[31:0] <= data_i;
          REG_ARG_HI: arguments_o[63:32] <= data_i;
          REG_ARG_WORDS: argument_words_o <= data_i;
          REG_HBM_LO: hbm_size_o[31:0] <= data_i;
          REG_HBM_HI: hbm_size_o[63:32] <= data_i;
          default: ;
        endcase
      if (start_o) {halted_o, trapped_o, trap_o, trap_pc_o} <= '0;
      if (ended_i) begin
        halted_o <= halted_i;
        trapped_o <= trap_i.cause != TRAP_NONE;
        trap_o <= trap_i;
        if (trap_i.cause != TRAP_NONE) trap_pc_o <= pc_i;
      end
      if (write_start && running_i) start_error_q <= 1'b1;
      else if (write_i && address_i == REG_STATUS && data_i[BIT_STATUS_START_ERROR]) start_error_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_o) {cycles_q, bundles_q} <= '0;
    else begin
      if (running_i) cycles_q <= cycles_q + 64'd1;
      if (bundle_i) bundles_q <= bundles_q + 64'd1;
    end
  end

  function automatic logic [31:0] read(input logic [9:0] number);
    unique case (number)
      REG_ID: read = 32'h444e4154;
      REG_VERSION: read = 32'd1;
      REG_STATUS: read = {27'b0, start_error_q, 1'b0, trapped_o, halted_o, running_i};
      REG_TEXT_LO: read = text_o[31:0];
      REG_TEXT_HI: read = text_o[63:32];
      REG_TEXT_BUNDLES: read = text_bundles_o;
      REG_ENTRY_PC: read = entry_o;
      REG_ARG_LO: read = arguments_o[31:0];
      REG_ARG_HI: read = arguments_o[63:32];
      REG_HBM_LO: read = hbm_size_o[31:0];
      REG_HBM_HI: read = hbm_size_o[63:32];
      REG_TRAP_CAUSE: read = {20'b0, trap_o.slot, trap_o.cause};
      REG_TRAP_PC: read = trap_pc_o;
      REG_TRAP_DETAIL: read = trap_o.detail;
      REG_LANES: read = LANES;
      REG_SUBLANE_COUNT: read = SUBLANES;
      REG_VMEM_ROWS: read = VMEM_ROWS;
      REG_SMEM_WORDS: read = SMEM_WORDS;
      REG_ICACHE_BUNDLES: read = ICACHE_BUNDLES;
      REG_ARG_WORDS: read = argument_words_o;
      REG_CHIPS: read = 32'd1;
      REG_CYCLES_LO: read = cycles_q[31:0];
      REG_CYCLES_HI: read = cycles_q[63:32];
      REG_BUNDLES_LO: read = bundles_q[31:0];
      REG_BUNDLES_HI: read = bundles_q[63:32];
      default: read = 32'd0;  // core_id and chip too
    endcase
  endfunction
  always_comb data_o = read(address_i);
  always_comb csr_o = read(csr_i);
endmodule
