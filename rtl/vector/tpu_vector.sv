// The vector side: registers, masks, VMEM with load and store, vector ALUs, EUP, XLU and MXU.
// Wires, and the choice of each unit's operands from the bundle at issue; the timing is that of the
// units.
`default_nettype none

module tpu_vector #(
  parameter int unsigned LANES = 16,
  parameter int unsigned VMEM_ROWS = 16384,
  parameter int unsigned AW = $clog2(VMEM_ROWS),
  parameter int unsigned RW = LANES * 32,
  parameter int unsigned VW = 8 * RW,
  parameter int unsigned LB = $clog2(LANES)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,

  // The bundle at issue
  input  logic [511:0]       bundle_i,
  input  logic [8:0]         fire_i,
  input  logic [8:0]         enabled_i,
  input  logic [31:0]        seq_i,
  input  logic [31:0]        va_x_i,
  input  logic [31:0]        va_y_i,
  input  logic [2:0]         va_n_i,
  input  logic [31:0]        vb_x_i,
  input  logic [31:0]        vb_y_i,
  input  logic [2:0]         vb_n_i,
  input  logic [7:0]         ld_rows_i,
  input  logic [255:0]       ld_row_i,
  input  logic [8*LB-1:0]    ld_lane_i,
  input  logic [8*LANES-1:0] ld_mask_i,
  input  logic [7:0]         st_rows_i,
  input  logic [255:0]       st_row_i,
  input  logic [8*LANES-1:0] st_mask_i,
  input  logic [6:0]         mx_index_i,  // checked to be in range
  input  logic [31:0]        xu_n_i,

  // Rows of indexed loads and stores, before they are checked
  output logic [255:0]       ld_index_o,
  output logic [255:0]       st_index_o,

  // Readiness for the bundle at issue
  output logic               vmem_busy_o,
  output logic               eup_ready_o,
  output logic               xlu_ready_o,
  output logic               push_ready_o,
  output logic               mul_ready_o,
  output logic               read_ready_o,
  output logic               idle_o,  // stores and MXU; the scoreboard knows the rest

  // Landing
  output logic [7:0]         m_land_o,
  output logic [63:0]        v_land_o,
  output logic               va_s_land_o,
  output logic [4:0]         va_s_dest_o,
  output logic [31:0]        va_s_data_o,
  output logic               vb_s_land_o,
  output logic [4:0]         vb_s_dest_o,
  output logic [31:0]        vb_s_data_o,
  output logic               xlu_s_land_o,
  output logic [4:0]         xlu_s_dest_o,
  output logic [31:0]        xlu_s_data_o,
  output logic [8*8*LANES-1:0] mregs_o,

  // VMEM port of copies
  input  logic               copy_read_i,
  input  logic [AW-1:0]      copy_read_row_i,
  output logic [RW-1:0]      copy_read_data_o,
  input  logic               copy_write_i,
  input  logic [AW-1:0]      copy_write_row_i,
  input  logic [LANES-1:0]   copy_write_strobe_i,
  input  logic [RW-1:0]      copy_write_data_i,

  // Retirement
  output logic               ret_va_valid_o,
  output logic [31:0]        ret_va_seq_o,
  output tpu_pkg::space_e    ret_va_space_o,
  output logic [5:0]         ret_va_index_o,
  output logic [VW-1:0]      ret_va_data_o,
  output logic [8*LANES-1:0] ret_va_mask_o,
  output logic [31:0]        ret_va_scalar_o,
  output logic               ret_vb_valid_o,
  output logic [31:0]        ret_vb_seq_o,
  output tpu_pkg::space_e    ret_vb_space_o,
  output logic [5:0]         ret_vb_index_o,
  output logic [VW-1:0]      ret_vb_data_o,
  output logic [8*LANES-1:0] ret_vb_mask_o,
  output logic [31:0]        ret_vb_scalar_o,
  output logic               ret_ld_valid_o,
  output logic [31:0]        ret_ld_seq_o,
  output logic [5:0]         ret_ld_index_o,
  output logic [VW-1:0]      ret_ld_data_o,
  output logic               ret_st_valid_o,
  output logic [31:0]        ret_st_seq_o,
  output logic [7:0]         ret_st_rows_o,
  output logic [8*32-1:0]    ret_st_address_o,
  output logic [8*LANES-1:0] ret_st_mask_o,
  output logic [VW-1:0]      ret_st_data_o,
  output logic               ret_mul_valid_o,
  output logic [31:0]        ret_mul_seq_o,
  output logic [5:0]         ret_mul_acc_o,
  output logic [2:0]         ret_mul_r_o,
  output logic [RW-1:0]      ret_mul_data_o,
  output logic               ret_read_valid_o,
  output logic [31:0]        ret_read_seq_o,
  output logic [5:0]         ret_read_index_o,
  output logic [VW-1:0]      ret_read_data_o,
  output logic               ret_eup_valid_o,
  output logic [31:0]        ret_eup_seq_o,
  output logic [5:0]         ret_eup_index_o,
  output logic [VW-1:0]      ret_eup_data_o,
  output logic               ret_xlu_valid_o,
  output logic [31:0]        ret_xlu_seq_o,
  output tpu_pkg::space_e    ret_xlu_space_o,
  output logic [5:0]         ret_xlu_index_o,
  output logic [VW-1:0]      ret_xlu_data_o,
  output logic [31:0]        ret_xlu_scalar_o
);
  logic [63:0] va, vb, ld, st, mx, xu;
  assign va = bundle_i[tpu_pkg::SLOT_VA_LSB +: 64];
  assign vb = bundle_i[tpu_pkg::SLOT_VB_LSB +: 64];
  assign ld = bundle_i[tpu_pkg::SLOT_LD_LSB +: 64];
  assign st = bundle_i[tpu_pkg::SLOT_ST_LSB +: 64];
  assign mx = bundle_i[tpu_pkg::SLOT_MX_LSB +: 64];
  assign xu = {32'd0, bundle_i[tpu_pkg::SLOT_XU_LSB +: 32]};

  logic fire_va, fire_vb, fire_ld, fire_st, fire_mx, fire_xu;
  assign fire_va = fire_i[tpu_pkg::SLOT_VA];
  assign fire_vb = fire_i[tpu_pkg::SLOT_VB];
  assign fire_ld = fire_i[tpu_pkg::SLOT_LD];
  assign fire_st = fire_i[tpu_pkg::SLOT_ST];
  assign fire_mx = fire_i[tpu_pkg::SLOT_MX];
  assign fire_xu = fire_i[tpu_pkg::SLOT_XU];

  // ---- operands ---------------------------------------------------------------------------------
  // A constant is one value in every element, like a scalar, and uses the same wires.
  tpu_pkg::form_e va_y_form, vb_y_form;
  assign va_y_form = tpu_pkg::vy_select(va) ? tpu_pkg::FORM_SCALAR : tpu_pkg::vy_extra(va);
  assign vb_y_form = tpu_pkg::vy_select(vb) ? tpu_pkg::FORM_SCALAR : tpu_pkg::vy_extra(vb);

  logic [VW-1:0] va_x, va_y, vb_x, vb_y, st_x, mx_x, xu_x, xu_index;
  logic va_v_land, vb_v_land, xlu_v_land;  // of the units further down
  tpu_vregs #(.LANES(LANES)) vregs (
    .clk_i(clk_i),
    .va_x_read_i(fire_va && (tpu_pkg::vx_extra(va) != tpu_pkg::FORM_SCALAR)),
    .va_x_index_i(tpu_pkg::vx_value(va)), .va_x_o(va_x),
    .va_y_read_i(fire_va && (va_y_form != tpu_pkg::FORM_SCALAR)),
    .va_y_index_i(tpu_pkg::vy_value(va)), .va_y_o(va_y),
    .vb_x_read_i(fire_vb && (tpu_pkg::vx_extra(vb) != tpu_pkg::FORM_SCALAR)),
    .vb_x_index_i(tpu_pkg::vx_value(vb)), .vb_x_o(vb_x),
    .vb_y_read_i(fire_vb && (vb_y_form != tpu_pkg::FORM_SCALAR)),
    .vb_y_index_i(tpu_pkg::vy_value(vb)), .vb_y_o(vb_y),
    .ld_rows_read_i(tpu_pkg::load_op(ld) == tpu_pkg::OP_VLDX),
    .ld_rows_index_i(tpu_pkg::ls_index_value(ld)), .ld_rows_o(ld_index_o),
    .st_rows_read_i(tpu_pkg::store_op(st) == tpu_pkg::OP_VSTX),
    .st_rows_index_i(tpu_pkg::ls_index_value(st)), .st_rows_o(st_index_o),
    .st_read_i(fire_st), .st_index_i(tpu_pkg::st_x_value(st)), .st_o(st_x),
    .mx_read_i(fire_mx), .mx_index_i(tpu_pkg::mx_any_value(mx)), .mx_o(mx_x),
    .xu_x_read_i(fire_xu), .xu_x_index_i(tpu_pkg::xx_value(xu)), .xu_x_o(xu_x),
    .xu_index_read_i(fire_xu && (tpu_pkg::cross_op(xu) == tpu_pkg::OP_LPERM)),
    .xu_index_index_i(tpu_pkg::xindex_value(xu)), .xu_index_o(xu_index),
    .va_land_i(va_v_land), .va_dest_i(ret_va_index_o), .va_data_i(ret_va_data_o),
    .vb_land_i(vb_v_land), .vb_dest_i(ret_vb_index_o), .vb_data_i(ret_vb_data_o),
    .ld_land_i(ret_ld_valid_o), .ld_dest_i(ret_ld_index_o), .ld_data_i(ret_ld_data_o),
    .mx_land_i(ret_read_valid_o), .mx_dest_i(ret_read_index_o), .mx_data_i(ret_read_data_o),
    .eup_land_i(ret_eup_valid_o), .eup_dest_i(ret_eup_index_o), .eup_data_i(ret_eup_data_o),
    .xlu_land_i(xlu_v_land), .xlu_dest_i(ret_xlu_index_o), .xlu_data_i(ret_xlu_data_o));

  // Masks of the vector ALUs, after negation.
  localparam int unsigned MW = 8 * LANES;
  logic [MW-1:0] va_ma, va_mb, vb_ma, vb_mb;
  always_comb begin
    va_ma = '0;
    va_mb = '0;
    vb_ma = '0;
    vb_mb = '0;
    if (fire_va) begin
      va_ma = mregs_o[32'(tpu_pkg::ma_value(va)) * MW +: MW] ^ {MW{tpu_pkg::ma_extra(va)}};
      va_mb = mregs_o[32'(tpu_pkg::mb_value(va)) * MW +: MW] ^ {MW{tpu_pkg::mb_extra(va)}};
    end
    if (fire_vb) begin
      vb_ma = mregs_o[32'(tpu_pkg::ma_value(vb)) * MW +: MW] ^ {MW{tpu_pkg::ma_extra(vb)}};
      vb_mb = mregs_o[32'(tpu_pkg::mb_value(vb)) * MW +: MW] ^ {MW{tpu_pkg::mb_extra(vb)}};
    end
  end

  // ---- vector ALUs ------------------------------------------------------------------------------
  // Destinations of every file end at the same bit; unused bits are zero.
  logic [5:0] va_dest, vb_dest;
  assign va_dest = tpu_pkg::vd_value(va);
  assign vb_dest = tpu_pkg::vd_value(vb);

  logic va_done, vb_done, va_m_land, vb_m_land;
  tpu_valu #(.LANES(LANES)) va_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(fire_va), .op_i(tpu_pkg::valu_op(va)),
    .x_i(va_x), .x_form_i(tpu_pkg::vx_extra(va)), .x_scalar_i(va_x_i),
    .y_i(va_y), .y_form_i(va_y_form), .y_scalar_i(va_y_i),
    .ma_i(va_ma), .mb_i(va_mb), .byte_i(tpu_pkg::byte_value(va)), .n_i(va_n_i),
    .dest_i(va_dest), .seq_i(seq_i),
    .done_o(va_done), .space_o(ret_va_space_o), .dest_o(ret_va_index_o), .seq_o(ret_va_seq_o),
    .result_o(ret_va_data_o), .mask_o(ret_va_mask_o), .scalar_o(ret_va_scalar_o));
  tpu_valu #(.LANES(LANES)) vb_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(fire_vb), .op_i(tpu_pkg::valu_op(vb)),
    .x_i(vb_x), .x_form_i(tpu_pkg::vx_extra(vb)), .x_scalar_i(vb_x_i),
    .y_i(vb_y), .y_form_i(vb_y_form), .y_scalar_i(vb_y_i),
    .ma_i(vb_ma), .mb_i(vb_mb), .byte_i(tpu_pkg::byte_value(vb)), .n_i(vb_n_i),
    .dest_i(vb_dest), .seq_i(seq_i),
    .done_o(vb_done), .space_o(ret_vb_space_o), .dest_o(ret_vb_index_o), .seq_o(ret_vb_seq_o),
    .result_o(ret_vb_data_o), .mask_o(ret_vb_mask_o), .scalar_o(ret_vb_scalar_o));

  assign va_v_land = va_done && (ret_va_space_o == tpu_pkg::SPACE_VREG);
  assign vb_v_land = vb_done && (ret_vb_space_o == tpu_pkg::SPACE_VREG);
  assign va_m_land = va_done && (ret_va_space_o == tpu_pkg::SPACE_MREG);
  assign vb_m_land = vb_done && (ret_vb_space_o == tpu_pkg::SPACE_MREG);
  assign va_s_land_o = va_done && (ret_va_space_o == tpu_pkg::SPACE_SREG);
  assign vb_s_land_o = vb_done && (ret_vb_space_o == tpu_pkg::SPACE_SREG);
  assign va_s_dest_o = ret_va_index_o[4:0];
  assign vb_s_dest_o = ret_vb_index_o[4:0];
  assign va_s_data_o = ret_va_scalar_o;
  assign vb_s_data_o = ret_vb_scalar_o;
  // Writes to s0 and m0 are not events.
  assign ret_va_valid_o = va_done && (va_v_land || (ret_va_index_o != 6'd0));
  assign ret_vb_valid_o = vb_done && (vb_v_land || (ret_vb_index_o != 6'd0));

  tpu_mregs #(.LANES(LANES)) mregs (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i),
    .va_land_i(va_m_land), .va_dest_i(ret_va_index_o[2:0]), .va_data_i(ret_va_mask_o),
    .vb_land_i(vb_m_land), .vb_dest_i(ret_vb_index_o[2:0]), .vb_data_i(ret_vb_mask_o),
    .mregs_o(mregs_o));

  // ---- VMEM -------------------------------------------------------------------------------------
  logic [8*AW-1:0] ld_row, st_row, vmem_load_row, vmem_store_row;
  logic [7:0]      vmem_load, vmem_store;
  logic [VW-1:0]   vmem_load_data, vmem_store_data;
  logic [MW-1:0]   vmem_store_mask;
  logic            load_busy, store_busy, store_idle;
  always_comb begin
    for (int unsigned r = 0; r < 8; r = r + 1) begin
      ld_row[r*AW +: AW] = ld_row_i[r*32 +: AW];
      st_row[r*AW +: AW] = st_row_i[r*32 +: AW];
    end
  end
  assign vmem_busy_o = load_busy || store_busy;

  tpu_load #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) load (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(fire_ld),
    .column_i(tpu_pkg::load_op(ld) == tpu_pkg::OP_VLDC), .rows_i(ld_rows_i), .row_i(ld_row),
    .lane_i(ld_lane_i), .mask_i(ld_mask_i), .dest_i(tpu_pkg::ld_d_value(ld)), .seq_i(seq_i),
    .busy_o(load_busy),
    .vmem_read_o(vmem_load), .vmem_row_o(vmem_load_row), .vmem_data_i(vmem_load_data),
    .done_o(ret_ld_valid_o), .dest_o(ret_ld_index_o), .seq_o(ret_ld_seq_o),
    .result_o(ret_ld_data_o));

  tpu_store #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) store (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(fire_st),
    .rows_i(st_rows_i), .row_i(st_row), .mask_i(st_mask_i), .data_i(st_x), .seq_i(seq_i),
    .load_busy_i(load_busy), .busy_o(store_busy), .idle_o(store_idle),
    .vmem_write_o(vmem_store), .vmem_row_o(vmem_store_row), .vmem_mask_o(vmem_store_mask),
    .vmem_data_o(vmem_store_data),
    .ret_st_valid_o(ret_st_valid_o), .ret_st_seq_o(ret_st_seq_o), .ret_st_rows_o(ret_st_rows_o),
    .ret_st_address_o(ret_st_address_o), .ret_st_mask_o(ret_st_mask_o),
    .ret_st_data_o(ret_st_data_o));

  tpu_vmem #(.LANES(LANES), .VMEM_ROWS(VMEM_ROWS)) vmem (
    .clk_i(clk_i),
    .load_i(vmem_load), .load_row_i(vmem_load_row), .load_data_o(vmem_load_data),
    .store_i(vmem_store), .store_row_i(vmem_store_row), .store_mask_i(vmem_store_mask),
    .store_data_i(vmem_store_data),
    .copy_read_i(copy_read_i), .copy_read_row_i(copy_read_row_i),
    .copy_read_data_o(copy_read_data_o),
    .copy_write_i(copy_write_i), .copy_write_row_i(copy_write_row_i),
    .copy_write_strobe_i(copy_write_strobe_i), .copy_write_data_i(copy_write_data_i));

  // ---- EUP and XLU ------------------------------------------------------------------------------
  logic       xu_is_eup, xlu_done;
  logic [5:0] xlu_dest;
  assign xu_is_eup = tpu_pkg::latency_xu(xu) == tpu_pkg::LATENCY_EUP;
  assign xlu_dest = (tpu_pkg::cross_op(xu) == tpu_pkg::OP_EXTRACT)
      ? {1'b0, tpu_pkg::xsd_value(xu)} : tpu_pkg::xd_value(xu);

  tpu_eup #(.LANES(LANES)) eup (
    .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(eup_ready_o), .start_i(fire_xu && xu_is_eup),
    .op_i(tpu_pkg::cross_op(xu)), .x_i(xu_x), .dest_i(tpu_pkg::xd_value(xu)), .seq_i(seq_i),
    .done_o(ret_eup_valid_o), .dest_o(ret_eup_index_o), .seq_o(ret_eup_seq_o),
    .result_o(ret_eup_data_o));

  tpu_xlu #(.LANES(LANES)) xlu (
    .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(xlu_ready_o), .start_i(fire_xu && !xu_is_eup),
    .op_i(tpu_pkg::cross_op(xu)), .x_i(xu_x), .index_i(xu_index), .n_i(xu_n_i),
    .dest_i(xlu_dest), .seq_i(seq_i),
    .done_o(xlu_done), .space_o(ret_xlu_space_o), .dest_o(ret_xlu_index_o),
    .seq_o(ret_xlu_seq_o), .result_o(ret_xlu_data_o), .scalar_o(ret_xlu_scalar_o));
  assign xlu_v_land = xlu_done && (ret_xlu_space_o == tpu_pkg::SPACE_VREG);
  assign xlu_s_land_o = xlu_done && (ret_xlu_space_o == tpu_pkg::SPACE_SREG);
  assign xlu_s_dest_o = ret_xlu_index_o[4:0];
  assign xlu_s_data_o = ret_xlu_scalar_o;
  assign ret_xlu_valid_o = xlu_done && (xlu_v_land || (ret_xlu_index_o != 6'd0));

  // ---- MXU --------------------------------------------------------------------------------------
  logic mx_push, mx_mul, mx_read, mxu_idle;
  assign mx_push = tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_PUSH;
  assign mx_mul = tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_MULTIPLY;
  assign mx_read = tpu_pkg::latency_mx(mx) == tpu_pkg::LATENCY_ACC_READ;

  tpu_mxu #(.LANES(LANES)) mxu (
    .clk_i(clk_i), .rst_ni(rst_ni), .x_i(mx_x), .seq_i(seq_i),
    .push_valid_i(enabled_i[tpu_pkg::SLOT_MX] && mx_push),
    .push_transposed_i(tpu_pkg::matrix_op(mx) == tpu_pkg::OP_MXPUSHT),
    .push_part_i(tpu_pkg::mx_any_extra(mx)), .push_row_i(mx_index_i),
    .push_ready_o(push_ready_o), .push_start_i(fire_mx && mx_push),
    .mul_valid_i(enabled_i[tpu_pkg::SLOT_MX] && mx_mul),
    .mul_s8_i(tpu_pkg::matrix_op(mx) == tpu_pkg::OP_MXMUL_S8),
    .mul_part_i(tpu_pkg::mx_any_extra(mx)), .mul_rows_i(tpu_pkg::mx_rows_value(mx)),
    .mul_add_i(tpu_pkg::mx_add_value(mx)), .mul_swap_i(tpu_pkg::mx_swap_value(mx)),
    .mul_acc_i(mx_index_i[5:0]), .mul_ready_o(mul_ready_o),
    .mul_start_i(fire_mx && mx_mul),
    .row_valid_o(ret_mul_valid_o), .row_seq_o(ret_mul_seq_o), .row_acc_o(ret_mul_acc_o),
    .row_r_o(ret_mul_r_o), .row_data_o(ret_mul_data_o),
    .read_valid_i(enabled_i[tpu_pkg::SLOT_MX] && mx_read), .read_acc_i(mx_index_i[5:0]),
    .read_dest_i(tpu_pkg::mx_d_value(mx)), .read_ready_o(read_ready_o),
    .read_start_i(fire_mx && mx_read),
    .read_done_o(ret_read_valid_o), .read_dest_o(ret_read_index_o),
    .read_seq_o(ret_read_seq_o), .read_data_o(ret_read_data_o), .idle_o(mxu_idle));

  // ---- landing ----------------------------------------------------------------------------------
  assign idle_o = store_idle && mxu_idle;
  always_comb begin
    m_land_o = 8'd0;
    if (va_m_land) m_land_o[ret_va_index_o[2:0]] = 1'b1;
    if (vb_m_land) m_land_o[ret_vb_index_o[2:0]] = 1'b1;
    v_land_o = 64'd0;
    if (va_v_land) v_land_o[ret_va_index_o] = 1'b1;
    if (vb_v_land) v_land_o[ret_vb_index_o] = 1'b1;
    if (ret_ld_valid_o) v_land_o[ret_ld_index_o] = 1'b1;
    if (ret_read_valid_o) v_land_o[ret_read_index_o] = 1'b1;
    if (ret_eup_valid_o) v_land_o[ret_eup_index_o] = 1'b1;
    if (xlu_v_land) v_land_o[ret_xlu_index_o] = 1'b1;
  end
endmodule

`default_nettype wire
