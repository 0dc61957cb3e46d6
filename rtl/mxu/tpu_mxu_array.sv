// The systolic array: four buffers of L x L weights, the activations in transit to their rows, and
// the partial sums that flow down the rows.
//
// A wavefront is one activation row. It passes one weight row per cycle; row k multiplies its lane
// k with the whole weight row and adds to the partial sums from row k - 1. Lane k therefore waits k
// cycles: the skew registers carry each activation row down with its wavefront. The buffer to use
// travels along, so a swap costs nothing: the first wavefront that uses the new buffer zeroes the
// row of the released one as it passes. Buffers are used in turn, so that one which is released has
// the time of two more sets of weights to become all zero before pushes fill it again.
//
//   cycle u           enter_i: the oldest row of the left operand is converted
//   cycle u + 1 + k   weight row k
//   cycle u + 1 + L   sum_valid_o, sum_o
//
// A push writes four weight rows (or columns) in each cycle of push_write_i and wins over a zeroing
// at the same edge. Operands are captured at the end of the cycle of their start. In reset the two
// buffers that are neither active nor being filled become zero.
`default_nettype none

module tpu_mxu_array #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Operand register of either port.
  input  logic [8*LANES*32-1:0] x_i,

  // Left operand: capture, then one row enters in each cycle of enter_i.
  input  logic                  left_start_i,
  input  logic                  enter_i,
  input  tpu_pkg::part_e        enter_part_i,
  input  logic                  enter_s8_i,
  input  logic [1:0]            enter_buffer_i,
  input  logic                  enter_swap_i,    // zero the buffer before it in passing

  // Push: capture part push_part_i, then rows (or columns) push_index_i * 4 to * 4 + 3 in each cycle
  // of push_write_i.
  input  logic                  push_start_i,
  input  logic                  push_write_i,
  input  logic                  push_transposed_i,
  input  logic [1:0]            push_buffer_i,
  input  tpu_pkg::part_e        push_part_i,
  input  logic [4:0]            push_index_i,

  output logic                  sum_valid_o,
  output logic [LANES*32-1:0]   sum_o,
  output logic                  idle_o
);
  // Weight row k at [k * LANES + lane]; the harness loads and reads all buffers.
  logic [15:0] w0_q [LANES*LANES] /* verilator public_flat_rw */;
  logic [15:0] w1_q [LANES*LANES] /* verilator public_flat_rw */;
  logic [15:0] w2_q [LANES*LANES] /* verilator public_flat_rw */;
  logic [15:0] w3_q [LANES*LANES] /* verilator public_flat_rw */;

  logic [31:0] left_q [8*LANES];      // rows not yet entered, oldest first
  logic [15:0] push_q [8*LANES];      // rows not yet written, oldest first, as weights
  logic [15:0] skew_q [LANES*LANES];  // activations that are before weight row k
  logic [31:0] p_q [LANES*LANES];     // partial sums after weight row k

  // The wavefront that is before weight row k.
  logic [LANES-1:0] valid_q, s8_q, swap_q;
  logic [2*LANES-1:0] buffer_q;

  // Scratch of one clock edge, never read at the next.
  logic [15:0] a_t, w_t [LANES];
  logic [31:0] s_t [LANES];

  logic push_rows, push_columns;
  assign push_rows = push_write_i && !push_transposed_i;
  assign push_columns = push_write_i && push_transposed_i;
  assign idle_o = (valid_q == '0) && !sum_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      sum_valid_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[LANES-2:0], enter_i};
      sum_valid_o <= valid_q[LANES-1];
    end
    s8_q <= {s8_q[LANES-2:0], enter_s8_i};
    buffer_q <= {buffer_q[2*LANES-3:0], enter_buffer_i};
    swap_q <= {swap_q[LANES-2:0], enter_swap_i};
  end

  // The arrays are private to this block. Blocking assignments in the order consumer before
  // producer (last row first, then what enters it) make each a register, and keep the loops in a
  // form that a C++ compiler turns into vector instructions.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (valid_q != '0) begin
      for (int unsigned rr = 0; rr < LANES; rr = rr + 1) begin  // weight row LANES - 1 - rr
        if (valid_q[LANES-1-rr]) begin
          a_t = skew_q[(LANES-1-rr)*LANES + (LANES-1-rr)];
          case (buffer_q[2*(LANES-1-rr) +: 2])
            2'd0: for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w0_q[(LANES-1-rr)*LANES + j];
            2'd1: for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w1_q[(LANES-1-rr)*LANES + j];
            2'd2: for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w2_q[(LANES-1-rr)*LANES + j];
            2'd3: for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w3_q[(LANES-1-rr)*LANES + j];
          endcase
          // The modulus only keeps the index of the row above row 0 inside the array.
          if (rr == LANES-1)
            for (int unsigned j = 0; j < LANES; j = j + 1) s_t[j] = 32'd0;
          else
            for (int unsigned j = 0; j < LANES; j = j + 1)
              s_t[j] = p_q[((2*LANES-2-rr) % LANES)*LANES + j];
          if (s8_q[LANES-1-rr])
            for (int unsigned j = 0; j < LANES; j = j + 1)
              p_q[(LANES-1-rr)*LANES + j] = s_t[j] + tpu_mxu_pkg::s8_product(a_t, w_t[j]);
          else
            for (int unsigned j = 0; j < LANES; j = j + 1)
              p_q[(LANES-1-rr)*LANES + j] =
                  tpu_fp_pkg::add(s_t[j], tpu_fp_pkg::bf16_product(a_t, w_t[j]));
          if (rr != 0)
            for (int unsigned j = 0; j < LANES; j = j + 1)
              skew_q[((LANES-rr) % LANES)*LANES + j] = skew_q[(LANES-1-rr)*LANES + j];
        end
      end
    end

    if (enter_i) begin
      for (int unsigned j = 0; j < LANES; j = j + 1)
        skew_q[j] = tpu_mxu_pkg::operand(left_q[j], enter_part_i);
      for (int unsigned i = 0; i < 7*LANES; i = i + 1) left_q[i] = left_q[i + LANES];
    end

    // One condition for each write, instead of conditions within conditions: a gate or two a bit.
    for (int unsigned r = 0; r < LANES; r = r + 1) begin
      if (valid_q[r] && swap_q[r] && buffer_q[2*r +: 2] == 2'd0)
        for (int unsigned j = 0; j < LANES; j = j + 1) w3_q[r*LANES + j] = 16'd0;
      if (valid_q[r] && swap_q[r] && buffer_q[2*r +: 2] == 2'd1)
        for (int unsigned j = 0; j < LANES; j = j + 1) w0_q[r*LANES + j] = 16'd0;
      if (valid_q[r] && swap_q[r] && buffer_q[2*r +: 2] == 2'd2)
        for (int unsigned j = 0; j < LANES; j = j + 1) w1_q[r*LANES + j] = 16'd0;
      if (valid_q[r] && swap_q[r] && buffer_q[2*r +: 2] == 2'd3)
        for (int unsigned j = 0; j < LANES; j = j + 1) w2_q[r*LANES + j] = 16'd0;
    end

    for (int unsigned k = 0; k < LANES/4; k = k + 1) begin
      if (push_rows && push_buffer_i == 2'd0 && k[4:0] == push_index_i)
        for (int unsigned i = 0; i < 4*LANES; i = i + 1) w0_q[4*k*LANES + i] = push_q[i];
      if (push_rows && push_buffer_i == 2'd1 && k[4:0] == push_index_i)
        for (int unsigned i = 0; i < 4*LANES; i = i + 1) w1_q[4*k*LANES + i] = push_q[i];
      if (push_rows && push_buffer_i == 2'd2 && k[4:0] == push_index_i)
        for (int unsigned i = 0; i < 4*LANES; i = i + 1) w2_q[4*k*LANES + i] = push_q[i];
      if (push_rows && push_buffer_i == 2'd3 && k[4:0] == push_index_i)
        for (int unsigned i = 0; i < 4*LANES; i = i + 1) w3_q[4*k*LANES + i] = push_q[i];
      if (push_columns && push_buffer_i == 2'd0 && k[4:0] == push_index_i)
        for (int unsigned r = 0; r < 4; r = r + 1)
          for (int unsigned j = 0; j < LANES; j = j + 1)
            w0_q[j*LANES + 4*k + r] = push_q[r*LANES + j];
      if (push_columns && push_buffer_i == 2'd1 && k[4:0] == push_index_i)
        for (int unsigned r = 0; r < 4; r = r + 1)
          for (int unsigned j = 0; j < LANES; j = j + 1)
            w1_q[j*LANES + 4*k + r] = push_q[r*LANES + j];
      if (push_columns && push_buffer_i == 2'd2 && k[4:0] == push_index_i)
        for (int unsigned r = 0; r < 4; r = r + 1)
          for (int unsigned j = 0; j < LANES; j = j + 1)
            w2_q[j*LANES + 4*k + r] = push_q[r*LANES + j];
      if (push_columns && push_buffer_i == 2'd3 && k[4:0] == push_index_i)
        for (int unsigned r = 0; r < 4; r = r + 1)
          for (int unsigned j = 0; j < LANES; j = j + 1)
            w3_q[j*LANES + 4*k + r] = push_q[r*LANES + j];
    end

    if (left_start_i)
      for (int unsigned i = 0; i < 8*LANES; i = i + 1) left_q[i] = x_i[i*32 +: 32];
    if (push_write_i)
      for (int unsigned i = 0; i < 4*LANES; i = i + 1) push_q[i] = push_q[i + 4*LANES];
    if (push_start_i)
      for (int unsigned i = 0; i < 8*LANES; i = i + 1)
        push_q[i] = tpu_mxu_pkg::operand(x_i[i*32 +: 32], push_part_i);

    if (!rst_ni)
      for (int unsigned i = 0; i < LANES*LANES; i = i + 1) begin
        w2_q[i] = 16'd0;
        w3_q[i] = 16'd0;
      end

    if (valid_q[LANES-1])
      for (int unsigned j = 0; j < LANES; j = j + 1)
        sum_o[j*32 +: 32] <= p_q[(LANES-1)*LANES + j];
  end
  /* verilator lint_on BLKSEQ */
endmodule

`default_nettype wire
