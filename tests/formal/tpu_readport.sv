  // The arbiter: at most one client is accepted a cycle, only if it requests, demand first; a
  // prefetch that waits is served after so many copies; a request on the port stays, unchanged,
  // until it is granted; nothing is accepted beyond what the queue of answers holds.
  logic        f_held_q = 1'b0;
  logic [63:0] f_addr_q;
  logic [7:0]  f_beats_q;
  logic [1:0]  f_class_q;
  logic [3:0]  f_passed_q = 4'd0;
  wire  [PW-1:0] f_length = tail_q - head_q;

  always_ff @(posedge clk_i) begin
    f_held_q <= rst_ni && mem_rd_valid_o && !mem_rd_ready_i;
    f_addr_q <= mem_rd_addr_o;
    f_beats_q <= mem_rd_beats_o;
    f_class_q <= mem_rd_class_o;
    if (!rst_ni || clear_i || prefetch_accept_o || !prefetch_valid_i) f_passed_q <= 4'd0;
    else if (copy_accept_o) f_passed_q <= f_passed_q + 4'd1;
  end

  always_comb begin
    assume (!mem_rsp_valid_i || (count_q != 0));
    assert (!(demand_accept_o && copy_accept_o) && !(demand_accept_o && prefetch_accept_o)
            && !(copy_accept_o && prefetch_accept_o));
    assert (!demand_accept_o || demand_valid_i);
    assert (!copy_accept_o || (copy_valid_i && !demand_valid_i));
    assert (!prefetch_accept_o || (prefetch_valid_i && !demand_valid_i));
    if (free) assert (push || !(demand_valid_i || copy_valid_i || prefetch_valid_i));
    if (f_begun_q) begin
      assert (count_q <= DEPTH);
      assert (f_length == count_q[PW-1:0]);
      assert (passed_q <= 4'(tpu_pkg::TIMING_PREFETCH_SHARE - 1));
      assert (f_passed_q <= passed_q);
      assert (!(copy_accept_o && prefetch_valid_i)
              || (f_passed_q < tpu_pkg::TIMING_PREFETCH_SHARE - 1));
      if (f_held_q)
        assert (mem_rd_valid_o && (mem_rd_addr_o == f_addr_q) && (mem_rd_beats_o == f_beats_q)
                && (mem_rd_class_o == f_class_q));
    end
  end
