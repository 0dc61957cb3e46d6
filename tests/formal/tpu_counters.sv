  // In a running cycle the counter of the cause goes up by one, and no other: the causes add up to the
  // cycles. One counter, any, is followed.
  (* anyconst *) logic [3:0] f_cause;
  logic [63:0] f_count_q = 64'd0, f_cycles_q = 64'd0;
  logic        f_ran_q = 1'b0, f_cleared_q = 1'b0;
  logic [3:0]  f_cause_q = 4'd0;
  wire  [63:0] f_count = causes_q[{f_cause, 6'd0} +: 64];
  always_ff @(posedge clk_i) begin
    f_count_q <= f_count;
    f_cycles_q <= cycles_q;
    f_ran_q <= running_i;
    f_cleared_q <= !rst_ni || clear_i;
    f_cause_q <= cause_i;
  end
  logic f_two_q = 1'b0;  // the registers above are of the cycle before
  always_ff @(posedge clk_i) f_two_q <= f_begun_q;

  always_comb begin
    if (f_two_q) begin
      if (f_cleared_q) begin
        assert (f_count == 64'd0);
        assert (cycles_q == 64'd0);
      end else begin
        assert (f_count == f_count_q + {63'd0, f_ran_q && (f_cause_q == f_cause)});
        assert (cycles_q == f_cycles_q + {63'd0, f_ran_q});
      end
    end
  end
