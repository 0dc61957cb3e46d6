  // Copies are neither lost nor doubled. The descriptor's check, readers, movers and writer are cut: they
  // say anything that keeps the contracts assumed here. Any one copy is followed from its issue to its
  // completion, beside a count of those in each place.
  localparam logic [2:0] F_NONE = 3'd0, F_QUEUED = 3'd1, F_IN = 3'd2, F_OUT = 3'd3, F_ENDED = 3'd4,
                         F_ACK = 3'd5, F_DONE = 3'd6, F_SENT = 3'd7;
  localparam int unsigned F_W = 32 + tpu_pkg::FLAG_W + 32;  // of a completion: amount, flag, number

  logic [7:0] f_sent_q;  // copies to other chips that links have taken and that are not complete
  always_comb begin
    assume (!fire_i || !full_o);                        // of tpu_issue, proved there
    assume (!load_i || (!fire_i && !pending_o));        // nothing is under way when a machine starts
    assume (!take_in || (want_in && (in_moving + ended != MOVING)));
    assume (!take_out || (want_out && (out_moving != MOVING)));
    assume (!in_push || (in_runs != RUNS));
    assume (!out_push || (out_runs != RUNS));
    assume (!in_pop || (in_runs != 0));
    assume (!out_pop || (out_runs != 0));
    assume (!in_rsp || (reads != READS));               // asked for only where there is room
    assume (!read_pop || (reads != 0));
    assume (!in_end || (in_moving != 0));               // an end is that of a copy that moves
    assume (!out_end || (out_moving != 0));
    assume (!in_end_hbm || in_end);
    assume (out_end == out_end_hbm);
    assume (!(in_end_hbm && out_end_hbm));              // one mover writes to HBM at a time
    assume (!(in_end_hbm || out_end_hbm) || (acks != ACKS));
    assume (!hbm_done || (answered_q != acks));         // memory answers what was written
    assume ((take_way & ~want_way) == 2'b00);           // of the links, which are cut too
    assume ((sent == 2'b00) || (f_sent_q != 8'd0));
    assume ((take_way == 2'b00) || (f_sent_q < 8'(2 * MOVING)));
  end

  // ---- how many have issued, been taken, completed ----------------------------------------------
  logic [7:0] f_issued_q, f_taken_q, f_completed_q;
  always_ff @(posedge clk_i) begin
    f_sent_q <= rst_ni ? f_sent_q + {7'd0, take_way != 2'b00} - {7'd0, take_sent != 2'b00} : 8'd0;
    f_issued_q <= rst_ni ? f_issued_q + {7'd0, fire_i || load} : 8'd0;
    f_taken_q <= rst_ni ? f_taken_q + {7'd0, take} : 8'd0;
    f_completed_q <= rst_ni ? f_completed_q + {7'd0, done_o} : 8'd0;
  end

  // ---- one of them ------------------------------------------------------------------------------
  (* anyseq *) logic f_mark;
  logic [2:0]     f_place_q, f_place;
  logic [5:0]     f_ahead_q;   // copies in front of it in its place
  logic [7:0]     f_age_q;     // cycles since it issued, up to 255
  logic           f_is_load_q;
  logic           f_quiet_q;   // VMEM was not busy in a cycle since then
  wire f_new = (fire_i || load) && f_mark && (f_place_q == F_NONE);
  wire f_first = f_ahead_q == 6'd0;
  wire f_taken = (f_place_q == F_QUEUED) && f_first && take;
  wire f_in_ends = (f_place_q == F_IN) && f_first && in_end;
  wire f_out_ends = (f_place_q == F_OUT) && f_first && out_end;
  wire f_at_once = f_in_ends && !in_end_hbm && take_here && (ended == 0);
  wire f_to_ended = f_in_ends && !in_end_hbm && !f_at_once;
  wire f_to_ack = (f_in_ends && in_end_hbm) || f_out_ends;
  wire f_ended_goes = (f_place_q == F_ENDED) && f_first && take_here;
  wire f_ack_goes = (f_place_q == F_ACK) && f_first && take_hbm;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_place_q <= F_NONE;
    else if (f_new) f_place_q <= F_QUEUED;
    else if (f_taken) f_place_q <= (take_way != 2'b00) ? F_SENT : take_in ? F_IN : F_OUT;
    else if (f_to_ended) f_place_q <= F_ENDED;
    else if (f_to_ack) f_place_q <= F_ACK;
    else if (f_at_once || f_ended_goes || f_ack_goes) f_place_q <= F_DONE;
    else if (f_place_q == F_DONE) f_place_q <= F_NONE;
    else if (f_place_q == F_SENT) f_place_q <= F_NONE;  // followed by the count alone

    if (f_new) f_ahead_q <= 6'(queued) - {5'd0, take};
    else if (f_taken) f_ahead_q <= take_in ? 6'(in_moving) - {5'd0, in_end} : 6'(out_moving) - {5'd0, out_end};
    else if (f_to_ended) f_ahead_q <= 6'(ended) - {5'd0, take_here};
    else if (f_to_ack) f_ahead_q <= 6'(acks) - {5'd0, take_hbm};
    else if (!f_first && (((f_place_q == F_QUEUED) && take) || ((f_place_q == F_IN) && in_end)
                       || ((f_place_q == F_OUT) && out_end) || ((f_place_q == F_ENDED) && take_here)
                       || ((f_place_q == F_ACK) && take_hbm))) f_ahead_q <= f_ahead_q - 6'd1;
    f_age_q <= f_new ? 8'd1 : (f_age_q == 8'd255) ? f_age_q : f_age_q + 8'd1;
    if (f_new) f_is_load_q <= load;
    f_quiet_q <= !f_new && (f_quiet_q || !vmem_busy_i);
  end

  wire          f_wait = wait_q[QW'(first_q + QW'(f_ahead_q))];
  always_comb begin
    if (f_begun_q) begin
      // Every copy is in one place, and nowhere is more than fits: no queue over- or underflows.
      assert (queued <= QUEUE);
      assert (6'(in_moving) + 6'(ended) <= 6'(MOVING));
      assert (out_moving <= MOVING);
      assert (acks <= ACKS);
      assert (f_sent_q <= 8'(2 * MOVING));
      assert (answered_q <= acks);
      assert (QW'(next_q - first_q) == QW'(queued));
      assert (outstanding_q == 8'(queued) + 8'(in_moving) + 8'(out_moving) + 8'(ended) + 8'(acks)
                             + f_sent_q + {7'd0, done_q});
      assert (outstanding_q == f_issued_q - f_completed_q);
      assert (f_issued_q - f_taken_q == 8'(queued));
      assert (full_o == (f_issued_q - f_taken_q == 8'(QUEUE)));
      assert (pending_o == (f_issued_q != f_completed_q));
      assert (!take || (queued != 0));
      assert (3'(take_here) + 3'(take_hbm) + 3'(take_sent[0]) + 3'(take_sent[1]) <= 3'd1);

      // One is taken in order, after a cycle since its issue in which VMEM was not busy, and
      // completes once, in the cycle after its turn comes.
      if (f_place_q == F_QUEUED) begin
        assert (f_ahead_q < 6'(queued));
        assert (f_is_load_q || (f_wait == !f_quiet_q));
        assert (f_age_q != 8'd0);
        assert (!f_quiet_q || (f_age_q >= 8'd2));
        if (f_taken) assert (f_is_load_q || f_quiet_q);
      end
      if (f_place_q == F_IN) assert (f_ahead_q < 6'(in_moving));
      if (f_place_q == F_OUT) assert (f_ahead_q < 6'(out_moving));
      if (f_place_q == F_ENDED) assert (f_ahead_q < 6'(ended));
      if (f_place_q == F_ACK) assert (f_ahead_q < 6'(acks));
      if (f_place_q == F_DONE) assert (done_o);
    end
  end
