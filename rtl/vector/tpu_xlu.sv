// Cross-lane unit: reductions over lanes or sublanes, rotate, broadcast, permute, transpose,
// element to scalar; two rows per cycle.
//
// Operands are captured with start_i at the end of cycle t, rows 2p and 2p + 1 are worked on in
// t + 1 + p, the next start may come in t + 4 (ready_o), and the result is available in t + 5
// (done_o). A lane sum is a binary tree over neighbours; a sublane reduction takes the rows in
// order.
`default_nettype none

module tpu_xlu #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  output logic                  ready_o,
  input  logic                  start_i,
  input  tpu_pkg::cross_op_e    op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [8*LANES*32-1:0] index_i,     // of lperm
  /* verilator lint_off UNUSEDSIGNAL */  // counts modulo L or 8 L
  input  logic [31:0]           n_i,         // lanes to rotate by, lane, or element
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,

  output logic                  done_o,
  output tpu_pkg::space_e       space_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o,
  output logic [31:0]           scalar_o     // of extract
);
  localparam int unsigned N = 8 * LANES;
  localparam int unsigned W = LANES * 32;
  localparam int unsigned LANE_BITS = $clog2(LANES);

  // The operation in progress; pairs of rows leave x_q and index_q at the bottom.
  logic [2:0]           left_q;      // pairs still to do
  logic [1:0]           pair_q;
  tpu_pkg::cross_op_e    op_q;
  logic [N*32-1:0]      x_q, index_q;
  logic [LANE_BITS+2:0] n_q;
  logic [5:0]           dest_q;
  logic [31:0]          seq_q;

  logic       busy, last, lanes, sublanes, ordered, wants_index;
  logic [1:0] combine;
  assign busy = left_q != 3'd0;
  assign last = left_q == 3'd1;
  assign ready_o = left_q <= 3'd1;
  assign {ordered, wants_index, combine} = tpu_xlu_pkg::reduction(op_q);
  assign lanes = tpu_xlu_pkg::reduces_lanes(op_q);
  assign sublanes = tpu_xlu_pkg::reduces_sublanes(op_q);

  always_ff @(posedge clk_i) if (rst_ni) assert (!start_i || ready_o);

  // Sublane reductions: the result of the rows so far.
  logic [31:0] s_q [LANES];
  logic [31:0] si_q [LANES];

  // Scratch of one clock edge. Nodes of the tree: 1 is the root, i has the children 2i and 2i + 1,
  // lane j is the leaf LANES + j.
  logic [N*32-1:0]      turned_t;
  logic [W-1:0]         row_t, moved_t;
  logic [2:0]           r_t;  // the number of that row
  logic [LANE_BITS-1:0] from_t;
  logic [31:0]          v_t [LANES], node_t [2*LANES], index_t [2*LANES];
  logic                 wins_t;
  logic [31:0]          value_t;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= 3'd0;
      done_o <= 1'b0;
    end else begin
      done_o <= last;
      if (start_i) left_q <= 3'd4;
      else if (busy) left_q <= left_q - 3'd1;
    end
    if (start_i) begin
      op_q <= op_i;
      pair_q <= 2'd0;
      n_q <= n_i[LANE_BITS+2:0];
      dest_q <= dest_i;
      seq_q <= seq_i;
    end else begin
      pair_q <= pair_q + 2'd1;
    end
    if (last) begin
      space_o <= (op_q == tpu_pkg::OP_EXTRACT) ? tpu_pkg::SPACE_SREG : tpu_pkg::SPACE_VREG;
      dest_o <= dest_q;
      seq_o <= seq_q;
    end
  end

  // Scratch and the sublane state, which no other block reads, are assigned blocking so that the
  // loops stay plain; outputs of the block are registered.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      // The blocks of 8 x 8 are transposed on input: then a transpose only passes rows through.
      turned_t = x_i;
      if (op_i == tpu_pkg::OP_TRANSPOSE)
        for (int unsigned i = 0; i < N; i = i + 1)
          turned_t[i*32 +: 32] =
              x_i[((i % 8)*LANES + ((i % LANES)/8)*8 + i/LANES)*32 +: 32];
      x_q <= turned_t;
      index_q <= index_i;
    end else if (busy) begin
      x_q <= x_q >> 2*W;
      if (op_q == tpu_pkg::OP_LPERM) index_q <= index_q >> 2*W;
    end

    if (busy) begin
      for (int unsigned h = 0; h < 2; h = h + 1) begin
        row_t = x_q[h*W +: W];
        r_t = {pair_q, h[0]};
        for (int unsigned j = 0; j < LANES; j = j + 1)
          v_t[j] = tpu_xlu_pkg::enter(row_t[j*32 +: 32], ordered, combine);
        moved_t = row_t;

        if (lanes) begin
          for (int unsigned j = 0; j < LANES; j = j + 1) begin
            node_t[LANES + j] = v_t[j];
            index_t[LANES + j] = j;
          end
          for (int unsigned i = 0; i < LANES - 1; i = i + 1) begin  // node LANES - 1 - i
            wins_t = tpu_xlu_pkg::right_wins(
                node_t[2*(LANES-1-i)], node_t[2*(LANES-1-i) + 1], combine);
            value_t = wins_t ? node_t[2*(LANES-1-i) + 1] : node_t[2*(LANES-1-i)];
            index_t[LANES-1-i] = wins_t ? index_t[2*(LANES-1-i) + 1] : index_t[2*(LANES-1-i)];
            if (combine == tpu_xlu_pkg::COMBINE_SUM_S32)
              value_t = node_t[2*(LANES-1-i)] + node_t[2*(LANES-1-i) + 1];
            if (combine == tpu_xlu_pkg::COMBINE_SUM_F32)
              value_t = tpu_fp_pkg::add(node_t[2*(LANES-1-i)], node_t[2*(LANES-1-i) + 1]);
            node_t[LANES-1-i] = value_t;
          end
          value_t = tpu_xlu_pkg::leave(node_t[1], index_t[1], ordered, wants_index);
          moved_t = {LANES{value_t}};
        end

        if (sublanes) begin
          if (r_t == 3'd0)
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              s_q[j] = v_t[j];
              si_q[j] = 32'd0;
            end
          else if (combine == tpu_xlu_pkg::COMBINE_SUM_F32)
            for (int unsigned j = 0; j < LANES; j = j + 1) s_q[j] = tpu_fp_pkg::add(s_q[j], v_t[j]);
          else if (combine == tpu_xlu_pkg::COMBINE_SUM_S32)
            for (int unsigned j = 0; j < LANES; j = j + 1) s_q[j] = s_q[j] + v_t[j];
          else
            for (int unsigned j = 0; j < LANES; j = j + 1) begin
              wins_t = tpu_xlu_pkg::right_wins(s_q[j], v_t[j], combine);
              s_q[j] = wins_t ? v_t[j] : s_q[j];
              si_q[j] = wins_t ? {29'd0, r_t} : si_q[j];
            end
          for (int unsigned j = 0; j < LANES; j = j + 1)
            moved_t[j*32 +: 32] = tpu_xlu_pkg::leave(s_q[j], si_q[j], ordered, wants_index);
        end

        // Rotate, broadcast and permute differ only in the lane that each lane reads.
        if (op_q == tpu_pkg::OP_LROT || op_q == tpu_pkg::OP_LBCAST || op_q == tpu_pkg::OP_LPERM)
          for (int unsigned j = 0; j < LANES; j = j + 1) begin
            from_t = n_q[LANE_BITS-1:0];
            if (op_q == tpu_pkg::OP_LROT) from_t = j[LANE_BITS-1:0] - n_q[LANE_BITS-1:0];
            if (op_q == tpu_pkg::OP_LPERM) from_t = index_q[h*W + j*32 +: LANE_BITS];
            moved_t[j*32 +: 32] = row_t[from_t*32 +: 32];
          end

        if (op_q == tpu_pkg::OP_EXTRACT && n_q[LANE_BITS+2:LANE_BITS] == r_t)
          scalar_o <= row_t[n_q[LANE_BITS-1:0]*32 +: 32];

        if (!sublanes)
          for (int unsigned i = 0; i < 4; i = i + 1)
            if (i[1:0] == pair_q) result_o[(2*i + h)*W +: W] <= moved_t;
      end

      if (sublanes && last) result_o <= {8{moved_t}};
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule

`default_nettype wire
