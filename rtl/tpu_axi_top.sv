// The core as an SoC instantiates it: AXI4 master for memory, AXI4-Lite slave for the registers,
// one level interrupt. Wires only; for presets whose beat AXI can carry well (nano, small).
`default_nettype none

module tpu_axi_top #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  output logic                irq_o,

  // AXI4-Lite slave: registers
  input  logic                s_awvalid_i,
  output logic                s_awready_o,
  input  logic [11:0]         s_awaddr_i,
  input  logic                s_wvalid_i,
  output logic                s_wready_o,
  input  logic [31:0]         s_wdata_i,
  input  logic [3:0]          s_wstrb_i,
  output logic                s_bvalid_o,
  input  logic                s_bready_i,
  output logic [1:0]          s_bresp_o,
  input  logic                s_arvalid_i,
  output logic                s_arready_o,
  input  logic [11:0]         s_araddr_i,
  output logic                s_rvalid_o,
  input  logic                s_rready_i,
  output logic [31:0]         s_rdata_o,
  output logic [1:0]          s_rresp_o,

  // AXI4 master: memory
  output logic                m_arvalid_o,
  input  logic                m_arready_i,
  output logic [63:0]         m_araddr_o,
  output logic [7:0]          m_arlen_o,
  output logic [2:0]          m_arsize_o,
  output logic [1:0]          m_arburst_o,
  input  logic                m_rvalid_i,
  output logic                m_rready_o,
  input  logic [LANES*32-1:0] m_rdata_i,
  input  logic [1:0]          m_rresp_i,
  output logic                m_awvalid_o,
  input  logic                m_awready_i,
  output logic [63:0]         m_awaddr_o,
  output logic [7:0]          m_awlen_o,
  output logic [2:0]          m_awsize_o,
  output logic [1:0]          m_awburst_o,
  output logic                m_wvalid_o,
  input  logic                m_wready_i,
  output logic [LANES*32-1:0] m_wdata_o,
  output logic [LANES*4-1:0]  m_wstrb_o,
  output logic                m_wlast_o,
  input  logic                m_bvalid_i,
  output logic                m_bready_o,
  input  logic [1:0]          m_bresp_i
);
  logic                reg_write, rd_valid, rd_ready, rsp_valid, wr_valid, wr_ready;
  logic                wdata_valid, wdata_ready, wrsp_valid, error;
  logic [9:0]          reg_addr;
  logic [31:0]         reg_wdata, reg_rdata;
  logic [63:0]         rd_addr, wr_addr;
  logic [7:0]          rd_beats, wr_beats;
  logic [LANES*32-1:0] rsp_data, wdata;
  logic [LANES*4-1:0]  wstrb;

  tpu_axil_slave slave (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .awvalid_i(s_awvalid_i), .awready_o(s_awready_o), .awaddr_i(s_awaddr_i),
    .wvalid_i(s_wvalid_i), .wready_o(s_wready_o), .wdata_i(s_wdata_i), .wstrb_i(s_wstrb_i),
    .bvalid_o(s_bvalid_o), .bready_i(s_bready_i), .bresp_o(s_bresp_o),
    .arvalid_i(s_arvalid_i), .arready_o(s_arready_o), .araddr_i(s_araddr_i),
    .rvalid_o(s_rvalid_o), .rready_i(s_rready_i), .rdata_o(s_rdata_o), .rresp_o(s_rresp_o),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata),
    .reg_rdata_i(reg_rdata));

  tpu_axi_master #(.LANES(LANES)) master (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_addr_i(rd_addr), .rd_beats_i(rd_beats),
    .rsp_valid_o(rsp_valid), .rsp_data_o(rsp_data),
    .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_beats_i(wr_beats),
    .wdata_valid_i(wdata_valid), .wdata_ready_o(wdata_ready), .wdata_i(wdata), .wstrb_i(wstrb),
    .wrsp_valid_o(wrsp_valid), .error_o(error),
    .arvalid_o(m_arvalid_o), .arready_i(m_arready_i), .araddr_o(m_araddr_o),
    .arlen_o(m_arlen_o), .arsize_o(m_arsize_o), .arburst_o(m_arburst_o),
    .rvalid_i(m_rvalid_i), .rready_o(m_rready_o), .rdata_i(m_rdata_i), .rresp_i(m_rresp_i),
    .awvalid_o(m_awvalid_o), .awready_i(m_awready_i), .awaddr_o(m_awaddr_o),
    .awlen_o(m_awlen_o), .awsize_o(m_awsize_o), .awburst_o(m_awburst_o),
    .wvalid_o(m_wvalid_o), .wready_i(m_wready_i), .wdata_o(m_wdata_o), .wstrb_o(m_wstrb_o),
    .wlast_o(m_wlast_o), .bvalid_i(m_bvalid_i), .bready_o(m_bready_o), .bresp_i(m_bresp_i));

  // The retirement port and the plain status wires are for harnesses; nothing listens here.
  /* verilator lint_off PINMISSING */
  tpu_core #(
    .LANES(LANES), .VMEM_ROWS(VMEM_ROWS), .SMEM_WORDS(SMEM_WORDS), .ICACHE_BUNDLES(ICACHE_BUNDLES)
  ) core (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .reg_rdata_o(reg_rdata), .irq_o(irq_o),
    .mem_rd_valid_o(rd_valid), .mem_rd_ready_i(rd_ready), .mem_rd_addr_o(rd_addr),
    .mem_rd_beats_o(rd_beats), .mem_rsp_valid_i(rsp_valid), .mem_rsp_data_i(rsp_data),
    .mem_wr_valid_o(wr_valid), .mem_wr_ready_i(wr_ready), .mem_wr_addr_o(wr_addr),
    .mem_wr_beats_o(wr_beats), .mem_wdata_valid_o(wdata_valid),
    .mem_wdata_ready_i(wdata_ready), .mem_wdata_o(wdata), .mem_wstrb_o(wstrb),
    .mem_wrsp_valid_i(wrsp_valid), .mem_error_i(error),
    // A chip alone: no links.
    .chip_i(8'd0), .chips_i(8'd1), .link_in_valid_i(2'd0), .link_in_head_i(2'd0),
    .link_in_data_i({66*LANES{1'b0}}), .link_out_ready_i(2'd0), .link_out_credit_i(2'd0));
  /* verilator lint_on PINMISSING */
endmodule

`default_nettype wire
