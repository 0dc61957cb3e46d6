  // AXI4: a request stays, unchanged, until it is taken, provided that the core's does; WLAST ends
  // each burst at its length, and no beat goes beyond it. The core sends no beat before its burst
  // was granted.
  logic        f_aw_held_q = 1'b0, f_ar_held_q = 1'b0, f_core_held_q = 1'b0;
  logic [63:0] f_awaddr_q, f_araddr_q, f_core_addr_q;
  logic [7:0]  f_awlen_q, f_arlen_q, f_core_beats_q;
  logic        f_core_read_q = 1'b0;

  always_ff @(posedge clk_i) begin
    f_aw_held_q <= rst_ni && awvalid_o && !awready_i;
    f_ar_held_q <= rst_ni && arvalid_o && !arready_i;
    f_core_held_q <= rst_ni && wr_valid_i && !wr_ready_o;
    f_core_read_q <= rst_ni && rd_valid_i && !rd_ready_o;
    f_awaddr_q <= awaddr_o;
    f_araddr_q <= araddr_o;
    f_awlen_q <= awlen_o;
    f_arlen_q <= arlen_o;
    f_core_addr_q <= wr_addr_i;
    f_core_beats_q <= wr_beats_i;
  end

  always_comb begin
    if (f_core_held_q)
      assume (wr_valid_i && (wr_addr_i == f_core_addr_q) && (wr_beats_i == f_core_beats_q));
    if (f_core_read_q)
      assume (rd_valid_i && (rd_addr_i == f_araddr_q) && (rd_beats_i == f_arlen_q));
    assume (!wdata_valid_i || (bursts != 0));
    if (f_begun_q) begin
      assert (bursts <= BURSTS);
      if (f_aw_held_q)
        assert (awvalid_o && (awaddr_o == f_awaddr_q) && (awlen_o == f_awlen_q));
      if (f_ar_held_q)
        assert (arvalid_o && (araddr_o == f_araddr_q) && (arlen_o == f_arlen_q));
      if (bursts == 0) assert (sent_q == 8'd0);
      else assert (sent_q <= length);
    end
  end
