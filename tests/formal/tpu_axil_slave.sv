  // AXI4-Lite: a response stays, unchanged, until it is taken; there is one for every request and
  // none without; a register is written once for a whole word and never otherwise.
  logic f_b_waits_q = 1'b0, f_r_waits_q = 1'b0;
  logic f_b_held_q = 1'b0, f_r_held_q = 1'b0;
  logic [1:0]  f_bresp_q;
  logic [31:0] f_rdata_q;

  always_ff @(posedge clk_i) begin
    f_b_waits_q <= rst_ni && ((awvalid_i && awready_o) || (f_b_waits_q && !bready_i));
    f_r_waits_q <= rst_ni && ((arvalid_i && arready_o) || (f_r_waits_q && !rready_i));
    f_b_held_q <= rst_ni && bvalid_o && !bready_i;
    f_r_held_q <= rst_ni && rvalid_o && !rready_i;
    f_bresp_q <= bresp_o;
    f_rdata_q <= rdata_o;
  end

  always_comb begin
    assert ((awvalid_i && awready_o) == (wvalid_i && wready_o));
    assert (!reg_write_o || (awvalid_i && awready_o && (wstrb_i == 4'hf)));
    assert (!(awvalid_i && awready_o && (wstrb_i == 4'hf)) || reg_write_o);
    assert (!reg_write_o || ((reg_addr_o == awaddr_i[11:2]) && (reg_wdata_o == wdata_i)));
    if (f_begun_q) begin
      assert (bvalid_o == f_b_waits_q);
      assert (rvalid_o == f_r_waits_q);
      if (f_b_held_q) assert (bvalid_o && (bresp_o == f_bresp_q));
      if (f_r_held_q) assert (rvalid_o && (rdata_o == f_rdata_q));
    end
  end
