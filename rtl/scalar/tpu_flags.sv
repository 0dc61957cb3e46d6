// Sync flags: 32-bit counters, changed by fadd and fset at issue and by completed copies.
//
// A change is visible to the next cycle. A copy that completes in the cycle of an fadd to its flag
// adds too; after an fset to it the copy's amount comes on top (a race, but a defined one here). A
// copy adds to two flags at the same time, `here` being 0 for most; they may be the same. One sent
// by another chip adds to a third.
`default_nettype none

module tpu_flags (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,

  // Slot dma at issue
  input  logic [63:0]   slot_i,
  input  logic          fire_i,      // the slot's operation happens in this cycle
  input  logic [31:0]   seq_i,
  input  logic [tpu_pkg::FLAG_W-1:0] flag_i,
  input  logic [31:0]   n_i,
  output logic          wait_met_o,  // combinational: flag - n >= 0 as a signed number

  // Copies
  input  logic          done_i,
  input  logic [tpu_pkg::FLAG_W-1:0] done_flag_i,
  input  logic [31:0]   done_amount_i,
  input  logic [tpu_pkg::FLAG_W-1:0] done_here_flag_i,
  input  logic [7:0]    done_here_amount_i,

  // Copies of other chips
  input  logic          arrive_i,
  input  logic [tpu_pkg::FLAG_W-1:0] arrive_flag_i,
  input  logic [15:0]   arrive_amount_i,

  // Retirement
  output logic          ret_flag_valid_o,
  output logic [31:0]   ret_flag_seq_o,
  output tpu_pkg::space_e ret_flag_space_o,
  output logic [7:0]    ret_flag_index_o,
  output logic [31:0]   ret_flag_data_o,
  output logic [32*tpu_pkg::FLAGS-1:0] flags_o
);
  logic [32*tpu_pkg::FLAGS-1:0] flags_q;
  logic [31:0] written;
  logic        add, set;

  assign wait_met_o = 1'((flags_q[{flag_i, 5'd0} +: 32] - n_i) >> 31) == 1'b0;
  assign add = fire_i && (tpu_pkg::dma_op(slot_i) == tpu_pkg::OP_FADD);
  assign set = fire_i && (tpu_pkg::dma_op(slot_i) == tpu_pkg::OP_FSET);

  // The amount that copies add to a flag in this cycle.
  function automatic logic [31:0] added(
      input logic [tpu_pkg::FLAG_W-1:0] flag, input logic done,
      input logic [tpu_pkg::FLAG_W-1:0] done_flag, input logic [31:0] done_amount,
      input logic [tpu_pkg::FLAG_W-1:0] here_flag, input logic [7:0] here_amount,
      input logic arrive, input logic [tpu_pkg::FLAG_W-1:0] arrive_flag,
      input logic [15:0] arrive_amount);
    added = ((done && (done_flag == flag)) ? done_amount : 32'd0)
          + ((done && (here_flag == flag)) ? 32'(here_amount) : 32'd0)
          + ((arrive && (arrive_flag == flag)) ? 32'(arrive_amount) : 32'd0);
  endfunction
  logic [31:0] to_slot, to_done, to_here, to_arrived;
  assign to_slot = added(flag_i, done_i, done_flag_i, done_amount_i, done_here_flag_i,
                         done_here_amount_i, arrive_i, arrive_flag_i, arrive_amount_i);
  assign to_done = added(done_flag_i, done_i, done_flag_i, done_amount_i, done_here_flag_i,
                         done_here_amount_i, arrive_i, arrive_flag_i, arrive_amount_i);
  assign to_here = added(done_here_flag_i, done_i, done_flag_i, done_amount_i, done_here_flag_i,
                         done_here_amount_i, arrive_i, arrive_flag_i, arrive_amount_i);
  assign to_arrived = added(arrive_flag_i, done_i, done_flag_i, done_amount_i, done_here_flag_i,
                            done_here_amount_i, arrive_i, arrive_flag_i, arrive_amount_i);
  assign written = (set ? 32'd0 : flags_q[{flag_i, 5'd0} +: 32]) + n_i + to_slot;

  // For equal flags a later assignment includes the earlier one.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      flags_q <= '0;
    end else begin
      if (done_i) begin
        flags_q[{done_here_flag_i, 5'd0} +: 32] <=
            flags_q[{done_here_flag_i, 5'd0} +: 32] + to_here;
        flags_q[{done_flag_i, 5'd0} +: 32] <= flags_q[{done_flag_i, 5'd0} +: 32] + to_done;
      end
      if (arrive_i)
        flags_q[{arrive_flag_i, 5'd0} +: 32] <= flags_q[{arrive_flag_i, 5'd0} +: 32] + to_arrived;
      if (add || set) flags_q[{flag_i, 5'd0} +: 32] <= written;
    end
  end

  always_ff @(posedge clk_i) begin
    ret_flag_valid_o <= rst_ni && (add || set);
    ret_flag_seq_o <= seq_i;
    ret_flag_space_o <= set ? tpu_pkg::SPACE_FLAG_SET : tpu_pkg::SPACE_FLAG_ADD;
    ret_flag_index_o <= 8'(flag_i);
    ret_flag_data_o <= n_i;
  end

  assign flags_o = flags_q;
endmodule

`default_nettype wire
