  // The EUP and the XLU. Not ready means: rows of an earlier operation are still taken, one a cycle,
  // eight of them. What starts in t is in the way until t + 7, and its result is there in t + 9.
  logic [3:0] f_age_q;  // cycles since the newest start, 9 from then on
  logic       f_fresh_q;  // of a start
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_age_q <= 4'd9;
      f_fresh_q <= 1'b0;
    end else begin
      if (start_i) f_age_q <= 4'd1;
      else if (f_age_q < 4'd9) f_age_q <= f_age_q + 4'd1;
      f_fresh_q <= (f_age_q == 4'd8);
    end
  end

  always_comb begin
    assume (!start_i || ready_o);
    if (f_begun_q) begin
      assert (f_age_q >= 4'd1 && f_age_q <= 4'd9);
      assert (left_q == 4'd9 - f_age_q);
      assert (ready_o == (f_age_q >= 4'd8));
      assert (done_o == f_fresh_q);
    end
  end
