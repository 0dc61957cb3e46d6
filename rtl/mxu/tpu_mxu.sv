// Matrix unit: control of the three ports around the systolic array and the accumulators.
//
//          x_i --+-- left operand --> rows, one a cycle --> array --> sums --> accumulators --> read
//                +-- push operand --> four weight rows a cycle --^
//
// The four buffers of weights are used in turn: a swap makes the one that was being filled active,
// and pushes then fill the next one, which the swap two before this one released.
//
// Timing, with a start in cycle t:
// - push: writes weight rows in t+1 and t+2; the next push may start in t+2. After the swap that
//   released the buffer, started in cycle s, it may start when t - s >= row + 7, transposed when
//   t - s >= LANES, which is as soon as no write can be overtaken by the zeroing wavefront.
// - multiply: row r enters in t+1+r, passes weight row k in t+2+r+k, reaches the accumulator in
//   t+2+r+LANES and is shown on the row port in t+3+r+LANES. The next multiply may start in t+rows,
//   with swap right after a push, too, since the push writes ahead of the wavefront.
// - read: from the cycle in which the last row of the accumulator is on the row port; result in t+1.
`default_nettype none

module tpu_mxu #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Vector operand and sequence number of the port that starts.
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [31:0]           seq_i,

  // Push. Ready depends on the row and the form, not on valid.
  input  logic                  push_valid_i,
  input  logic                  push_transposed_i,
  input  tpu_pkg::part_e        push_part_i,
  input  logic [6:0]            push_row_i,
  output logic                  push_ready_o,
  input  logic                  push_start_i,

  // Multiply. Ready does not depend on valid.
  input  logic                  mul_valid_i,
  input  logic                  mul_s8_i,
  input  tpu_pkg::part_e        mul_part_i,
  input  logic [2:0]            mul_rows_i,   // minus one
  input  logic                  mul_add_i,
  input  logic                  mul_swap_i,
  input  logic [5:0]            mul_acc_i,
  output logic                  mul_ready_o,
  input  logic                  mul_start_i,
  output logic                  row_valid_o,
  output logic [31:0]           row_seq_o,
  output logic [5:0]            row_acc_o,
  output logic [2:0]            row_r_o,
  output logic [LANES*32-1:0]   row_data_o,

  // Accumulator read. Ready depends on the accumulator, not on valid.
  input  logic                  read_valid_i,
  input  logic [5:0]            read_acc_i,
  input  logic [5:0]            read_dest_i,
  output logic                  read_ready_o,
  input  logic                  read_start_i,
  output logic                  read_done_o,
  output logic [5:0]            read_dest_o,
  output logic [31:0]           read_seq_o,
  output logic [8*LANES*32-1:0] read_data_o,

  output logic                  idle_o
);
  localparam logic [7:0] SWAP_PASSED = LANES[7:0];  // age from which a swap delays nothing

  // ---- left port --------------------------------------------------------------------------------
  logic [3:0]  left_rows_q;  // rows still to enter
  logic [2:0]  left_r_q;
  tpu_pkg::part_e left_part_q;
  logic        left_s8_q, left_add_q, left_swap_q, left_enter;
  logic [5:0]  left_acc_q;
  logic [31:0] left_seq_q;

  // ---- weights ----------------------------------------------------------------------------------
  // The buffer that multiplies issued from now on use; rows follow as the wavefront passes.
  logic [1:0]  active_q /* verilator public_flat_rw */;
  // Cycles since the three newest swaps started, up to SWAP_PASSED; the third released the buffer
  // that pushes fill.
  logic [7:0]  first_age_q, second_age_q, third_age_q;
  logic [1:0]  push_left_q;  // cycles of writing still to do
  logic [1:0]  push_buffer_q;
  logic        push_transposed_q, push_after_release;
  logic [4:0]  push_index_q;

  // ---- tags: {seq, accumulator, r, add, s8} of the wavefront that is before weight row k --------
  logic [42:0] tag_q [LANES];
  logic [42:0] sum_tag_q;
  logic        sum_valid, array_idle;
  logic [LANES*32-1:0] sum;

  assign left_enter = left_rows_q != 4'd0;
  assign push_after_release = (third_age_q == SWAP_PASSED) ||
                              (!push_transposed_i && third_age_q >= {1'b0, push_row_i} + 8'd7);
  assign push_ready_o = push_left_q <= 2'd1 && push_after_release;
  assign mul_ready_o = left_rows_q <= 4'd1;
  assign idle_o = !left_enter && array_idle && push_left_q == 2'd0 && !row_valid_o && !read_done_o;

  function automatic logic [7:0] older(input logic [7:0] age);
    older = (age == SWAP_PASSED) ? SWAP_PASSED : age + 8'd1;
  endfunction

  // An operation that starts was requested and ready, on at most one port.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!push_start_i || (push_valid_i && push_ready_o));
      assert (!mul_start_i || (mul_valid_i && mul_ready_o));
      assert (!read_start_i || (read_valid_i && read_ready_o));
      assert (!(push_start_i && mul_start_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_rows_q <= 4'd0;
    end else if (mul_start_i) begin
      left_rows_q <= {1'b0, mul_rows_i} + 4'd1;
    end else if (left_enter) begin
      left_rows_q <= left_rows_q - 4'd1;
    end
    if (mul_start_i) begin
      left_r_q <= 3'd0;
      left_part_q <= mul_part_i;
      left_s8_q <= mul_s8_i;
      left_add_q <= mul_add_i;
      left_acc_q <= mul_acc_i;
      left_seq_q <= seq_i;
    end else begin
      left_r_q <= left_r_q + 3'd1;
    end
    left_swap_q <= mul_start_i && mul_swap_i;  // with the first row only
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 2'd0;
      first_age_q <= SWAP_PASSED;
      second_age_q <= SWAP_PASSED;
      third_age_q <= SWAP_PASSED;
    end else if (mul_start_i && mul_swap_i) begin
      active_q <= active_q + 2'd1;
      first_age_q <= 8'd1;
      second_age_q <= older(first_age_q);
      third_age_q <= older(second_age_q);
    end else begin
      first_age_q <= older(first_age_q);
      second_age_q <= older(second_age_q);
      third_age_q <= older(third_age_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_left_q <= 2'd0;
    end else if (push_start_i) begin
      push_left_q <= 2'd2;
    end else if (push_left_q != 2'd0) begin
      push_left_q <= push_left_q - 2'd1;
    end
    if (push_start_i) begin
      push_transposed_q <= push_transposed_i;
      push_buffer_q <= active_q + 2'd1;
      push_index_q <= push_row_i[6:2];
    end else begin
      push_index_q <= push_index_q + 5'd1;
    end
  end

  // Private to this block: blocking, last stage first, so that the loop stays a plain move.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (left_enter || !array_idle) begin
      sum_tag_q <= tag_q[LANES-1];
      for (int unsigned k = 0; k < LANES-1; k = k + 1) tag_q[LANES-1-k] = tag_q[LANES-2-k];
      tag_q[0] = {left_seq_q, left_acc_q, left_r_q, left_add_q, left_s8_q};
    end
  end
  /* verilator lint_on BLKSEQ */

  tpu_mxu_array #(.LANES(LANES)) array (
    .clk_i, .rst_ni, .x_i,
    .left_start_i(mul_start_i), .enter_i(left_enter), .enter_part_i(left_part_q),
    .enter_s8_i(left_s8_q), .enter_buffer_i(active_q), .enter_swap_i(left_swap_q),
    .push_start_i, .push_write_i(push_left_q != 2'd0), .push_transposed_i(push_transposed_q),
    .push_buffer_i(push_buffer_q), .push_part_i, .push_index_i(push_index_q),
    .sum_valid_o(sum_valid), .sum_o(sum), .idle_o(array_idle)
  );

  tpu_mxu_acc #(.LANES(LANES)) acc (
    .clk_i, .rst_ni,
    .mul_start_i, .mul_acc_i, .mul_rows_i({1'b0, mul_rows_i} + 4'd1),
    .sum_valid_i(sum_valid), .sum_i(sum), .sum_acc_i(sum_tag_q[10:5]), .sum_r_i(sum_tag_q[4:2]),
    .sum_add_i(sum_tag_q[1]), .sum_s8_i(sum_tag_q[0]), .sum_seq_i(sum_tag_q[42:11]),
    .row_valid_o, .row_seq_o, .row_acc_o, .row_r_o, .row_data_o,
    .read_acc_i, .read_ready_o, .read_start_i, .read_dest_i, .read_seq_i(seq_i),
    .read_done_o, .read_dest_o, .read_seq_o, .read_data_o
  );
endmodule

`default_nettype wire
