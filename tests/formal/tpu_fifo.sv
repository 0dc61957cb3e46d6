  // A queue keeps count, and pushed entries come out unchanged and in order: any one entry is
  // followed from its push to its pop.
  (* anyseq *) logic f_mark;
  logic             f_followed_q = 1'b0;
  logic [PW-1:0]    f_place_q;
  logic [WIDTH-1:0] f_data_q;
  wire  [PW-1:0]    f_ahead = f_place_q - head_q;
  wire  [PW-1:0]    f_length = tail_q - head_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_followed_q <= 1'b0;
    else if (push_i && f_mark && !f_followed_q) begin
      f_followed_q <= 1'b1;
      f_place_q <= tail_q;
      f_data_q <= data_i;
    end else if (pop_i && (head_q == f_place_q)) f_followed_q <= 1'b0;
  end

  always_comb begin
    if (f_begun_q && rst_ni) begin  // asserted instead where the user is proved (scripts/formal)
      assume (!push_i || (count_o != DEPTH));
      assume (!pop_i || (count_o != 0));
    end
    if (f_begun_q) begin
      assert (count_o <= DEPTH);
      assert (f_length == count_o[PW-1:0]);
      if (f_followed_q) begin
        assert (f_ahead < count_o);
        assert (mem_q[f_place_q] == f_data_q);
        if (head_q == f_place_q) assert (head_o == f_data_q);
      end
    end
  end
