  // A store writes in each of its turns, in none of which a load goes on beyond the cycle: so a load of
  // its own bundle, which starts with it, has read everything by its first write.
  wire       f_pause = load_busy_i;
  wire [7:0] f_turn = vmem_write_o;
  always_comb
    if (f_begun_q) begin
      assert (idle_o == !f_any);
      assert (!load_busy_i || (vmem_write_o == 8'd0));
      assert (ret_st_valid_o == (f_any && !load_busy_i));
      assert (ret_st_rows_o == vmem_write_o);
    end
