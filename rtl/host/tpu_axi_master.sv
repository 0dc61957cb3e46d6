// The core's native beat port as an AXI4 master. Both use the same protocol (valid and ready,
// bursts within 4 KiB, whole beats), so this only adds the explicit parts of AXI: size, burst type
// and WLAST.
//
// Every transaction has ID 0, so responses come in order. The core always takes responses. WLAST
// needs the lengths of granted bursts whose data is still to be sent; a grant is withheld while
// that list is full.
`default_nettype none

module tpu_axi_master #(
  parameter int unsigned LANES = 16,
  parameter int unsigned BYTES = LANES * 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // Core
  input  logic               rd_valid_i,
  output logic               rd_ready_o,
  input  logic [63:0]        rd_addr_i,
  input  logic [7:0]         rd_beats_i,
  output logic               rsp_valid_o,
  output logic [BYTES*8-1:0] rsp_data_o,
  input  logic               wr_valid_i,
  output logic               wr_ready_o,
  input  logic [63:0]        wr_addr_i,
  input  logic [7:0]         wr_beats_i,
  input  logic               wdata_valid_i,
  output logic               wdata_ready_o,
  input  logic [BYTES*8-1:0] wdata_i,
  input  logic [BYTES-1:0]   wstrb_i,
  output logic               wrsp_valid_o,
  output logic               error_o,

  // AXI4
  output logic               arvalid_o,
  input  logic               arready_i,
  output logic [63:0]        araddr_o,
  output logic [7:0]         arlen_o,
  output logic [2:0]         arsize_o,
  output logic [1:0]         arburst_o,
  input  logic               rvalid_i,
  output logic               rready_o,
  input  logic [BYTES*8-1:0] rdata_i,
  /* verilator lint_off UNUSEDSIGNAL */  // bit 1 distinguishes errors from successes
  input  logic [1:0]         rresp_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic               awvalid_o,
  input  logic               awready_i,
  output logic [63:0]        awaddr_o,
  output logic [7:0]         awlen_o,
  output logic [2:0]         awsize_o,
  output logic [1:0]         awburst_o,
  output logic               wvalid_o,
  input  logic               wready_i,
  output logic [BYTES*8-1:0] wdata_o,
  output logic [BYTES-1:0]   wstrb_o,
  output logic               wlast_o,
  input  logic               bvalid_i,
  output logic               bready_o,
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic [1:0]         bresp_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  localparam logic [1:0] INCR = 2'd1;
  localparam int unsigned BURSTS = 8;

  assign arvalid_o = rd_valid_i;
  assign rd_ready_o = arready_i;
  assign araddr_o = rd_addr_i;
  assign arlen_o = rd_beats_i;
  assign arsize_o = 3'($clog2(BYTES));
  assign arburst_o = INCR;
  assign rsp_valid_o = rvalid_i;
  assign rsp_data_o = rdata_i;
  assign rready_o = 1'b1;
  assign error_o = (rvalid_i && rresp_i[1]) || (bvalid_i && bresp_i[1]);
  assign wrsp_valid_o = bvalid_i;
  assign bready_o = 1'b1;

  // ---- writes: lengths of granted bursts, in order ----------------------------------------------
  logic [$clog2(BURSTS):0] bursts;
  logic [7:0]              length, sent_q;
  logic                    grant, send, room;
  assign room = bursts != BURSTS[$clog2(BURSTS):0];
  assign awvalid_o = wr_valid_i && room;
  assign wr_ready_o = awready_i && room;
  assign awaddr_o = wr_addr_i;
  assign awlen_o = wr_beats_i;
  assign awsize_o = 3'($clog2(BYTES));
  assign awburst_o = INCR;
  assign grant = awvalid_o && awready_i;

  tpu_fifo #(.WIDTH(8), .DEPTH(BURSTS)) length_fifo (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(grant), .data_i(wr_beats_i), .pop_i(send && wlast_o),
    .head_o(length), .count_o(bursts));

  assign wvalid_o = wdata_valid_i;
  assign wdata_ready_o = wready_i;
  assign wdata_o = wdata_i;
  assign wstrb_o = wstrb_i;
  assign wlast_o = sent_q == length;
  assign send = wvalid_o && wready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sent_q <= 8'd0;
    else if (send) sent_q <= wlast_o ? 8'd0 : sent_q + 8'd1;
  end
endmodule

`default_nettype wire
