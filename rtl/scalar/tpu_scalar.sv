// Scalar registers and predicates, the two scalar ALUs, SMEM and CSR access of slots sa and sb.
//
// A fired operation reads its operands and lands in the issue cycle t, an SMEM load in t + 1.
// Results of vector units (population count, first set, extract) land in the cycle in which they
// arrive. Retirement: ret_sa_* in t + 1; ret_sb_* in t + 2, so that loads and the rest share one
// port.
`default_nettype none

module tpu_scalar #(
  parameter int unsigned LANES = 16,
  parameter int unsigned SMEM_WORDS = 16384,
  parameter int unsigned AW = $clog2(SMEM_WORDS),
  parameter int unsigned BW = AW - $clog2(LANES)
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,

  // The bundle at issue
  input  logic [63:0]   sa_i,
  input  logic [63:0]   sb_i,
  input  logic          sa_fire_i,
  input  logic          sb_fire_i,
  input  logic [31:0]   seq_i,
  input  logic [31:0]   link_i,
  input  logic [31:0]   sa_a_i,
  input  logic [31:0]   sa_b_i,
  input  logic [31:0]   sb_a_i,
  input  logic [31:0]   sb_b_i,
  input  logic [31:0]   smem_address_i,

  // CSRs
  output logic [9:0]    csr_number_o,
  input  logic [31:0]   csr_value_i,

  // Results of vector units
  input  logic          va_land_i,
  input  logic [4:0]    va_dest_i,
  input  logic [31:0]   va_data_i,
  input  logic          vb_land_i,
  input  logic [4:0]    vb_dest_i,
  input  logic [31:0]   vb_data_i,
  input  logic          xlu_land_i,
  input  logic [4:0]    xlu_dest_i,
  input  logic [31:0]   xlu_data_i,

  // SMEM ports of descriptors and copies
  input  logic                descriptor_read_i,
  input  logic [AW-1:0]       descriptor_i,
  output logic [511:0]        descriptor_o,
  input  logic                copy_read_i,
  input  logic [BW-1:0]       copy_read_beat_i,
  output logic [LANES*32-1:0] copy_read_data_o,
  input  logic                copy_write_i,
  input  logic [BW-1:0]       copy_write_beat_i,
  input  logic [LANES-1:0]    copy_write_strobe_i,
  input  logic [LANES*32-1:0] copy_write_data_i,

  // State, and results that land in this cycle
  output logic [1023:0] sregs_o,
  output logic [7:0]    pregs_o,
  output logic [31:0]   land_o,
  output logic          idle_o,  // no event is pending for ret_sb

  // Retirement
  output logic          ret_sa_valid_o,
  output logic [31:0]   ret_sa_seq_o,
  output tpu_pkg::space_e ret_sa_space_o,
  output logic [31:0]   ret_sa_index_o,
  output logic [31:0]   ret_sa_data_o,
  output logic          ret_sb_valid_o,
  output logic [31:0]   ret_sb_seq_o,
  output tpu_pkg::space_e ret_sb_space_o,
  output logic [31:0]   ret_sb_index_o,
  output logic [31:0]   ret_sb_data_o,
  output logic          ret_csr_valid_o
);
  // ---- execution in the issue cycle -------------------------------------------------------------
  logic [31:0] sa_result, sb_alu, sb_result;
  logic        sa_predicate, sb_predicate;
  tpu_salu sa_alu (
    .slot_i(sa_i), .a_i(sa_a_i), .b_i(sa_b_i), .pregs_i(pregs_o), .link_i(link_i),
    .result_o(sa_result), .predicate_o(sa_predicate));
  tpu_salu sb_alu_unit (
    .slot_i(sb_i), .a_i(sb_a_i), .b_i(sb_b_i), .pregs_i(pregs_o), .link_i(link_i),
    .result_o(sb_alu), .predicate_o(sb_predicate));

  logic sb_is_load, sb_is_store, sb_is_csr;
  assign sb_is_load = tpu_pkg::scalar_op(sb_i) == tpu_pkg::OP_SLD;
  assign sb_is_store = tpu_pkg::scalar_op(sb_i) == tpu_pkg::OP_SST ||
                       tpu_pkg::scalar_op(sb_i) == tpu_pkg::OP_SSTI;
  assign sb_is_csr = tpu_pkg::scalar_op(sb_i) == tpu_pkg::OP_CSR;
  assign csr_number_o = 10'(tpu_pkg::csr_name_value(sb_i));
  assign sb_result = sb_is_csr ? csr_value_i : sb_alu;

  logic sa_writes_s, sa_writes_p, sb_writes_s, sb_writes_p;
  assign sa_writes_s = sa_fire_i && (tpu_pkg::swrites_sa(sa_i) != 32'd0);
  assign sa_writes_p = sa_fire_i && (tpu_pkg::pwrites_sa(sa_i) != 8'd0);
  assign sb_writes_s = sb_fire_i && (tpu_pkg::swrites_sb(sb_i) != 32'd0);
  assign sb_writes_p = sb_fire_i && (tpu_pkg::pwrites_sb(sb_i) != 8'd0);

  // ---- SMEM load: one cycle later ---------------------------------------------------------------
  logic [31:0] load_data;
  logic        load_q;
  logic [4:0]  load_dest_q;
  tpu_smem #(.LANES(LANES), .SMEM_WORDS(SMEM_WORDS)) smem (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .load_i(sb_fire_i && sb_is_load), .store_i(sb_fire_i && sb_is_store),
    .address_i(smem_address_i[AW-1:0]), .store_data_i(sb_b_i), .load_data_o(load_data),
    .descriptor_read_i(descriptor_read_i), .descriptor_i(descriptor_i),
    .descriptor_o(descriptor_o),
    .copy_read_i(copy_read_i), .copy_read_beat_i(copy_read_beat_i),
    .copy_read_data_o(copy_read_data_o),
    .copy_write_i(copy_write_i), .copy_write_beat_i(copy_write_beat_i),
    .copy_write_strobe_i(copy_write_strobe_i), .copy_write_data_i(copy_write_data_i),
    .clear_i(clear_i));

  // ---- registers; the scoreboard never lets two writes of one register land together ------------
  logic [1023:32] sregs_q;  // s0 and p0 do not exist
  logic [7:1]     preg_q;
  assign sregs_o = {sregs_q, 32'd0};
  assign pregs_o = {preg_q, 1'b1};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sregs_q <= '0;
    end else begin
      if (sa_writes_s) sregs_q[{tpu_pkg::sd_value(sa_i), 5'd0} +: 32] <= sa_result;
      if (sb_writes_s && !sb_is_load) sregs_q[{tpu_pkg::sd_value(sb_i), 5'd0} +: 32] <= sb_result;
      if (load_q) sregs_q[{load_dest_q, 5'd0} +: 32] <= load_data;
      if (va_land_i && (va_dest_i != 5'd0))
        sregs_q[{va_dest_i, 5'd0} +: 32] <= va_data_i;
      if (vb_land_i && (vb_dest_i != 5'd0))
        sregs_q[{vb_dest_i, 5'd0} +: 32] <= vb_data_i;
      if (xlu_land_i && (xlu_dest_i != 5'd0))
        sregs_q[{xlu_dest_i, 5'd0} +: 32] <= xlu_data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      preg_q <= 7'd0;
      load_q <= 1'b0;
    end else begin
      if (sa_writes_p) preg_q[tpu_pkg::pd_value(sa_i)] <= sa_predicate;
      if (sb_writes_p) preg_q[tpu_pkg::pd_value(sb_i)] <= sb_predicate;
      load_q <= sb_writes_s && sb_is_load;
    end
    load_dest_q <= tpu_pkg::sd_value(sb_i);
  end

  always_comb begin
    land_o = 32'd0;
    if (load_q) land_o[load_dest_q] = 1'b1;
    if (va_land_i) land_o[va_dest_i] = 1'b1;
    if (vb_land_i) land_o[vb_dest_i] = 1'b1;
    if (xlu_land_i) land_o[xlu_dest_i] = 1'b1;
  end

  // ---- retirement -------------------------------------------------------------------------------
  logic        sb_q, sb_csr_q;
  logic [31:0] sb_seq_q, sb_index_q, sb_data_q;
  tpu_pkg::space_e sb_space_q;
  assign idle_o = !sb_q && !load_q;

  always_ff @(posedge clk_i) begin
    ret_sa_valid_o <= rst_ni && (sa_writes_s || sa_writes_p);
    ret_sa_seq_o <= seq_i;
    ret_sa_space_o <= sa_writes_p ? tpu_pkg::SPACE_PREG : tpu_pkg::SPACE_SREG;
    ret_sa_index_o <= sa_writes_p ? {29'd0, tpu_pkg::pd_value(sa_i)}
                                  : {27'd0, tpu_pkg::sd_value(sa_i)};
    ret_sa_data_o <= sa_writes_p ? {31'd0, sa_predicate} : sa_result;

    sb_q <= rst_ni && (sb_writes_s || sb_writes_p || (sb_fire_i && sb_is_store));
    sb_csr_q <= sb_is_csr && tpu_pkg::csr_volatile(tpu_pkg::csr_name_value(sb_i));
    sb_seq_q <= seq_i;
    sb_data_q <= sb_is_store ? sb_b_i : (sb_writes_p ? {31'd0, sb_predicate} : sb_result);
    if (sb_is_store) begin
      sb_space_q <= tpu_pkg::SPACE_SMEM;
      sb_index_q <= smem_address_i;
    end else if (sb_writes_p) begin
      sb_space_q <= tpu_pkg::SPACE_PREG;
      sb_index_q <= {29'd0, tpu_pkg::pd_value(sb_i)};
    end else begin
      sb_space_q <= tpu_pkg::SPACE_SREG;
      sb_index_q <= {27'd0, tpu_pkg::sd_value(sb_i)};
    end

    ret_sb_valid_o <= rst_ni && sb_q;
    ret_csr_valid_o <= rst_ni && sb_q && sb_csr_q;
    ret_sb_seq_o <= sb_seq_q;
    ret_sb_space_o <= sb_space_q;
    ret_sb_index_o <= sb_index_q;
    ret_sb_data_o <= load_q ? load_data : sb_data_q;
  end
endmodule

`default_nettype wire
