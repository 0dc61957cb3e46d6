  // The cause `branch` is the cycle after a branch that was taken, and no other; no bundle is at
  // issue then.
  logic f_behind_q = 1'b0;
  always_ff @(posedge clk_i) f_behind_q <= rst_ni && !start_i && redirect_i;
  always_comb begin
    assume (!redirect_i || consume_i);
    assume (!consume_i || issue_valid_o);
    if (f_begun_q) begin
      assert (issue_bubble_o == f_behind_q);
      assert (!issue_bubble_o || !issue_valid_o);
      assert (!outside_o || !issue_valid_o);
    end
  end
