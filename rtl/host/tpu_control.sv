// Run state of the core: stopped, loading after a start, running, draining; and why it ended.
//
// A start takes effect at the end of its cycle; `clear_o` is high in that cycle. Loading takes one
// cycle, or as long as the copy of the argument block does; fetch runs meanwhile. A halt, trap, stop
// or bus error ends issue at the end of its cycle, then everything in flight completes (drain),
// then status is set and `running_o` falls, all at the same edge.
`default_nettype none

module tpu_control (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Host
  input  logic        start_i,   // only while stopped
  input  logic        stop_i,
  output logic        clear_o,
  output logic        running_o,
  output logic        halted_o,
  output logic        trapped_o,
  output logic        machine_check_o,
  output tpu_pkg::trap_e trap_cause_o,
  output logic [3:0]  trap_slot_o,
  output logic [31:0] trap_pc_o,
  output logic [31:0] trap_detail_o,
  output logic        ended_o,   // pulse: running_o falls at the end of this cycle

  // Issue
  output logic        starting_o,
  output logic        issue_run_o,
  output logic        fetch_run_o,   // bundles may be looked up and requested
  output logic        issue_stop_o,  // the host stops the machine: nothing more issues
  input  logic        halt_i,    // a halt issues in this cycle
  input  logic        trap_i,    // a trap is decided in this cycle
  input  tpu_pkg::trap_e cause_i,
  input  logic [3:0]  slot_i,
  input  logic [31:0] pc_i,
  input  logic [31:0] detail_i,

  // The rest of the machine
  input  logic        loaded_i,   // the argument block is in SMEM
  input  logic        all_idle_i,
  input  logic        bus_error_i
);
  typedef enum logic [1:0] {STOPPED, LOADING, RUNNING, DRAINING} state_e;

  state_e state_q, state_d;
  logic       halt_q, trap_q, check_q, stop_q;

  assign clear_o = start_i && (state_q == STOPPED);
  assign running_o = state_q != STOPPED;
  assign starting_o = state_q == LOADING;
  assign issue_run_o = state_q == RUNNING;
  assign fetch_run_o = starting_o || issue_run_o;
  assign issue_stop_o = stop_i || stop_q;
  assign ended_o = (state_q == DRAINING) && all_idle_i;

  always_comb begin
    state_d = state_q;
    case (state_q)
      STOPPED: if (start_i) state_d = LOADING;
      LOADING: if (loaded_i) state_d = RUNNING;
      RUNNING: if (halt_i || trap_i || issue_stop_o || bus_error_i || check_q) state_d = DRAINING;
      default: if (all_idle_i) state_d = STOPPED;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_o) begin
      halted_o <= 1'b0;
      trapped_o <= 1'b0;
      machine_check_o <= 1'b0;
      halt_q <= 1'b0;
      trap_q <= 1'b0;
      check_q <= 1'b0;
      stop_q <= 1'b0;
      trap_cause_o <= tpu_pkg::TRAP_NONE;
      trap_slot_o <= 4'd0;
      trap_pc_o <= 32'd0;
      trap_detail_o <= 32'd0;
    end else begin
      if (halt_i) halt_q <= 1'b1;
      if (running_o && stop_i) stop_q <= 1'b1;  // also while loading
      if (running_o && bus_error_i) check_q <= 1'b1;
      if (trap_i || (running_o && bus_error_i && !trap_q)) begin
        trap_q <= 1'b1;
        trap_cause_o <= trap_i ? cause_i : tpu_pkg::TRAP_MACHINE_CHECK;
        trap_slot_o <= trap_i ? slot_i : 4'd0;
        trap_pc_o <= pc_i;
        trap_detail_o <= trap_i ? detail_i : 32'd0;
      end
      if (ended_o) begin
        halted_o <= halt_q && !trap_q;
        trapped_o <= trap_q;
        machine_check_o <= check_q;
      end
    end
    state_q <= rst_ni ? state_d : STOPPED;
  end
endmodule

`default_nettype wire
