// Vector ALU: one operation on all 8 x L elements a cycle, never busy.
//
// Operands and operation are sampled with start_i at the end of cycle t; in t + 1 done_o says that
// result_o (a vector), mask_o or scalar_o is valid, whichever space_o names. A source is a vector,
// the low or high bf16 half of each element as fp32, or a scalar in every element.
//
// One loop an operation, nothing evaluated unless started: that is what simulates fast. tpu_fp_pkg
// holds the arithmetic.
module tpu_valu #(
  parameter int unsigned LANES = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  start_i,
  input  logic [7:0]            op_i,
  input  logic [8*LANES*32-1:0] x_i,
  input  logic [1:0]            x_form_i,
  input  logic [31:0]           x_scalar_i,
  input  logic [8*LANES*32-1:0] y_i,
  input  logic [1:0]            y_form_i,
  input  logic [31:0]           y_scalar_i,
  input  logic [8*LANES-1:0]    ma_i,        // after negation
  input  logic [8*LANES-1:0]    mb_i,
  input  logic [1:0]            byte_i,
  input  logic [2:0]            n_i,
  input  logic [5:0]            dest_i,
  input  logic [31:0]           seq_i,

  output logic                  done_o,
  output logic [3:0]            space_o,
  output logic [5:0]            dest_o,
  output logic [31:0]           seq_o,
  output logic [8*LANES*32-1:0] result_o,
  output logic [8*LANES-1:0]    mask_o,
  output logic [31:0]           scalar_o
);
  localparam int unsigned N = 8 * LANES;

  // Which register file the operation writes.
  function automatic logic [3:0] space_of(input logic [7:0] op);
    case (op)
      tpu_pkg::OP_VEQ_F32, tpu_pkg::OP_VNE_F32, tpu_pkg::OP_VLT_F32, tpu_pkg::OP_VLE_F32,
      tpu_pkg::OP_VEQ_S32, tpu_pkg::OP_VNE_S32, tpu_pkg::OP_VLT_S32, tpu_pkg::OP_VLE_S32,
      tpu_pkg::OP_MAND, tpu_pkg::OP_MOR, tpu_pkg::OP_MXOR: space_of = tpu_pkg::SPACE_MREG;
      tpu_pkg::OP_MPOP, tpu_pkg::OP_MFFS: space_of = tpu_pkg::SPACE_SREG;
      default: space_of = tpu_pkg::SPACE_VREG;
    endcase
  endfunction

  // Scratch of one clock edge, never read at the next: operands, and a result of each kind.
  logic [31:0] x_t [N], y_t [N], r_t [N], u_t [N];
  logic        b_t [N];
  logic [N-1:0] mask_t;
  logic [31:0] scalar_t;

  logic [3:0] space;
  assign space = space_of(op_i);

  // Blocking assignments only to the scratch above; what leaves the module is registered.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    done_o <= rst_ni && start_i;
    if (start_i) begin
      space_o <= space;
      dest_o <= dest_i;
      seq_o <= seq_i;

      case (x_form_i)
        tpu_pkg::FORM_LO:
          for (int unsigned i = 0; i < N; i = i + 1) x_t[i] = {x_i[i*32 +: 16], 16'd0};
        tpu_pkg::FORM_HI:
          for (int unsigned i = 0; i < N; i = i + 1) x_t[i] = {x_i[i*32 + 16 +: 16], 16'd0};
        tpu_pkg::FORM_SCALAR:
          for (int unsigned i = 0; i < N; i = i + 1) x_t[i] = x_scalar_i;
        default:
          for (int unsigned i = 0; i < N; i = i + 1) x_t[i] = x_i[i*32 +: 32];
      endcase
      case (y_form_i)
        tpu_pkg::FORM_LO:
          for (int unsigned i = 0; i < N; i = i + 1) y_t[i] = {y_i[i*32 +: 16], 16'd0};
        tpu_pkg::FORM_HI:
          for (int unsigned i = 0; i < N; i = i + 1) y_t[i] = {y_i[i*32 + 16 +: 16], 16'd0};
        tpu_pkg::FORM_SCALAR:
          for (int unsigned i = 0; i < N; i = i + 1) y_t[i] = y_scalar_i;
        default:
          for (int unsigned i = 0; i < N; i = i + 1) y_t[i] = y_i[i*32 +: 32];
      endcase

      mask_t = '0;
      scalar_t = 32'd0;
      case (op_i)
        // fp32; subtraction is addition with the sign of y flipped, so both share one adder.
        tpu_pkg::OP_VADD_F32, tpu_pkg::OP_VSUB_F32:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::add(x_t[i], y_t[i] ^ {op_i == tpu_pkg::OP_VSUB_F32, 31'd0});
        tpu_pkg::OP_VMUL_F32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = tpu_fp_pkg::mul(x_t[i], y_t[i]);
        tpu_pkg::OP_VMIN_F32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = tpu_fp_pkg::minimum(x_t[i], y_t[i]);
        tpu_pkg::OP_VMAX_F32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = tpu_fp_pkg::maximum(x_t[i], y_t[i]);
        tpu_pkg::OP_VEQ_F32, tpu_pkg::OP_VNE_F32:
          for (int unsigned i = 0; i < N; i = i + 1)
            b_t[i] = tpu_fp_pkg::equal(x_t[i], y_t[i]) ^ (op_i == tpu_pkg::OP_VNE_F32);
        tpu_pkg::OP_VLT_F32:
          for (int unsigned i = 0; i < N; i = i + 1) b_t[i] = tpu_fp_pkg::less(x_t[i], y_t[i]);
        tpu_pkg::OP_VLE_F32:
          for (int unsigned i = 0; i < N; i = i + 1)
            b_t[i] = tpu_fp_pkg::less(x_t[i], y_t[i]) | tpu_fp_pkg::equal(x_t[i], y_t[i]);
        tpu_pkg::OP_VFLOOR_F32, tpu_pkg::OP_VROUND_F32:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::round_whole(x_t[i], op_i == tpu_pkg::OP_VROUND_F32);

        // Conversions
        tpu_pkg::OP_VCVT_F32_S32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = tpu_fp_pkg::from_s32(x_t[i]);
        tpu_pkg::OP_VCVT_S32_F32, tpu_pkg::OP_VTRUNC_S32_F32:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::to_s32(x_t[i], op_i == tpu_pkg::OP_VCVT_S32_F32);
        tpu_pkg::OP_VPACK_BF16:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = {tpu_fp_pkg::to_bf16(y_t[i]), tpu_fp_pkg::to_bf16(x_t[i])};
        tpu_pkg::OP_VPACK_S8:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::insert_byte(x_t[i], byte_i, tpu_fp_pkg::to_s8(y_t[i]));
        tpu_pkg::OP_VEXT_S32_S8:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::extract_s8(x_t[i], byte_i);
        tpu_pkg::OP_VEXT_F32_S8:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = tpu_fp_pkg::from_s32(tpu_fp_pkg::extract_s8(x_t[i], byte_i));

        // s32 and logic
        tpu_pkg::OP_VADD_S32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] + y_t[i];
        tpu_pkg::OP_VSUB_S32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] - y_t[i];
        tpu_pkg::OP_VMUL_S32:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] * y_t[i];
        tpu_pkg::OP_VAND:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] & y_t[i];
        tpu_pkg::OP_VOR:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] | y_t[i];
        tpu_pkg::OP_VXOR:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] ^ y_t[i];
        tpu_pkg::OP_VSHL:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] << y_t[i][4:0];
        tpu_pkg::OP_VSHR:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i] >> y_t[i][4:0];
        tpu_pkg::OP_VSAR:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = $signed(x_t[i]) >>> y_t[i][4:0];
        tpu_pkg::OP_VMIN_S32:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = ($signed(x_t[i]) < $signed(y_t[i])) ? x_t[i] : y_t[i];
        tpu_pkg::OP_VMAX_S32:
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = ($signed(x_t[i]) < $signed(y_t[i])) ? y_t[i] : x_t[i];
        tpu_pkg::OP_VEQ_S32, tpu_pkg::OP_VNE_S32:
          for (int unsigned i = 0; i < N; i = i + 1)
            b_t[i] = (x_t[i] == y_t[i]) ^ (op_i == tpu_pkg::OP_VNE_S32);
        tpu_pkg::OP_VLT_S32:
          for (int unsigned i = 0; i < N; i = i + 1) b_t[i] = $signed(x_t[i]) < $signed(y_t[i]);
        tpu_pkg::OP_VLE_S32:
          for (int unsigned i = 0; i < N; i = i + 1) b_t[i] = $signed(x_t[i]) <= $signed(y_t[i]);

        // Masks
        tpu_pkg::OP_MAND: mask_t = ma_i & mb_i;
        tpu_pkg::OP_MOR: mask_t = ma_i | mb_i;
        tpu_pkg::OP_MXOR: mask_t = ma_i ^ mb_i;
        tpu_pkg::OP_MPOP:
          for (int unsigned i = 0; i < N; i = i + 1) scalar_t = scalar_t + {31'd0, ma_i[i]};
        tpu_pkg::OP_MFFS: begin
          scalar_t = 32'hffffffff;
          for (int unsigned i = 0; i < N; i = i + 1)
            scalar_t = ma_i[N-1-i] ? N - 1 - i : scalar_t;
        end
        tpu_pkg::OP_VSEL:
          for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = ma_i[i] ? x_t[i] : y_t[i];

        // Positions and sublane movement; a rotation is three conditional ones, by 1, 2 and 4.
        tpu_pkg::OP_VLANE: for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = i % LANES;
        tpu_pkg::OP_VSUBLANE: for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = i / LANES;
        tpu_pkg::OP_VROT_SUB: begin
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = n_i[0] ? x_t[(i + 7*LANES) % N] : x_t[i];
          for (int unsigned i = 0; i < N; i = i + 1)
            u_t[i] = n_i[1] ? r_t[(i + 6*LANES) % N] : r_t[i];
          for (int unsigned i = 0; i < N; i = i + 1)
            r_t[i] = n_i[2] ? u_t[(i + 4*LANES) % N] : u_t[i];
        end
        tpu_pkg::OP_VBCAST_SUB:
          for (int unsigned r = 0; r < 8; r = r + 1)
            if (r[2:0] == n_i)
              for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[r*LANES + i % LANES];
        tpu_pkg::OP_VMOV: for (int unsigned i = 0; i < N; i = i + 1) r_t[i] = x_t[i];
        default: ;  // decode lets no other opcode through
      endcase

      if (space == tpu_pkg::SPACE_VREG)
        for (int unsigned i = 0; i < N; i = i + 1) result_o[i*32 +: 32] <= r_t[i];
      if (space == tpu_pkg::SPACE_MREG) begin
        case (op_i)
          tpu_pkg::OP_MAND, tpu_pkg::OP_MOR, tpu_pkg::OP_MXOR: ;
          default: for (int unsigned i = 0; i < N; i = i + 1) mask_t[i] = b_t[i];
        endcase
        mask_o <= mask_t;
      end
      scalar_o <= scalar_t;
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule
