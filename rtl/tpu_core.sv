// The core: wires only. Ports and their timing: rtl/README.md, section tpu_core.
module tpu_core #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Host registers
  input  logic        reg_write_i,
  input  logic [9:0]  reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  output logic        irq_o,
  output logic        running_o,
  output logic        halted_o,
  output logic        trapped_o,

  // Memory reads
  output logic                 mem_rd_valid_o,
  input  logic                 mem_rd_ready_i,
  output logic [63:0]          mem_rd_addr_o,
  output logic [7:0]           mem_rd_beats_o,
  output logic [1:0]           mem_rd_class_o,
  input  logic                 mem_rsp_valid_i,
  input  logic [LANES*32-1:0]  mem_rsp_data_i,

  // Memory writes
  output logic                 mem_wr_valid_o,
  input  logic                 mem_wr_ready_i,
  output logic [63:0]          mem_wr_addr_o,
  output logic [7:0]           mem_wr_beats_o,
  output logic                 mem_wdata_valid_o,
  input  logic                 mem_wdata_ready_i,
  output logic [LANES*32-1:0]  mem_wdata_o,
  output logic [LANES*4-1:0]   mem_wstrb_o,
  input  logic                 mem_wrsp_valid_i,
  input  logic                 mem_error_i,

  // Retirement: issue
  output logic         ret_issue_valid_o,
  output logic [31:0]  ret_issue_seq_o,
  output logic [31:0]  ret_issue_pc_o,
  output logic [31:0]  ret_issue_next_pc_o,
  output logic [511:0] ret_issue_bundle_o,
  output logic [8:0]   ret_issue_enabled_o,
  output logic         ret_issue_halt_o,
  output logic [7:0]   ret_issue_trap_o,
  output logic [3:0]   ret_issue_trap_slot_o,
  output logic [31:0]  ret_issue_trap_detail_o,

  // Retirement: scalar slots
  output logic         ret_sa_valid_o,
  output logic [31:0]  ret_sa_seq_o,
  output logic [3:0]   ret_sa_space_o,
  output logic [31:0]  ret_sa_index_o,
  output logic [31:0]  ret_sa_data_o,
  output logic         ret_sb_valid_o,
  output logic [31:0]  ret_sb_seq_o,
  output logic [3:0]   ret_sb_space_o,
  output logic [31:0]  ret_sb_index_o,
  output logic [31:0]  ret_sb_data_o,
  output logic         ret_csr_valid_o,

  // Retirement: vector ALUs
  output logic                  ret_va_valid_o,
  output logic [31:0]           ret_va_seq_o,
  output logic [3:0]            ret_va_space_o,
  output logic [5:0]            ret_va_index_o,
  output logic [8*LANES*32-1:0] ret_va_data_o,
  output logic [8*LANES-1:0]    ret_va_mask_o,
  output logic [31:0]           ret_va_scalar_o,
  output logic                  ret_vb_valid_o,
  output logic [31:0]           ret_vb_seq_o,
  output logic [3:0]            ret_vb_space_o,
  output logic [5:0]            ret_vb_index_o,
  output logic [8*LANES*32-1:0] ret_vb_data_o,
  output logic [8*LANES-1:0]    ret_vb_mask_o,
  output logic [31:0]           ret_vb_scalar_o,

  // Retirement: loads and stores
  output logic                  ret_ld_valid_o,
  output logic [31:0]           ret_ld_seq_o,
  output logic [5:0]            ret_ld_index_o,
  output logic [8*LANES*32-1:0] ret_ld_data_o,
  output logic                  ret_st_valid_o,
  output logic [31:0]           ret_st_seq_o,
  output logic [7:0]            ret_st_rows_o,
  output logic [8*32-1:0]       ret_st_address_o,
  output logic [8*LANES-1:0]    ret_st_mask_o,
  output logic [8*LANES*32-1:0] ret_st_data_o,

  // Retirement: matrix unit
  output logic                  ret_mul_valid_o,
  output logic [31:0]           ret_mul_seq_o,
  output logic [5:0]            ret_mul_acc_o,
  output logic [2:0]            ret_mul_r_o,
  output logic [LANES*32-1:0]   ret_mul_data_o,
  output logic                  ret_read_valid_o,
  output logic [31:0]           ret_read_seq_o,
  output logic [5:0]            ret_read_index_o,
  output logic [8*LANES*32-1:0] ret_read_data_o,

  // Retirement: EUP and XLU
  output logic                  ret_eup_valid_o,
  output logic [31:0]           ret_eup_seq_o,
  output logic [5:0]            ret_eup_index_o,
  output logic [8*LANES*32-1:0] ret_eup_data_o,
  output logic                  ret_xlu_valid_o,
  output logic [31:0]           ret_xlu_seq_o,
  output logic [3:0]            ret_xlu_space_o,
  output logic [5:0]            ret_xlu_index_o,
  output logic [8*LANES*32-1:0] ret_xlu_data_o,
  output logic [31:0]           ret_xlu_scalar_o,

  // Retirement: flags and copies
  output logic         ret_flag_valid_o,
  output logic [31:0]  ret_flag_seq_o,
  output logic [3:0]   ret_flag_space_o,
  output logic [7:0]   ret_flag_index_o,
  output logic [31:0]  ret_flag_data_o,
  output logic         ret_copy_valid_o,
  output logic [31:0]  ret_copy_seq_o,
  output logic [511:0] ret_copy_descriptor_o,
  output logic [63:0]  ret_copy_source_o,
  output logic [63:0]  ret_copy_destination_o,
  output logic         ret_copy_done_valid_o,
  output logic [31:0]  ret_copy_done_seq_o,

  // Retirement: cycle cause and plain state
  output logic [4:0]           ret_cause_o,
  output logic [32*32-1:0]     ret_flags_o,
  output logic [32*32-1:0]     ret_sregs_o,
  output logic [7:0]           ret_pregs_o,
  output logic [8*8*LANES-1:0] ret_mregs_o
);
  // The units follow in the next commits; until then a start never ends.
endmodule
