// Scoreboard: which registers wait for a result, by the unit that computes it.
//
// A register becomes pending when its bundle issues and stops being so at the end of the cycle in
// which the result lands (is written). Reading a pending register stalls, landing or not: a bundle
// may read a result from the cycle after it landed. Writing a pending register stalls too, which
// keeps writes in order across latencies; a vector register may be written by a bundle that issues
// in the same cycle in which the old result lands, because every new result lands later. A scalar
// register may not, because the scalar ALU lands in its issue cycle. Masks come from the vector
// ALUs only, whose latency is fixed, so their writes are in order anyway.
`default_nettype none

module tpu_scoreboard (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,  // start: forgets everything

  // The bundle at issue
  input  logic        go_i,  // it issues in this cycle
  input  logic [31:0] sreads_i,
  input  logic [7:0]  mreads_i,
  input  logic [63:0] vreads_i,
  input  logic [31:0] swrites_now_i,
  input  logic [31:0] swrites_soon_i,
  input  logic [31:0] swrites_xlu_i,
  input  logic [7:0]  mwrites_i,
  input  logic [63:0] vwrites_vector_i,
  input  logic [63:0] vwrites_eup_i,
  input  logic [63:0] vwrites_xlu_i,
  input  logic [63:0] vwrites_mxu_i,

  // Results that land in this cycle
  input  logic [31:0] s_land_i,
  input  logic [7:0]  m_land_i,
  input  logic [63:0] v_land_i,

  // Hazards of the bundle at issue, by cause
  output logic        wait_scalar_o,
  output logic        wait_vector_o,
  output logic        wait_eup_o,
  output logic        wait_xlu_o,
  output logic        wait_mxu_o,
  output logic        idle_o  // nothing is pending
);
  logic [31:0] s_soon_d, s_soon_q, s_xlu_d, s_xlu_q, swrites, s_touch;
  logic [7:0]  m_d, m_q;
  logic [63:0] v_vector_d, v_vector_q, v_eup_d, v_eup_q, v_xlu_d, v_xlu_q, v_mxu_d, v_mxu_q;
  logic [63:0] v_touch;

  assign swrites = swrites_now_i | swrites_soon_i | swrites_xlu_i;
  assign s_touch = sreads_i | swrites;
  assign v_touch = vreads_i
      | ((vwrites_vector_i | vwrites_eup_i | vwrites_xlu_i | vwrites_mxu_i) & ~v_land_i);

  assign wait_scalar_o = ((s_touch & s_soon_q) != 32'd0) || ((mreads_i & m_q) != 8'd0);
  assign wait_vector_o = (v_touch & v_vector_q) != 64'd0;
  assign wait_eup_o = (v_touch & v_eup_q) != 64'd0;
  assign wait_xlu_o = ((v_touch & v_xlu_q) != 64'd0) || ((s_touch & s_xlu_q) != 32'd0);
  assign wait_mxu_o = (v_touch & v_mxu_q) != 64'd0;
  assign idle_o = ((s_soon_q | s_xlu_q) == 32'd0) && (m_q == 8'd0)
                && ((v_vector_q | v_eup_q | v_xlu_q | v_mxu_q) == 64'd0);

  always_comb begin
    s_soon_d = s_soon_q & ~s_land_i;
    s_xlu_d = s_xlu_q & ~s_land_i;
    m_d = m_q & ~m_land_i;
    v_vector_d = v_vector_q & ~v_land_i;
    v_eup_d = v_eup_q & ~v_land_i;
    v_xlu_d = v_xlu_q & ~v_land_i;
    v_mxu_d = v_mxu_q & ~v_land_i;
    if (go_i) begin
      s_soon_d = s_soon_d | swrites_soon_i;
      s_xlu_d = s_xlu_d | swrites_xlu_i;
      m_d = m_d | mwrites_i;
      v_vector_d = v_vector_d | vwrites_vector_i;
      v_eup_d = v_eup_d | vwrites_eup_i;
      v_xlu_d = v_xlu_d | vwrites_xlu_i;
      v_mxu_d = v_mxu_d | vwrites_mxu_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      s_soon_q <= 32'd0;
      s_xlu_q <= 32'd0;
      m_q <= 8'd0;
      v_vector_q <= 64'd0;
      v_eup_q <= 64'd0;
      v_xlu_q <= 64'd0;
      v_mxu_q <= 64'd0;
    end else begin
      s_soon_q <= s_soon_d;
      s_xlu_q <= s_xlu_d;
      m_q <= m_d;
      v_vector_q <= v_vector_d;
      v_eup_q <= v_eup_d;
      v_xlu_q <= v_xlu_d;
      v_mxu_q <= v_mxu_d;
    end
  end

`ifndef SYNTHESIS
  // Every result that lands was pending, except for s0 and m0, which are never written; and nothing
  // is pending twice.
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert ((s_land_i & ~(s_soon_q | s_xlu_q | 32'd1)) == 32'd0) else $error("scalar landed");
      assert ((m_land_i & ~(m_q | 8'd1)) == 8'd0) else $error("mask landed");
      assert ((v_land_i & ~(v_vector_q | v_eup_q | v_xlu_q | v_mxu_q)) == 64'd0)
        else $error("vector landed");
      assert ((v_vector_q & (v_eup_q | v_xlu_q | v_mxu_q)) == 64'd0) else $error("two writers");
    end
  end
`endif
endmodule

`default_nettype wire
