  // The EUP and the XLU. Not ready means: rows of an earlier operation are still taken, two a cycle,
  // eight of them. What starts in t is in the way until t + 3, and its result is there in t + 5.
  logic [2:0] f_age_q;  // cycles since the newest start, 5 from then on
  logic       f_fresh_q;  // of a start
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_age_q <= 3'd5;
      f_fresh_q <= 1'b0;
    end else begin
      if (start_i) f_age_q <= 3'd1;
      else if (f_age_q < 3'd5) f_age_q <= f_age_q + 3'd1;
      f_fresh_q <= (f_age_q == 3'd4);
    end
  end

  always_comb begin
    assume (!start_i || ready_o);
    if (f_begun_q) begin
      assert (f_age_q >= 3'd1 && f_age_q <= 3'd5);
      assert (left_q == 3'd5 - f_age_q);
      assert (ready_o == (f_age_q >= 3'd4));
      assert (done_o == f_fresh_q);
    end
  end
