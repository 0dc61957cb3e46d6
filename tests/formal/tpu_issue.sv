  // The cause of a cycle is the true one. What docs/counters.md and rtl/README.md say is written down
  // here once more: results to come by the unit that computes them, operations by their opcodes. The
  // decoder, operands, addresses and traps are cut: their outputs are arbitrary in every cycle.
  // What units say of themselves is proved of tpu_eup, tpu_xlu, tpu_mxu and tpu_mxu_acc, and what
  // fetch says of a branch of tpu_fetch.
  localparam logic [2:0] F_NONE = 3'd0, F_VECTOR = 3'd1, F_EUP = 3'd2, F_XLU = 3'd3, F_MXU = 3'd4;

  // ---- results to come --------------------------------------------------------------------------
  logic [64*3-1:0] f_v_unit_q;  // the unit that computes a vector register's next value
  logic [31:0] f_s_soon_q, f_s_xlu_q;
  logic [7:0]  f_m_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned r = 0; r < 64; r = r + 1)
      if (!rst_ni || clear_i) f_v_unit_q[r*3 +: 3] <= F_NONE;
      else if (consume_o && vwrites_vector[r]) f_v_unit_q[r*3 +: 3] <= F_VECTOR;
      else if (consume_o && vwrites_eup[r]) f_v_unit_q[r*3 +: 3] <= F_EUP;
      else if (consume_o && vwrites_xlu[r]) f_v_unit_q[r*3 +: 3] <= F_XLU;
      else if (consume_o && vwrites_mxu[r]) f_v_unit_q[r*3 +: 3] <= F_MXU;
      else if (v_land_i[r]) f_v_unit_q[r*3 +: 3] <= F_NONE;
    for (int unsigned r = 0; r < 32; r = r + 1)
      if (!rst_ni || clear_i) begin
        f_s_soon_q[r] <= 1'b0;
        f_s_xlu_q[r] <= 1'b0;
      end else begin
        if (consume_o && swrites_soon[r]) f_s_soon_q[r] <= 1'b1;
        else if (s_land_i[r]) f_s_soon_q[r] <= 1'b0;
        if (consume_o && swrites_xlu[r]) f_s_xlu_q[r] <= 1'b1;
        else if (s_land_i[r]) f_s_xlu_q[r] <= 1'b0;
      end
    for (int unsigned r = 0; r < 8; r = r + 1)
      if (!rst_ni || clear_i) f_m_q[r] <= 1'b0;
      else if (consume_o && mwrites[r]) f_m_q[r] <= 1'b1;
      else if (m_land_i[r]) f_m_q[r] <= 1'b0;
  end

  // A register that the bundle touches has its result to come from that unit.
  wire [63:0] f_touched = vreads | ((vwrites_vector | vwrites_eup | vwrites_xlu | vwrites_mxu) & ~v_land_i);
  wire [31:0] f_s_touched = sreads | swrites_now | swrites_soon | swrites_xlu;
  logic [63:0] f_of_vector, f_of_eup, f_of_xlu, f_of_mxu;
  always_comb
    for (int unsigned r = 0; r < 64; r = r + 1) begin
      f_of_vector[r] = f_v_unit_q[r*3 +: 3] == F_VECTOR;
      f_of_eup[r] = f_v_unit_q[r*3 +: 3] == F_EUP;
      f_of_xlu[r] = f_v_unit_q[r*3 +: 3] == F_XLU;
      f_of_mxu[r] = f_v_unit_q[r*3 +: 3] == F_MXU;
    end
  wire f_scalar_pending = ((f_s_touched & f_s_soon_q) != 32'd0) || ((mreads & f_m_q) != 8'd0);
  wire f_vector_pending = (f_touched & f_of_vector) != 64'd0;
  wire f_eup_pending = (f_touched & f_of_eup) != 64'd0;
  wire f_xlu_pending = ((f_touched & f_of_xlu) != 64'd0) || ((f_s_touched & f_s_xlu_q) != 32'd0);
  wire f_mxu_pending = (f_touched & f_of_mxu) != 64'd0;

  // ---- the bundle at issue ----------------------------------------------------------------------
  wire [7:0] f_sa = bundle_i[7:0], f_mx = bundle_i[391:384], f_xu = bundle_i[455:448];
  wire [7:0] f_dma = bundle_i[487:480];
  wire f_here = run_i && valid_i && !stop_i;
  wire f_broken = illegal || conflict;
  wire f_memory = enabled[4] || enabled[5];
  wire f_push = enabled[6] && ((f_mx == tpu_pkg::OP_MXPUSH) || (f_mx == tpu_pkg::OP_MXPUSHT));
  wire f_mul = enabled[6] && ((f_mx == tpu_pkg::OP_MXMUL_BF16) || (f_mx == tpu_pkg::OP_MXMUL_S8));
  wire f_read = enabled[6] && (f_mx == tpu_pkg::OP_MXREAD);
  wire f_eup = enabled[7] && ((f_xu == tpu_pkg::OP_EXP2) || (f_xu == tpu_pkg::OP_LOG2)
             || (f_xu == tpu_pkg::OP_RCP) || (f_xu == tpu_pkg::OP_RSQRT) || (f_xu == tpu_pkg::OP_TANH));
  wire f_xlu = enabled[7] && (f_xu >= tpu_pkg::OP_LSUM_F32) && (f_xu <= tpu_pkg::OP_EXTRACT);
  wire f_copy = enabled[8] && (f_dma == tpu_pkg::OP_COPY);
  wire f_wait = enabled[8] && (f_dma == tpu_pkg::OP_WAIT);

  // "Nothing issues for the next b cycles": how many of them have passed.
  logic [31:0] f_idle_of_q, f_idle_passed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      f_idle_of_q <= 32'd0;
      f_idle_passed_q <= 32'd0;
    end else if (consume_o && enabled[0] && (f_sa == tpu_pkg::OP_IDLE)) begin
      f_idle_of_q <= sa_b_o;
      f_idle_passed_q <= 32'd0;
    end else if (f_idle_passed_q < f_idle_of_q) f_idle_passed_q <= f_idle_passed_q + 32'd1;
  end
  wire f_idling = f_idle_passed_q < f_idle_of_q;

  // The check of a descriptor takes two cycles from the first in which the copy is at issue with
  // its scalars; nothing else holds it up.
  logic f_first_q, f_second_q;  // its first cycle has passed, its second one
  wire  f_check = f_here && f_copy && !f_broken && !f_first_q && !f_scalar_pending && !f_xlu_pending;
  always_ff @(posedge clk_i) begin
    f_first_q <= rst_ni && !clear_i && !consume_o && !trap_o && (f_first_q || f_check);
    f_second_q <= rst_ni && !clear_i && !consume_o && !trap_o && f_first_q;
  end
  // A bundle that waits stays at issue, with its predicates, for fetch holds it, until the run is over;
  // then nothing runs until a start, which clears.
  logic f_held_q = 1'b0, f_copy_q = 1'b0, f_ran_q = 1'b0, f_over_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_held_q <= rst_ni && !clear_i && f_here && !consume_o && !trap_o;
    f_copy_q <= f_copy;
    f_ran_q <= rst_ni && !clear_i && run_i;
    f_over_q <= rst_ni && !clear_i
             && (f_over_q || (f_ran_q && !run_i) || (run_i && (stop_i || trap_o || halt_o)));
  end
  always_comb begin
    if (f_held_q && run_i) assume (valid_i && (f_copy == f_copy_q));
    if (f_over_q) assume (!run_i);
  end

  // ---- the reasons, in the order of the document ------------------------------------------------
  wire [15:0] f_why = {
    1'b0,
    f_wait && !wait_met_i && (flag < 32)                                    // sync_wait
      && (in_group_i ? (late_cause == tpu_pkg::TRAP_DEADLOCK) : copies_pending_i),
    f_copy && (!f_second_q || copy_full_i),                                 // copy_queue
    f_mxu_pending || (f_read && !read_ready_i),                             // mxu_result
    f_mul && !mul_ready_i,                                                  // mxu_multiply
    f_push && !push_ready_i,                                                // mxu_push
    f_xlu_pending || (f_xlu && !xlu_ready_i),                               // xlu
    f_eup_pending || (f_eup && !eup_ready_i),                               // eup
    f_memory && vmem_busy_i,                                                // vmem_bank
    f_vector_pending, f_scalar_pending, 5'd0};
  wire f_waits = f_idling || (!f_broken && (f_why != 16'd0));
  wire f_traps = (f_here && !f_waits && (f_broken || (late_cause != tpu_pkg::TRAP_NONE)))
              || (run_i && !stop_i && outside_i);
  wire f_issues = f_here && !f_waits && !f_broken && (late_cause == tpu_pkg::TRAP_NONE);

  tpu_pkg::cause_e f_cause;
  always_comb begin
    f_cause = tpu_pkg::CAUSE_DRAIN;
    if (starting_i) f_cause = tpu_pkg::CAUSE_START;
    else if (!run_i || stop_i || f_traps) f_cause = tpu_pkg::CAUSE_DRAIN;
    else if (f_issues) f_cause = tpu_pkg::CAUSE_ISSUED;
    else if (!valid_i) f_cause = bubble_i ? tpu_pkg::CAUSE_BRANCH : tpu_pkg::CAUSE_FETCH;
    else if (f_idling) f_cause = tpu_pkg::CAUSE_IDLING;
    else if (f_scalar_pending) f_cause = tpu_pkg::CAUSE_SCALAR_RESULT;
    else if (f_vector_pending) f_cause = tpu_pkg::CAUSE_VECTOR_RESULT;
    else if (f_why[7]) f_cause = tpu_pkg::CAUSE_VMEM_BANK;
    else if (f_why[8]) f_cause = tpu_pkg::CAUSE_EUP;
    else if (f_why[9]) f_cause = tpu_pkg::CAUSE_XLU;
    else if (f_why[10]) f_cause = tpu_pkg::CAUSE_MXU_PUSH;
    else if (f_why[11]) f_cause = tpu_pkg::CAUSE_MXU_MULTIPLY;
    else if (f_why[12]) f_cause = tpu_pkg::CAUSE_MXU_RESULT;
    else if (f_why[13]) f_cause = tpu_pkg::CAUSE_COPY_QUEUE;
    else if (f_why[14]) f_cause = tpu_pkg::CAUSE_SYNC_WAIT;
  end

  // What the module may assume: a register is written by one unit of a bundle; the cycle after a
  // branch has no bundle, nor has a program counter outside the text; a machine that starts does not run.
  always_comb begin
    assume ((vwrites_vector & (vwrites_eup | vwrites_xlu | vwrites_mxu)) == 64'd0);
    assume ((vwrites_eup & (vwrites_xlu | vwrites_mxu)) == 64'd0);
    assume ((vwrites_xlu & vwrites_mxu) == 64'd0);
    assume ((swrites_soon & swrites_xlu) == 32'd0);
    assume (!bubble_i || !valid_i);
    assume (!outside_i || !valid_i);
    assume (!starting_i || !run_i);
  end

  // Registers inside of the scoreboard, by the names that they have once it is flattened.
  (* hierconn *) wire [63:0] \scoreboard.v_vector_q ;
  (* hierconn *) wire [63:0] \scoreboard.v_eup_q ;
  (* hierconn *) wire [63:0] \scoreboard.v_xlu_q ;
  (* hierconn *) wire [63:0] \scoreboard.v_mxu_q ;
  (* hierconn *) wire [31:0] \scoreboard.s_soon_q ;
  (* hierconn *) wire [31:0] \scoreboard.s_xlu_q ;
  (* hierconn *) wire [7:0] \scoreboard.m_q ;
  always_comb begin
    if (f_begun_q) begin
      // The two accounts of pending results agree.
      assert (\scoreboard.v_vector_q == f_of_vector);
      assert (\scoreboard.v_eup_q == f_of_eup);
      assert (\scoreboard.v_xlu_q == f_of_xlu);
      assert (\scoreboard.v_mxu_q == f_of_mxu);
      assert (\scoreboard.s_soon_q == f_s_soon_q);
      assert (\scoreboard.s_xlu_q == f_s_xlu_q);
      assert (\scoreboard.m_q == f_m_q);
      assert (idle_q == f_idle_of_q - f_idle_passed_q);
      assert (f_idle_passed_q <= f_idle_of_q);
      if (!f_over_q) assert (check_q == {f_second_q, f_first_q && !f_second_q});
      assert (f_first_q || !f_second_q);
      assert (!f_first_q || f_held_q || f_over_q);

      assert (cause_o == f_cause);
      assert (consume_o == f_issues);
      assert (trap_o == f_traps);
      assert (fire_o == (f_issues ? enabled : 9'd0));
      assert (descriptor_read_o == f_check);
    end
  end
