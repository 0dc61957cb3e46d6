// Scalar operands of the bundle at issue and the addresses computed from them. Combinational; every
// output is meaningful only for an enabled operation that has the operand.
`default_nettype none

module tpu_operands (
  input  logic [511:0]  bundle_i,
  input  logic [1023:0] sregs_i,

  output logic [31:0]   sa_a_o,
  output logic [31:0]   sa_b_o,
  output logic [31:0]   sb_a_o,
  output logic [31:0]   sb_b_o,
  output logic [31:0]   smem_address_o,
  output logic [31:0]   va_x_o,
  output logic [31:0]   va_y_o,
  output logic [2:0]    va_n_o,
  output logic [31:0]   vb_x_o,
  output logic [31:0]   vb_y_o,
  output logic [2:0]    vb_n_o,
  output logic [31:0]   ld_base_o,
  output logic [31:0]   ld_bound_o,
  output logic [31:0]   st_bound_o,
  output logic [31:0]   st_base_o,
  output logic [31:0]   mx_index_o,  // accumulator or weight row
  output logic [31:0]   xu_n_o,
  output logic [31:0]   descriptor_o,
  output logic [31:0]   source_offset_o,
  output logic [31:0]   destination_offset_o,
  output logic [31:0]   flag_o,
  output logic [31:0]   flag_n_o
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

  function automatic logic [31:0] pick(input logic [1023:0] sregs, input logic [4:0] index);
    pick = sregs[{index, 5'd0} +: 32];
  endfunction

  assign sa_a_o = pick(sregs_i, tpu_pkg::sa_value(sa));
  assign sb_a_o = pick(sregs_i, tpu_pkg::sa_value(sb));
  assign sa_b_o = tpu_pkg::sbi_extra(sa) ? tpu_pkg::sbi_imm(sa)
                                         : pick(sregs_i, tpu_pkg::sbi_value(sa));
  tpu_pkg::scalar_op_e sb_op;
  assign sb_op = tpu_pkg::scalar_op(sb);
  always_comb begin
    case (sb_op)
      tpu_pkg::OP_SST:
        smem_address_o = pick(sregs_i, tpu_pkg::smem_store_value(sb)) + tpu_pkg::smem_store_imm(sb);
      tpu_pkg::OP_SSTI:
        smem_address_o = pick(sregs_i, tpu_pkg::ssti_address_value(sb))
                       + tpu_pkg::ssti_address_imm(sb);
      default:
        smem_address_o = pick(sregs_i, tpu_pkg::smem_load_value(sb)) + tpu_pkg::smem_load_imm(sb);
    endcase
    if (sb_op == tpu_pkg::OP_SST)
      sb_b_o = pick(sregs_i, tpu_pkg::sst_value_value(sb));
    else if (sb_op == tpu_pkg::OP_SSTI)
      sb_b_o = tpu_pkg::ssti_value_value(sb);
    else if (tpu_pkg::sbi_extra(sb))
      sb_b_o = tpu_pkg::sbi_imm(sb);
    else
      sb_b_o = pick(sregs_i, tpu_pkg::sbi_value(sb));
  end

  logic [4:0]  va_x_index, va_y_index, vb_x_index, vb_y_index;  // a scalar source is below 32
  assign va_x_index = 5'(tpu_pkg::vx_value(va));
  assign va_y_index = 5'(tpu_pkg::vy_value(va));
  assign vb_x_index = 5'(tpu_pkg::vx_value(vb));
  assign vb_y_index = 5'(tpu_pkg::vy_value(vb));
  assign va_x_o = pick(sregs_i, va_x_index);
  // A constant y replaces the scalar register.
  assign va_y_o = tpu_pkg::vy_select(va) ? tpu_pkg::vy_imm(va) : pick(sregs_i, va_y_index);
  assign vb_x_o = pick(sregs_i, vb_x_index);
  assign vb_y_o = tpu_pkg::vy_select(vb) ? tpu_pkg::vy_imm(vb) : pick(sregs_i, vb_y_index);
  // Sublane numbers count modulo 8.
  assign va_n_o = 3'(tpu_pkg::sub_n_extra(va) ? tpu_pkg::sub_n_imm(va)
                                              : pick(sregs_i, tpu_pkg::sub_n_value(va)));
  assign vb_n_o = 3'(tpu_pkg::sub_n_extra(vb) ? tpu_pkg::sub_n_imm(vb)
                                              : pick(sregs_i, tpu_pkg::sub_n_value(vb)));

  assign ld_base_o = (tpu_pkg::load_op(ld) == tpu_pkg::OP_VLDC)
      ? pick(sregs_i, tpu_pkg::ld_word_value(ld)) + tpu_pkg::ld_word_imm(ld)
      : pick(sregs_i, tpu_pkg::ld_address_value(ld)) + tpu_pkg::ld_address_imm(ld);
  assign ld_bound_o = pick(sregs_i, tpu_pkg::ls_bound_value(ld));
  assign st_bound_o = pick(sregs_i, tpu_pkg::ls_bound_value(st));
  assign st_base_o = pick(sregs_i, tpu_pkg::st_address_value(st)) + tpu_pkg::st_address_imm(st);

  tpu_pkg::matrix_op_e mx_op;
  assign mx_op = tpu_pkg::matrix_op(mx);
  always_comb begin
    case (mx_op)
      tpu_pkg::OP_MXPUSH, tpu_pkg::OP_MXPUSHT:
        mx_index_o = pick(sregs_i, tpu_pkg::wrow_value(mx)) + tpu_pkg::wrow_imm(mx);
      tpu_pkg::OP_MXREAD:
        mx_index_o = pick(sregs_i, tpu_pkg::acc_read_value(mx)) + tpu_pkg::acc_read_imm(mx);
      default:
        mx_index_o = pick(sregs_i, tpu_pkg::acc_write_value(mx)) + tpu_pkg::acc_write_imm(mx);
    endcase
  end

  assign xu_n_o = tpu_pkg::xn_extra(xu) ? tpu_pkg::xn_imm(xu)
                                        : pick(sregs_i, tpu_pkg::xn_value(xu));

  // The constant of a descriptor operand counts descriptors of 16 words.
  assign descriptor_o = pick(sregs_i, tpu_pkg::desc_value(dma))
                      + (tpu_pkg::desc_imm(dma) << 4);
  assign source_offset_o = pick(sregs_i, tpu_pkg::src_off_value(dma));
  assign destination_offset_o = pick(sregs_i, tpu_pkg::dst_off_value(dma));
  assign flag_o = pick(sregs_i, tpu_pkg::flag_wait_extra(dma))
                + {27'd0, tpu_pkg::flag_wait_value(dma)};
  assign flag_n_o = tpu_pkg::flag_n_extra(dma) ? tpu_pkg::flag_n_imm(dma)
                                               : pick(sregs_i, tpu_pkg::flag_n_value(dma));
endmodule

`default_nettype wire
