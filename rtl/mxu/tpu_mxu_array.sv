// The systolic array: two buffers of L x L weights, the activations in transit to their rows, and
// the partial sums that flow down the rows.
//
// A wavefront is one activation row. It passes one weight row per cycle; row k multiplies its lane
// k with the whole weight row and adds to the partial sums from row k - 1. Lane k therefore waits k
// cycles: the skew registers carry each activation row down with its wavefront. The buffer to use
// travels along, so a swap costs nothing: the first wavefront that uses the new buffer zeroes the
// row of the released one as it passes.
//
//   cycle u           enter_i: the oldest row of the left operand is converted
//   cycle u + 1 + k   weight row k
//   cycle u + 1 + L   sum_valid_o, sum_o
//
// A push writes two weight rows (or columns) in each cycle of push_write_i and wins over a zeroing
// at the same edge. Operands are captured at the end of the cycle of their start.
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
  input  logic                  enter_buffer_i,
  input  logic                  enter_swap_i,    // zero the other buffer in passing

  // Push: capture, then rows (or columns) push_index_i * 2 and * 2 + 1 in each cycle of push_write_i.
  input  logic                  push_start_i,
  input  logic                  push_write_i,
  input  logic                  push_transposed_i,
  input  logic                  push_buffer_i,
  input  tpu_pkg::part_e        push_part_i,
  input  logic [5:0]            push_index_i,

  output logic                  sum_valid_o,
  output logic [LANES*32-1:0]   sum_o,
  output logic                  idle_o
);
  // Weight row k at [k * LANES + lane]; the harness loads and reads both buffers.
  logic [15:0] w0_q [LANES*LANES] /* verilator public_flat_rw */;
  logic [15:0] w1_q [LANES*LANES] /* verilator public_flat_rw */;

  logic [31:0] left_q [8*LANES];      // rows not yet entered, oldest first
  logic [31:0] push_q [8*LANES];      // rows not yet written, oldest first
  logic [15:0] skew_q [LANES*LANES];  // activations that are before weight row k
  logic [31:0] p_q [LANES*LANES];     // partial sums after weight row k

  // The wavefront that is before weight row k.
  logic [LANES-1:0] valid_q, s8_q, buffer_q, swap_q;

  // Scratch of one clock edge, never read at the next.
  logic [15:0] a_t, w_t [LANES], first_t [LANES], second_t [LANES];
  logic [31:0] s_t [LANES];

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
    buffer_q <= {buffer_q[LANES-2:0], enter_buffer_i};
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
          if (buffer_q[LANES-1-rr])
            for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w1_q[(LANES-1-rr)*LANES + j];
          else
            for (int unsigned j = 0; j < LANES; j = j + 1) w_t[j] = w0_q[(LANES-1-rr)*LANES + j];
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
          if (swap_q[LANES-1-rr]) begin
            if (buffer_q[LANES-1-rr])
              for (int unsigned j = 0; j < LANES; j = j + 1) w0_q[(LANES-1-rr)*LANES + j] = 16'd0;
            else
              for (int unsigned j = 0; j < LANES; j = j + 1) w1_q[(LANES-1-rr)*LANES + j] = 16'd0;
          end
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

    if (push_write_i) begin
      for (int unsigned j = 0; j < LANES; j = j + 1) begin
        first_t[j] = tpu_mxu_pkg::operand(push_q[j], push_part_i);
        second_t[j] = tpu_mxu_pkg::operand(push_q[LANES + j], push_part_i);
      end
      for (int unsigned i = 0; i < 6*LANES; i = i + 1) push_q[i] = push_q[i + 2*LANES];
      for (int unsigned k = 0; k < LANES/2; k = k + 1) begin
        if (k[5:0] == push_index_i) begin
          if (push_transposed_i && push_buffer_i)
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              w1_q[j*LANES + 2*k] = first_t[j];
              w1_q[j*LANES + 2*k + 1] = second_t[j];
            end
          else if (push_transposed_i)
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              w0_q[j*LANES + 2*k] = first_t[j];
              w0_q[j*LANES + 2*k + 1] = second_t[j];
            end
          else if (push_buffer_i)
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              w1_q[2*k*LANES + j] = first_t[j];
              w1_q[(2*k + 1)*LANES + j] = second_t[j];
            end
          else
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              w0_q[2*k*LANES + j] = first_t[j];
              w0_q[(2*k + 1)*LANES + j] = second_t[j];
            end
        end
      end
    end

    if (left_start_i)
      for (int unsigned i = 0; i < 8*LANES; i = i + 1) left_q[i] = x_i[i*32 +: 32];
    if (push_start_i)
      for (int unsigned i = 0; i < 8*LANES; i = i + 1) push_q[i] = x_i[i*32 +: 32];

    if (valid_q[LANES-1])
      for (int unsigned j = 0; j < LANES; j = j + 1)
        sum_o[j*32 +: 32] <= p_q[(LANES-1)*LANES + j];
  end
  /* verilator lint_on BLKSEQ */
endmodule

`default_nettype wire
