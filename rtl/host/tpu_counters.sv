// Performance counters: cycles, bundles, one cause per running cycle, events. 64 bits each, cleared
// by a start, readable on two ports by register number (other numbers read zero).
`default_nettype none

module tpu_counters (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        running_i,
  input  tpu_pkg::cause_e cause_i,
  input  logic [tpu_pkg::EVENT_COUNT*16-1:0] events_i,  // each event's increment in this cycle

  input  logic [9:0]  a_number_i,
  output logic [31:0] a_value_o,
  input  logic [9:0]  b_number_i,
  output logic [31:0] b_value_o
);
  localparam int unsigned CAUSES = tpu_pkg::CAUSE_COUNT;
  localparam int unsigned EVENTS = tpu_pkg::EVENT_COUNT;

  logic [63:0]          cycles_q;
  logic [CAUSES*64-1:0] causes_q;
  logic [EVENTS*64-1:0] events_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      cycles_q <= 64'd0;
      causes_q <= '0;
      events_q <= '0;
    end else if (running_i) begin
      cycles_q <= cycles_q + 64'd1;
      causes_q[{cause_i, 6'd0} +: 64] <= causes_q[{cause_i, 6'd0} +: 64] + 64'd1;
      for (int unsigned i = 0; i < EVENTS; i = i + 1)
        if (events_i[i*16 +: 16] != 16'd0)
          events_q[i*64 +: 64] <= events_q[i*64 +: 64] + {48'd0, events_i[i*16 +: 16]};
    end
  end

  // Register pairs, low word first, in order of number. Bundles are the cycles of cause "issued".
  localparam int unsigned CAUSE_WORDS = 2 * CAUSES;
  localparam int unsigned EVENT_WORDS = 2 * EVENTS;
  logic [9:0] a_cause, a_event, b_cause, b_event;
  assign a_cause = a_number_i - tpu_pkg::REG_CAUSE_BASE;
  assign a_event = a_number_i - tpu_pkg::REG_EVENT_BASE;
  assign b_cause = b_number_i - tpu_pkg::REG_CAUSE_BASE;
  assign b_event = b_number_i - tpu_pkg::REG_EVENT_BASE;

  always_comb begin
    case (a_number_i)
      tpu_pkg::REG_CYCLES_LO: a_value_o = cycles_q[31:0];
      tpu_pkg::REG_CYCLES_HI: a_value_o = cycles_q[63:32];
      tpu_pkg::REG_BUNDLES_LO: a_value_o = causes_q[64*tpu_pkg::CAUSE_ISSUED +: 32];
      tpu_pkg::REG_BUNDLES_HI: a_value_o = causes_q[64*tpu_pkg::CAUSE_ISSUED + 32 +: 32];
      default: begin
        a_value_o = 32'd0;
        if (a_cause < CAUSE_WORDS[9:0]) a_value_o = causes_q[{a_cause[4:0], 5'd0} +: 32];
        if (a_event < EVENT_WORDS[9:0]) a_value_o = events_q[{a_event[5:0], 5'd0} +: 32];
      end
    endcase
    case (b_number_i)
      tpu_pkg::REG_CYCLES_LO: b_value_o = cycles_q[31:0];
      tpu_pkg::REG_CYCLES_HI: b_value_o = cycles_q[63:32];
      tpu_pkg::REG_BUNDLES_LO: b_value_o = causes_q[64*tpu_pkg::CAUSE_ISSUED +: 32];
      tpu_pkg::REG_BUNDLES_HI: b_value_o = causes_q[64*tpu_pkg::CAUSE_ISSUED + 32 +: 32];
      default: begin
        b_value_o = 32'd0;
        if (b_cause < CAUSE_WORDS[9:0]) b_value_o = causes_q[{b_cause[4:0], 5'd0} +: 32];
        if (b_event < EVENT_WORDS[9:0]) b_value_o = events_q[{b_event[5:0], 5'd0} +: 32];
      end
    endcase
  end
endmodule

`default_nettype wire
