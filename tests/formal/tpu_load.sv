  // A load reads in each of its turns, and its result is there in the last one: a cycle after its
  // start when it has no row at all.
  wire       f_pause = 1'b0;
  wire [7:0] f_turn = vmem_read_o;
  logic      f_loads_q;  // a load is under way
  always_ff @(posedge clk_i) f_loads_q <= rst_ni && (start_i || (f_loads_q && (f_more != 8'd0)));
  always_comb
    if (f_begun_q) begin
      assert (active_q == f_loads_q);
      assert (f_loads_q || !f_any);
      assert (done_o == (f_loads_q && (f_more == 8'd0)));
    end
