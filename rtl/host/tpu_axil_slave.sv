// AXI4-Lite slave onto the register port of the core: register n at byte address 4 n.
//
// One write and one read at a time. A write is taken in a cycle in which address and data are both
// present and no write response waits; a read in a cycle without a write. Responses follow in the
// next cycle and stay until taken. A write must strobe the whole word, else it is refused (SLVERR).
`default_nettype none

module tpu_axil_slave (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        awvalid_i,
  output logic        awready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // registers are words
  input  logic [11:0] awaddr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        wvalid_i,
  output logic        wready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  output logic        bvalid_o,
  input  logic        bready_i,
  output logic [1:0]  bresp_o,
  input  logic        arvalid_i,
  output logic        arready_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic [11:0] araddr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic [31:0] rdata_o,
  output logic [1:0]  rresp_o,

  // Core
  output logic        reg_write_o,
  output logic [9:0]  reg_addr_o,
  output logic [31:0] reg_wdata_o,
  input  logic [31:0] reg_rdata_i
);
  localparam logic [1:0] OKAY = 2'd0;
  localparam logic [1:0] SLVERR = 2'd2;

  logic write, read, whole;
  assign write = awvalid_i && wvalid_i && !bvalid_o;
  assign read = arvalid_i && !rvalid_o && !write;
  assign whole = wstrb_i == 4'hf;
  assign awready_o = write;
  assign wready_o = write;
  assign arready_o = read;
  assign reg_write_o = write && whole;
  assign reg_addr_o = write ? awaddr_i[11:2] : araddr_i[11:2];
  assign reg_wdata_o = wdata_i;
  assign rresp_o = OKAY;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
    end else begin
      bvalid_o <= write || (bvalid_o && !bready_i);
      rvalid_o <= read || (rvalid_o && !rready_i);
    end
    if (write) bresp_o <= whole ? OKAY : SLVERR;
    if (read) rdata_o <= reg_rdata_i;
  end
endmodule

`default_nettype wire
