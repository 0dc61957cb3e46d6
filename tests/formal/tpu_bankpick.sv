  // A bank grants one row a cycle: all that want that row get it, no other does, and no bank is idle that
  // is wanted. Distinct rows are counted by the lowest that wants each.
  (* anyconst *) logic [2:0] f_bank;
  logic [7:0] f_same_bank, f_first;
  wire  [7:0] f_granted = f_first & pick_o & f_same_bank;
  always_comb begin
    f_first = todo_i;
    for (int unsigned r = 0; r < 8; r = r + 1) begin
      f_same_bank[r] = row_i[r*AW +: 3] == f_bank;
      for (int unsigned lower = 0; lower < r; lower = lower + 1)
        if (todo_i[lower] && (row_i[lower*AW +: AW] == row_i[r*AW +: AW])) f_first[r] = 1'b0;
    end
  end

  always_comb begin
    assert ((pick_o & ~todo_i) == 8'd0);
    assert ((f_granted & (f_granted - 8'd1)) == 8'd0);
    assert ((f_granted != 8'd0) == ((todo_i & f_same_bank) != 8'd0));
    for (int unsigned r = 0; r < 8; r = r + 1)
      for (int unsigned other = 0; other < 8; other = other + 1)
        if (f_same_bank[other] && f_same_bank[r] && pick_o[r] && todo_i[other])
          assert (pick_o[other] == (row_i[other*AW +: AW] == row_i[r*AW +: AW]));
  end
