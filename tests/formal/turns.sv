  // Loads and stores: an access that starts in t has its turns at the banks from t + 1 on, one
  // distinct row of each bank in a cycle, so as many as the fullest bank has; it goes on beyond a
  // cycle while some bank has more than one. Each of its rows has exactly one turn. What
  // tpu_bankpick is proved to do is assumed of it, and the number of rows of each bank is counted
  // down apart.
  function automatic logic [7:0] f_distinct(input logic [7:0] todo, input logic [8*AW-1:0] rows);
    f_distinct = todo;
    for (int unsigned r = 0; r < 8; r = r + 1)
      for (int unsigned lower = 0; lower < r; lower = lower + 1)
        if (todo[lower] && (rows[lower*AW +: AW] == rows[r*AW +: AW])) f_distinct[r] = 1'b0;
  endfunction
  function automatic logic [7:0] f_of_bank(input logic [8*AW-1:0] rows, input logic [2:0] bank);
    for (int unsigned r = 0; r < 8; r = r + 1) f_of_bank[r] = rows[r*AW +: 3] == bank;
  endfunction
  function automatic logic [3:0] f_count(input logic [7:0] bits);
    f_count = 4'd0;
    for (int unsigned r = 0; r < 8; r = r + 1) f_count = f_count + {3'd0, bits[r]};
  endfunction

  wire [7:0] f_first = f_distinct(todo_q, row_q);
  wire [7:0] f_first_new = f_distinct(rows_i, row_i);
  logic [8*4-1:0] f_rows_q;  // of each bank, distinct ones that have not had their turn
  logic [7:0]     f_waiting_q;  // operations that have not had theirs
  logic [7:0]     f_more;
  logic           f_any;
  always_comb begin
    f_any = 1'b0;
    for (int unsigned b = 0; b < 8; b = b + 1) begin
      f_more[b] = f_rows_q[b*4 +: 4] > {3'd0, !f_pause};
      f_any = f_any || (f_rows_q[b*4 +: 4] != 4'd0);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 8; b = b + 1)
      if (!rst_ni) f_rows_q[b*4 +: 4] <= 4'd0;
      else if (start_i) f_rows_q[b*4 +: 4] <= f_count(f_first_new & f_of_bank(row_i, 3'(b)));
      else if (!f_pause && (f_rows_q[b*4 +: 4] != 4'd0))
        f_rows_q[b*4 +: 4] <= f_rows_q[b*4 +: 4] - 4'd1;
    f_waiting_q <= !rst_ni ? 8'd0 : start_i ? rows_i : f_waiting_q & ~f_turn;
  end

  always_comb begin
    assume (!start_i || !busy_o);
    assume ((pick & ~todo_q) == 8'd0);
    for (int unsigned b = 0; b < 8; b = b + 1)
      assume (f_count(f_first & pick & f_of_bank(row_q, 3'(b)))
              == {3'd0, (todo_q & f_of_bank(row_q, 3'(b))) != 8'd0});
    for (int unsigned r = 0; r < 8; r = r + 1)
      for (int unsigned other = 0; other < 8; other = other + 1)
        if (pick[r] && todo_q[other] && (row_q[other*AW +: AW] == row_q[r*AW +: AW]))
          assume (pick[other]);
    if (f_begun_q) begin
      for (int unsigned b = 0; b < 8; b = b + 1)
        assert (f_rows_q[b*4 +: 4] == f_count(f_first & f_of_bank(row_q, 3'(b))));
      assert (f_waiting_q == todo_q);
      assert ((f_turn & ~f_waiting_q) == 8'd0);
      assert (busy_o == (f_more != 8'd0));
      assert (!start_i || ((f_waiting_q & ~f_turn) == 8'd0));  // all have had theirs before the next
    end
  end
