// Decode: the requirements of a bundle, directly from the generated functions of tpu_pkg.
//
// Combinational. `enabled` and everything named "read" or "write" of enabled slots is meaningful
// only for a legal bundle without write conflicts; those two checks ignore predicates.
`default_nettype none

module tpu_decode (
  input  logic [511:0] bundle_i,
  input  logic [7:0]   pregs_i,

  output logic [8:0]   enabled_o,  // bit per slot: not empty and its predicate holds

  // Encoding errors
  output logic         illegal_o,
  output logic [3:0]   illegal_slot_o,
  output logic         conflict_o,
  output logic [3:0]   conflict_slot_o,    // the second slot, in slot order, that writes it
  output logic [31:0]  conflict_detail_o,  // file << 8 | register

  // Registers that enabled slots read, and write by the unit that computes the result
  output logic [31:0]  sreads_o,
  output logic [7:0]   mreads_o,
  output logic [63:0]  vreads_o,
  output logic [31:0]  swrites_now_o,   // scalar ALU, in the issue cycle
  output logic [31:0]  swrites_soon_o,  // SMEM load, vector ALU
  output logic [31:0]  swrites_xlu_o,
  output logic [7:0]   mwrites_o,
  output logic [63:0]  vwrites_vector_o,  // vector ALUs and load
  output logic [63:0]  vwrites_eup_o,
  output logic [63:0]  vwrites_xlu_o,
  output logic [63:0]  vwrites_mxu_o
);
  logic [63:0] sa, sb, va, vb, ld, st, mx, xu, dma;
  assign sa  = bundle_i[tpu_pkg::SLOT_SA_LSB +: 64];
  assign sb  = bundle_i[tpu_pkg::SLOT_SB_LSB +: 64];
  assign va  = bundle_i[tpu_pkg::SLOT_VA_LSB +: 64];
  assign vb  = bundle_i[tpu_pkg::SLOT_VB_LSB +: 64];
  assign ld  = bundle_i[tpu_pkg::SLOT_LD_LSB +: 64];
  assign st  = bundle_i[tpu_pkg::SLOT_ST_LSB +: 64];
  assign mx  = bundle_i[tpu_pkg::SLOT_MX_LSB +: 64];
  assign xu  = {32'd0, bundle_i[tpu_pkg::SLOT_XU_LSB +: 32]};
  assign dma = {32'd0, bundle_i[tpu_pkg::SLOT_DMA_LSB +: 32]};

  function automatic logic holds(input logic [63:0] slot, input logic [7:0] pregs);
    logic value;
    value = pregs[tpu_pkg::predicate_value(slot)];
    holds = (slot != 64'd0) && (value != tpu_pkg::predicate_negate(slot));
  endfunction

  assign enabled_o = {holds(dma, pregs_i), holds(xu, pregs_i), holds(mx, pregs_i),
                      holds(st, pregs_i), holds(ld, pregs_i), holds(vb, pregs_i),
                      holds(va, pregs_i), holds(sb, pregs_i), holds(sa, pregs_i)};

  // ---- encoding -------------------------------------------------------------------------------
  logic [8:0] legal;
  assign legal = {tpu_pkg::legal_dma(dma), tpu_pkg::legal_xu(xu), tpu_pkg::legal_mx(mx),
                  tpu_pkg::legal_st(st), tpu_pkg::legal_ld(ld), tpu_pkg::legal_vb(vb),
                  tpu_pkg::legal_va(va), tpu_pkg::legal_sb(sb), tpu_pkg::legal_sa(sa)};
  assign illegal_o = !(&legal);
  always_comb begin
    illegal_slot_o = 4'd0;
    for (int unsigned i = 0; i < 9; i = i + 1)
      if (!legal[8 - i]) illegal_slot_o = 4'd8 - i[3:0];
  end

  // ---- write conflicts: registers written by a slot and an earlier one --------------------------
  // ---------------------
  logic [31:0] s_sa, s_sb, s_va, s_vb, s_xu, s_hit;
  logic [7:0]  p_sa, p_sb, p_hit, m_va, m_vb, m_hit;
  logic [63:0] v_va, v_vb, v_ld, v_mx, v_xu, v_hit;
  assign s_sa = tpu_pkg::swrites_sa(sa);
  assign s_sb = tpu_pkg::swrites_sb(sb);
  assign s_va = tpu_pkg::swrites_va(va);
  assign s_vb = tpu_pkg::swrites_vb(vb);
  assign s_xu = tpu_pkg::swrites_xu(xu);
  assign p_sa = tpu_pkg::pwrites_sa(sa);
  assign p_sb = tpu_pkg::pwrites_sb(sb);
  assign m_va = tpu_pkg::mwrites_va(va);
  assign m_vb = tpu_pkg::mwrites_vb(vb);
  assign v_va = tpu_pkg::vwrites_va(va);
  assign v_vb = tpu_pkg::vwrites_vb(vb);
  assign v_ld = tpu_pkg::vwrites_ld(ld);
  assign v_mx = tpu_pkg::vwrites_mx(mx);
  assign v_xu = tpu_pkg::vwrites_xu(xu);

  assign s_hit = (s_sa & s_sb) | ((s_sa | s_sb) & s_va) | ((s_sa | s_sb | s_va) & s_vb)
               | ((s_sa | s_sb | s_va | s_vb) & s_xu);
  assign p_hit = p_sa & p_sb;
  assign m_hit = m_va & m_vb;
  assign v_hit = (v_va & v_vb) | ((v_va | v_vb) & v_ld) | ((v_va | v_vb | v_ld) & v_mx)
               | ((v_va | v_vb | v_ld | v_mx) & v_xu);
  assign conflict_o = (s_hit != 32'd0) || (p_hit != 8'd0) || (m_hit != 8'd0) || (v_hit != 64'd0);

  logic [31:0] s_first;
  logic [63:0] v_first;
  assign s_first = s_hit & (~s_hit + 32'd1);
  assign v_first = v_hit & (~v_hit + 64'd1);

  function automatic logic [7:0] lowest(input logic [63:0] set);
    lowest = 8'd0;
    for (int unsigned i = 0; i < 64; i = i + 1)
      if (set[63 - i]) lowest = 8'd63 - i[7:0];
  endfunction

  always_comb begin
    conflict_detail_o = 32'd0;
    conflict_slot_o = 4'd0;
    if (s_hit != 32'd0) begin
      conflict_detail_o = {24'd0, lowest({32'd0, s_hit})};
      if ((s_first & s_sa & s_sb) != 32'd0) conflict_slot_o = tpu_pkg::SLOT_SB;
      else if ((s_first & (s_sa | s_sb) & s_va) != 32'd0) conflict_slot_o = tpu_pkg::SLOT_VA;
      else if ((s_first & (s_sa | s_sb | s_va) & s_vb) != 32'd0)
        conflict_slot_o = tpu_pkg::SLOT_VB;
      else conflict_slot_o = tpu_pkg::SLOT_XU;
    end else if (p_hit != 8'd0) begin
      conflict_detail_o = {24'd1, lowest({56'd0, p_hit})};
      conflict_slot_o = tpu_pkg::SLOT_SB;
    end else if (m_hit != 8'd0) begin
      conflict_detail_o = {24'd2, lowest({56'd0, m_hit})};
      conflict_slot_o = tpu_pkg::SLOT_VB;
    end else if (v_hit != 64'd0) begin
      conflict_detail_o = {24'd3, lowest(v_hit)};
      if ((v_first & v_va & v_vb) != 64'd0) conflict_slot_o = tpu_pkg::SLOT_VB;
      else if ((v_first & (v_va | v_vb) & v_ld) != 64'd0) conflict_slot_o = tpu_pkg::SLOT_LD;
      else if ((v_first & (v_va | v_vb | v_ld) & v_mx) != 64'd0)
        conflict_slot_o = tpu_pkg::SLOT_MX;
      else conflict_slot_o = tpu_pkg::SLOT_XU;
    end
  end

  // ---- registers of enabled slots ---------------------------------------------------------------
  function automatic logic [31:0] s_if(input logic on, input logic [31:0] set);
    s_if = on ? set : 32'd0;
  endfunction
  function automatic logic [7:0] m_if(input logic on, input logic [7:0] set);
    m_if = on ? set : 8'd0;
  endfunction
  function automatic logic [63:0] v_if(input logic on, input logic [63:0] set);
    v_if = on ? set : 64'd0;
  endfunction

  logic on_sa, on_sb, on_va, on_vb, on_ld, on_st, on_mx, on_xu, on_dma;
  assign {on_dma, on_xu, on_mx, on_st, on_ld, on_vb, on_va, on_sb, on_sa} = enabled_o;

  assign sreads_o = s_if(on_sa, tpu_pkg::sreads_sa(sa)) | s_if(on_sb, tpu_pkg::sreads_sb(sb))
                  | s_if(on_va, tpu_pkg::sreads_va(va)) | s_if(on_vb, tpu_pkg::sreads_vb(vb))
                  | s_if(on_ld, tpu_pkg::sreads_ld(ld)) | s_if(on_st, tpu_pkg::sreads_st(st))
                  | s_if(on_mx, tpu_pkg::sreads_mx(mx)) | s_if(on_xu, tpu_pkg::sreads_xu(xu))
                  | s_if(on_dma, tpu_pkg::sreads_dma(dma));
  assign mreads_o = m_if(on_va, tpu_pkg::mreads_va(va)) | m_if(on_vb, tpu_pkg::mreads_vb(vb))
                  | m_if(on_ld, tpu_pkg::mreads_ld(ld)) | m_if(on_st, tpu_pkg::mreads_st(st));
  assign vreads_o = v_if(on_va, tpu_pkg::vreads_va(va)) | v_if(on_vb, tpu_pkg::vreads_vb(vb))
                  | v_if(on_ld, tpu_pkg::vreads_ld(ld))
                  | v_if(on_st, tpu_pkg::vreads_st(st)) | v_if(on_mx, tpu_pkg::vreads_mx(mx))
                  | v_if(on_xu, tpu_pkg::vreads_xu(xu));

  logic sb_late, xu_eup;
  assign sb_late = tpu_pkg::latency_sb(sb) == tpu_pkg::LATENCY_SCALAR_LOAD;
  assign xu_eup = tpu_pkg::latency_xu(xu) == tpu_pkg::LATENCY_EUP;
  assign swrites_now_o = s_if(on_sa, s_sa) | s_if(on_sb && !sb_late, s_sb);
  assign swrites_soon_o = s_if(on_sb && sb_late, s_sb) | s_if(on_va, s_va) | s_if(on_vb, s_vb);
  assign swrites_xlu_o = s_if(on_xu, s_xu);
  assign mwrites_o = m_if(on_va, m_va) | m_if(on_vb, m_vb);
  assign vwrites_vector_o = v_if(on_va, v_va) | v_if(on_vb, v_vb) | v_if(on_ld, v_ld);
  assign vwrites_eup_o = v_if(on_xu && xu_eup, v_xu);
  assign vwrites_xlu_o = v_if(on_xu && !xu_eup, v_xu);
  assign vwrites_mxu_o = v_if(on_mx, v_mx);
endmodule

`default_nettype wire
