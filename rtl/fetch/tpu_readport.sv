// The shared read channel: one request register, priority demand fetch, copies, prefetch. After
// TIMING_PREFETCH_SHARE - 1 requests of copies that passed a waiting prefetch, the prefetch goes.
//
// A client holds its request (valid, address) until `accept` is high in the same cycle; it appears
// on the port in the next cycle and stays there until granted. Accepted requests are granted in
// order, and responses come back in that order, so a queue of (class, beats) routes every beat.
`default_nettype none

module tpu_readport #(
  parameter int unsigned LANES = 16
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,  // the machine starts: no prefetch has been passed

  // Clients
  input  logic        demand_valid_i,
  input  logic [63:0] demand_addr_i,
  output logic        demand_accept_o,
  input  logic        copy_valid_i,
  input  logic [63:0] copy_addr_i,
  input  logic [7:0]  copy_beats_i,  // minus one
  output logic        copy_accept_o,
  input  logic        prefetch_valid_i,
  input  logic [63:0] prefetch_addr_i,
  output logic        prefetch_accept_o,

  // Beats of responses belong to the fetch unit or to copies
  output logic        fetch_rsp_o,
  output logic        copy_rsp_o,
  output logic        idle_o,  // nothing requested or outstanding

  // Memory
  output logic        mem_rd_valid_o,
  input  logic        mem_rd_ready_i,
  output logic [63:0] mem_rd_addr_o,
  output logic [7:0]  mem_rd_beats_o,
  output logic [1:0]  mem_rd_class_o,
  input  logic        mem_rsp_valid_i
);
  localparam int unsigned DEPTH = tpu_pkg::TIMING_READ_BURSTS;
  localparam int unsigned PW = $clog2(DEPTH);
  localparam int unsigned LINE_BYTES = tpu_pkg::TIMING_FETCH_LINE_BUNDLES * tpu_pkg::BUNDLE_BYTES;
  localparam logic [7:0] LINE_BEATS = 8'(LINE_BYTES / (4 * LANES) - 1);
  typedef enum logic [1:0] {DEMAND, COPY, PREFETCH} request_e;

  // ---- requests ---------------------------------------------------------------------------------
  logic [PW:0]   count_q;  // accepted and not answered completely
  logic [3:0]    passed_q;  // copies' requests that passed a prefetch
  logic          free, push, pop, prefetch_turn;
  request_e      push_class;
  logic [7:0]    push_beats;
  assign free = (!mem_rd_valid_o || mem_rd_ready_i) && (count_q != DEPTH[PW:0]);
  assign demand_accept_o = free && demand_valid_i;
  assign prefetch_turn = prefetch_valid_i
                      && (!copy_valid_i || (passed_q == 4'(tpu_pkg::TIMING_PREFETCH_SHARE - 1)));
  assign copy_accept_o = free && copy_valid_i && !demand_valid_i && !prefetch_turn;
  assign prefetch_accept_o = free && prefetch_turn && !demand_valid_i;
  assign push = demand_accept_o || copy_accept_o || prefetch_accept_o;
  assign push_class = demand_accept_o ? DEMAND : (copy_accept_o ? COPY : PREFETCH);
  assign push_beats = copy_accept_o ? copy_beats_i : LINE_BEATS;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mem_rd_valid_o <= 1'b0;
      passed_q <= 4'd0;
    end else begin
      mem_rd_valid_o <= push || (mem_rd_valid_o && !mem_rd_ready_i);
      if (prefetch_accept_o) passed_q <= 4'd0;
      else if (copy_accept_o && prefetch_valid_i) passed_q <= passed_q + 4'd1;
      if (clear_i) passed_q <= 4'd0;
    end
    if (push) begin
      mem_rd_addr_o <= demand_accept_o ? demand_addr_i
                                       : (copy_accept_o ? copy_addr_i : prefetch_addr_i);
      mem_rd_beats_o <= push_beats;
      mem_rd_class_o <= push_class;
    end
  end

  // ---- responses --------------------------------------------------------------------------------
  logic [9:0]    order_q [DEPTH];  // class, beats
  logic [PW-1:0] head_q, tail_q;
  logic [7:0]    beat_q;           // beats of the head that have arrived
  logic [9:0]    head;
  assign head = order_q[head_q];
  assign fetch_rsp_o = mem_rsp_valid_i && (head[9:8] != COPY);
  assign copy_rsp_o = mem_rsp_valid_i && (head[9:8] == COPY);
  assign pop = mem_rsp_valid_i && (beat_q == head[7:0]);
  assign idle_o = count_q == '0;

  always_ff @(posedge clk_i) begin
    if (push) order_q[tail_q] <= {push_class, push_beats};
    if (!rst_ni) begin
      count_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      beat_q <= 8'd0;
    end else begin
      count_q <= count_q + {{PW{1'b0}}, push} - {{PW{1'b0}}, pop};
      head_q <= head_q + {{(PW-1){1'b0}}, pop};
      tail_q <= tail_q + {{(PW-1){1'b0}}, push};
      if (mem_rsp_valid_i) beat_q <= pop ? 8'd0 : beat_q + 8'd1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!mem_rsp_valid_i || (count_q != '0)) else $error("response without a request");
      assert (!mem_rd_valid_o
              || ({20'd0, mem_rd_addr_o[11:0]} + (32'(mem_rd_beats_o) + 32'd1) * 4 * LANES <= 4096))
        else $error("read burst crosses 4 KiB");
    end
  end
`endif
endmodule

`default_nettype wire
