// Host registers and the values that programs read as CSRs. A register is written at the end of the
// cycle of `reg_write_i`; reads are combinational. Numbers and meaning: isa/registers/registers.def.
`default_nettype none

module tpu_host #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Host
  input  logic        reg_write_i,
  input  logic [9:0]  reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  output logic        irq_o,

  // Chip number and number of chips
  input  logic [7:0]  chip_i,
  input  logic [7:0]  chips_i,

  // Programs
  input  logic [9:0]  csr_number_i,
  output logic [31:0] csr_value_o,

  // Counters, looked up by register number
  output logic [9:0]  counter_host_o,
  input  logic [31:0] counter_host_i,
  output logic [9:0]  counter_csr_o,
  input  logic [31:0] counter_csr_i,

  // Start copies
  output logic        start_word_o,
  output logic [31:0] start_word_data_o,
  input  logic        start_refused_i,

  // Control
  output logic        start_o,
  output logic        stop_o,
  input  logic        running_i,
  input  logic        halted_i,
  input  logic        trapped_i,
  input  logic        machine_check_i,
  input  logic        ended_i,
  input  tpu_pkg::trap_e trap_cause_i,
  input  logic [3:0]  trap_slot_i,
  input  logic [31:0] trap_pc_i,
  input  logic [31:0] trap_detail_i,
  output logic [63:0] text_o,
  output logic [31:0] text_bundles_o,
  output logic [31:0] entry_pc_o,
  output logic [63:0] hbm_bytes_o,
  output logic [63:0] arguments_o,
  output logic [31:0] argument_words_o
);
  localparam logic [31:0] ID = 32'h444e4154;
  localparam logic [31:0] VERSION = 32'd1;

  logic [31:0] text_lo_q, text_hi_q, text_bundles_q, entry_pc_q;
  logic [31:0] arg_lo_q, arg_hi_q, arg_words_q, hbm_lo_q, hbm_hi_q;
  logic [1:0]  enable_q, pending_q;
  logic        ended_q, error_q, write_control, write_status, write_pending, write_start_copy;

  assign text_o = {text_hi_q, text_lo_q};
  assign text_bundles_o = text_bundles_q;
  assign entry_pc_o = entry_pc_q;
  assign hbm_bytes_o = {hbm_hi_q, hbm_lo_q};
  assign arguments_o = {arg_hi_q, arg_lo_q};
  assign argument_words_o = arg_words_q;
  assign write_control = reg_write_i && (reg_addr_i == tpu_pkg::REG_CONTROL);
  assign write_status = reg_write_i && (reg_addr_i == tpu_pkg::REG_STATUS);
  assign write_pending = reg_write_i && (reg_addr_i == tpu_pkg::REG_INTERRUPT_PENDING);
  assign write_start_copy = reg_write_i && (reg_addr_i == tpu_pkg::REG_START_COPY);
  assign start_word_o = write_start_copy && !running_i;
  assign start_word_data_o = reg_wdata_i;
  assign start_o = write_control && reg_wdata_i[tpu_pkg::BIT_CONTROL_START] && !running_i;
  assign stop_o = write_control && reg_wdata_i[tpu_pkg::BIT_CONTROL_STOP];
  assign irq_o = (pending_q & enable_q) != 2'd0;

  // ---- writes -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      text_lo_q <= 32'd0;
      text_hi_q <= 32'd0;
      text_bundles_q <= 32'd0;
      entry_pc_q <= 32'd0;
      arg_lo_q <= 32'd0;
      arg_hi_q <= 32'd0;
      arg_words_q <= 32'd0;
      hbm_lo_q <= 32'd0;
      hbm_hi_q <= 32'd0;
      enable_q <= 2'd0;
    end else if (reg_write_i) begin
      case (reg_addr_i)
        tpu_pkg::REG_TEXT_LO: text_lo_q <= reg_wdata_i;
        tpu_pkg::REG_TEXT_HI: text_hi_q <= reg_wdata_i;
        tpu_pkg::REG_TEXT_BUNDLES: text_bundles_q <= reg_wdata_i;
        tpu_pkg::REG_ENTRY_PC: entry_pc_q <= reg_wdata_i;
        tpu_pkg::REG_ARG_LO: arg_lo_q <= reg_wdata_i;
        tpu_pkg::REG_ARG_HI: arg_hi_q <= reg_wdata_i;
        tpu_pkg::REG_ARG_WORDS: arg_words_q <= reg_wdata_i;
        tpu_pkg::REG_HBM_LO: hbm_lo_q <= reg_wdata_i;
        tpu_pkg::REG_HBM_HI: hbm_hi_q <= reg_wdata_i;
        tpu_pkg::REG_INTERRUPT_ENABLE: enable_q <= reg_wdata_i[1:0];
        default: ;
      endcase
    end
  end

  // An end sets its bit in the cycle after status is set, and wins over the host clearing it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= 2'd0;
      ended_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      ended_q <= ended_i;
      pending_q <= (pending_q & ~(write_pending ? reg_wdata_i[1:0] : 2'd0))
                 | (ended_q ? {trapped_i || machine_check_i, halted_i} : 2'd0);
      error_q <= (error_q && !(write_status && reg_wdata_i[tpu_pkg::BIT_STATUS_START_ERROR]))
              || (write_control && reg_wdata_i[tpu_pkg::BIT_CONTROL_START] && running_i)
              || (write_start_copy && running_i) || start_refused_i;
    end
  end

  // ---- reads ------------------------------------------------------------------------------------
  assign counter_host_o = reg_addr_i;
  assign counter_csr_o = csr_number_i;

  logic [31:0] status;
  always_comb begin
    status = 32'd0;
    status[tpu_pkg::BIT_STATUS_RUNNING] = running_i;
    status[tpu_pkg::BIT_STATUS_HALTED] = halted_i;
    status[tpu_pkg::BIT_STATUS_TRAPPED] = trapped_i;
    status[tpu_pkg::BIT_STATUS_MACHINE_CHECK] = machine_check_i;
    status[tpu_pkg::BIT_STATUS_START_ERROR] = error_q;
  end

  always_comb begin
    case (reg_addr_i)
      tpu_pkg::REG_ID: reg_rdata_o = ID;
      tpu_pkg::REG_VERSION: reg_rdata_o = VERSION;
      tpu_pkg::REG_CONTROL, tpu_pkg::REG_START_COPY: reg_rdata_o = 32'd0;
      tpu_pkg::REG_STATUS: reg_rdata_o = status;
      tpu_pkg::REG_INTERRUPT_ENABLE: reg_rdata_o = {30'd0, enable_q};
      tpu_pkg::REG_INTERRUPT_PENDING: reg_rdata_o = {30'd0, pending_q};
      tpu_pkg::REG_TEXT_LO: reg_rdata_o = text_lo_q;
      tpu_pkg::REG_TEXT_HI: reg_rdata_o = text_hi_q;
      tpu_pkg::REG_TEXT_BUNDLES: reg_rdata_o = text_bundles_q;
      tpu_pkg::REG_ENTRY_PC: reg_rdata_o = entry_pc_q;
      tpu_pkg::REG_ARG_LO: reg_rdata_o = arg_lo_q;
      tpu_pkg::REG_ARG_HI: reg_rdata_o = arg_hi_q;
      tpu_pkg::REG_ARG_WORDS: reg_rdata_o = arg_words_q;
      tpu_pkg::REG_HBM_LO: reg_rdata_o = hbm_lo_q;
      tpu_pkg::REG_HBM_HI: reg_rdata_o = hbm_hi_q;
      // While draining the reason is already known, but not yet visible to the host.
      tpu_pkg::REG_TRAP_CAUSE: reg_rdata_o = trapped_i ? {20'd0, trap_slot_i, trap_cause_i} : 32'd0;
      tpu_pkg::REG_TRAP_PC: reg_rdata_o = trapped_i ? trap_pc_i : 32'd0;
      tpu_pkg::REG_TRAP_DETAIL: reg_rdata_o = trapped_i ? trap_detail_i : 32'd0;
      tpu_pkg::REG_CORE_ID: reg_rdata_o = 32'd0;
      tpu_pkg::REG_LANES: reg_rdata_o = LANES;
      tpu_pkg::REG_SUBLANE_COUNT: reg_rdata_o = tpu_pkg::SUBLANES;
      tpu_pkg::REG_VMEM_ROWS: reg_rdata_o = VMEM_ROWS;
      tpu_pkg::REG_SMEM_WORDS: reg_rdata_o = SMEM_WORDS;
      tpu_pkg::REG_ICACHE_BUNDLES: reg_rdata_o = ICACHE_BUNDLES;
      tpu_pkg::REG_CHIP: reg_rdata_o = {24'd0, chip_i};
      tpu_pkg::REG_CHIPS: reg_rdata_o = {24'd0, chips_i};
      default: reg_rdata_o = counter_host_i;
    endcase
  end

  // The registers that programs may read; the encoding check refuses every other number.
  always_comb begin
    case (csr_number_i)
      tpu_pkg::REG_ID: csr_value_o = ID;
      tpu_pkg::REG_VERSION: csr_value_o = VERSION;
      tpu_pkg::REG_ARG_LO: csr_value_o = arg_lo_q;
      tpu_pkg::REG_ARG_HI: csr_value_o = arg_hi_q;
      tpu_pkg::REG_ARG_WORDS: csr_value_o = arg_words_q;
      tpu_pkg::REG_HBM_LO: csr_value_o = hbm_lo_q;
      tpu_pkg::REG_HBM_HI: csr_value_o = hbm_hi_q;
      tpu_pkg::REG_CORE_ID: csr_value_o = 32'd0;
      tpu_pkg::REG_LANES: csr_value_o = LANES;
      tpu_pkg::REG_SUBLANE_COUNT: csr_value_o = tpu_pkg::SUBLANES;
      tpu_pkg::REG_VMEM_ROWS: csr_value_o = VMEM_ROWS;
      tpu_pkg::REG_SMEM_WORDS: csr_value_o = SMEM_WORDS;
      tpu_pkg::REG_ICACHE_BUNDLES: csr_value_o = ICACHE_BUNDLES;
      tpu_pkg::REG_CHIP: csr_value_o = {24'd0, chip_i};
      tpu_pkg::REG_CHIPS: csr_value_o = {24'd0, chips_i};
      default: csr_value_o = counter_csr_i;
    endcase
  end
endmodule

`default_nettype wire
