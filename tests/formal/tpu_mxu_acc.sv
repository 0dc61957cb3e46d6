  // An accumulator can be read when all rows that were started have come; one of them, any, is followed.
  // A row comes only when it was started, and no more are under way than the array has places for.
  (* anyconst *) logic [5:0] f_acc;
  logic [7:0] f_coming_q;
  wire  f_more = mul_start_i && (mul_acc_i == f_acc), f_came = sum_valid_i && (sum_acc_i == f_acc);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_coming_q <= 8'd0;
    else f_coming_q <= f_coming_q + (f_more ? {4'd0, mul_rows_i} : 8'd0) - {7'd0, f_came};
  end
  always_comb begin
    assume ((mul_rows_i >= 4'd1) && (mul_rows_i <= 4'd8));
    assume (!f_came || (f_coming_q != 8'd0));
    assume (!f_more || (f_coming_q <= LANES + 10));
    if (f_begun_q) begin
      assert (pending_q[{f_acc, 3'd0} +: 8] == f_coming_q);
      if (read_acc_i == f_acc) assert (read_ready_o == (f_coming_q == 8'd0));
    end
  end
