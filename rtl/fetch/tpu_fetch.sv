// Fetch: walks the PC through the I-cache and passes one bundle per cycle to issue.
//
// In cycle t the bundle at the fetch PC is looked up; on a hit it is in the issue register in t+1.
// A redirect in cycle t (taken branch) empties the issue register and looks its target up in t+1,
// so the target issues in t+2 at the earliest: one bubble. A bundle hits as soon as its own beats
// are there. A missing line is requested by a demand request; prefetch requests up to
// TIMING_FETCH_AHEAD lines after the current one, or an eighth of the I-cache if that is less.
// Fills come back in order of acceptance.
`default_nettype none

module tpu_fetch #(
  parameter int unsigned LANES = 16,
  parameter int unsigned ICACHE_BUNDLES = 1024
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Control and launch registers
  input  logic                start_i,  // forget everything, begin at entry_pc_i
  input  logic                run_i,    // may look up and request
  input  logic [63:0]         text_i,
  input  logic [31:0]         text_bundles_i,
  input  logic [31:0]         entry_pc_i,
  output logic                idle_o,      // no fill outstanding
  output logic                miss_o,      // event: a lookup found its line missing
  output logic                outside_o,   // nothing to issue: the PC is outside the text

  // Issue
  output logic                issue_valid_o,
  output logic [511:0]        issue_bundle_o,
  output logic [31:0]         issue_pc_o,
  output logic                issue_bubble_o,  // the cycle after a redirect
  input  logic                consume_i,
  input  logic                redirect_i,
  input  logic [31:0]         target_i,

  // Read port
  output logic                demand_valid_o,
  output logic [63:0]         demand_addr_o,
  input  logic                demand_accept_i,
  output logic                prefetch_valid_o,
  output logic [63:0]         prefetch_addr_o,
  input  logic                prefetch_accept_i,
  input  logic                rsp_valid_i,
  input  logic [LANES*32-1:0] rsp_data_i
);
  localparam int unsigned FILLS = tpu_pkg::TIMING_FETCH_FILLS;
  localparam int unsigned FW = $clog2(FILLS);
  localparam int unsigned EIGHTH = ICACHE_BUNDLES / 64;
  localparam int unsigned AHEAD = EIGHTH < tpu_pkg::TIMING_FETCH_AHEAD ? EIGHTH : tpu_pkg::TIMING_FETCH_AHEAD;
  localparam int unsigned LINE_BEATS = 4096 / (LANES * 32);

  // ---- lookup -----------------------------------------------------------------------------------
  logic [31:0]  pc_q;
  logic [28:0]  line, candidate;
  logic [511:0] bundle;
  logic         in_text, hit, line_hit, deliver, cache_probe_hit;
  assign line = pc_q[31:3];
  assign in_text = pc_q < text_bundles_i;
  assign deliver = run_i && in_text && hit && !redirect_i && (!issue_valid_o || consume_i);
  assign outside_o = run_i && !in_text && !issue_valid_o;

  // ---- fills in flight, in order of acceptance --------------------------------------------------
  logic [FILLS-1:0] fill_valid_q;
  logic [28:0]      fill_line_q [FILLS];
  logic [FW-1:0]    head_q, tail_q;
  logic [FW:0]      count_q;
  logic [7:0]       beat_q;
  logic             push, pop, line_coming, candidate_coming;
  assign push = demand_accept_i || prefetch_accept_i;
  assign pop = rsp_valid_i && (beat_q == 8'(LINE_BEATS - 1));
  assign idle_o = count_q == '0;
  always_comb begin
    line_coming = 1'b0;
    candidate_coming = 1'b0;
    for (int unsigned i = 0; i < FILLS; i = i + 1) begin
      if (fill_valid_q[i] && (fill_line_q[i] == line)) line_coming = 1'b1;
      if (fill_valid_q[i] && (fill_line_q[i] == candidate)) candidate_coming = 1'b1;
    end
  end

  tpu_icache #(.LANES(LANES), .ICACHE_BUNDLES(ICACHE_BUNDLES)) icache (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(start_i),
    .pc_i(pc_q), .hit_o(hit), .line_hit_o(line_hit), .bundle_o(bundle),
    .probe_line_i(candidate), .probe_hit_o(cache_probe_hit),
    .filling_i(count_q != '0), .fill_i(rsp_valid_i), .fill_first_i(beat_q == 8'd0), .fill_last_i(pop),
    .fill_line_i(fill_line_q[head_q]), .fill_beat_i(beat_q), .fill_data_i(rsp_data_i));

  // ---- requests ---------------------------------------------------------------------------------
  logic        missing, missing_q, candidate_useful;
  logic [28:0] ahead_q;
  assign missing = run_i && in_text && !line_hit;
  assign miss_o = missing && !missing_q;
  assign demand_valid_o = missing && !line_coming && (count_q != FILLS[FW:0]);
  assign demand_addr_o = text_i + {26'd0, line, 9'd0};

  // The candidate walks over the lines after the current one, one per cycle.
  assign candidate = ((ahead_q > line) && (ahead_q <= line + AHEAD[28:0])) ? ahead_q
                                                                          : line + 29'd1;
  assign candidate_useful = !cache_probe_hit && !candidate_coming;
  assign prefetch_valid_o = run_i && in_text && candidate_useful && (count_q < FILLS[FW:0] - 1'b1)
                          && ({candidate, 3'd0} < text_bundles_i);
  assign prefetch_addr_o = text_i + {26'd0, candidate, 9'd0};

  // ---- state ------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (push) fill_line_q[tail_q] <= demand_accept_i ? line : candidate;
    if (!rst_ni) begin
      fill_valid_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      beat_q <= 8'd0;
    end else begin
      if (push) fill_valid_q[tail_q] <= 1'b1;
      if (pop) fill_valid_q[head_q] <= 1'b0;
      head_q <= head_q + {{(FW-1){1'b0}}, pop};
      tail_q <= tail_q + {{(FW-1){1'b0}}, push};
      count_q <= count_q + {{FW{1'b0}}, push} - {{FW{1'b0}}, pop};
      if (rsp_valid_i) beat_q <= pop ? 8'd0 : beat_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      pc_q <= entry_pc_i;
      issue_valid_o <= 1'b0;
      issue_bubble_o <= 1'b0;
      missing_q <= 1'b0;
      ahead_q <= 29'd0;
    end else begin
      if (redirect_i) pc_q <= target_i;
      else if (deliver) pc_q <= pc_q + 32'd1;
      issue_valid_o <= deliver || (issue_valid_o && !consume_i);
      issue_bubble_o <= redirect_i;
      missing_q <= missing && !redirect_i;
      ahead_q <= (prefetch_accept_i || !candidate_useful) ? candidate + 29'd1 : candidate;
    end
    if (deliver) begin
      issue_bundle_o <= bundle;
      issue_pc_o <= pc_q;
    end
  end
endmodule

`default_nettype wire
