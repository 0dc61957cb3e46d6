  // No bundle issues that reads, or writes again, a register whose result is still to come: one
  // register of each file, any, is followed beside the scoreboard's own account. A register is
  // written by one unit of a bundle, and landing results were pending.
  (* anyconst *) logic [5:0] f_v;
  (* anyconst *) logic [4:0] f_s;
  logic f_v_waits_q = 1'b0, f_s_waits_q = 1'b0;
  wire  f_waits = wait_scalar_o || wait_vector_o || wait_eup_o || wait_xlu_o || wait_mxu_o;
  wire  f_v_written = vwrites_vector_i[f_v] | vwrites_eup_i[f_v] | vwrites_xlu_i[f_v]
                    | vwrites_mxu_i[f_v];
  wire  f_s_written = swrites_soon_i[f_s] | swrites_xlu_i[f_s];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      f_v_waits_q <= 1'b0;
      f_s_waits_q <= 1'b0;
    end else begin
      f_v_waits_q <= (f_v_waits_q && !v_land_i[f_v]) || (go_i && f_v_written);
      f_s_waits_q <= (f_s_waits_q && !s_land_i[f_s]) || (go_i && f_s_written);
    end
  end

  always_comb begin
    assume (!go_i || !f_waits);
    if (f_begun_q) begin
      assert (f_v_waits_q == (v_vector_q[f_v] | v_eup_q[f_v] | v_xlu_q[f_v] | v_mxu_q[f_v]));
      assert (f_s_waits_q == (s_soon_q[f_s] | s_xlu_q[f_s]));
      if (f_v_waits_q && vreads_i[f_v]) assert (f_waits && !go_i);
      if (f_v_waits_q && f_v_written && !v_land_i[f_v]) assert (f_waits && !go_i);
      if (f_s_waits_q && (sreads_i[f_s] || f_s_written || swrites_now_i[f_s]))
        assert (f_waits && !go_i);
      if (f_v_waits_q || f_s_waits_q) assert (!idle_o);
    end
  end
