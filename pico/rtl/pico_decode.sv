// What can be said of one slot's bits alone: whether they are legal (docs/reference.md, section 2), and the register
// that they name as a destination. Combinational.
`default_nettype none

module pico_decode
  import tpu_pkg::*, pico_pkg::*;
(
  input  logic [3:0]  slot_i,
  input  logic [63:0] bits_i,  // of slots of 32 bits, the upper half is 0
  output logic        illegal_o,
  output file_e       file_o,
  output logic [5:0]  register_o
);
  // Fields that several instructions have.
  localparam logic [63:0] COMMON = 64'h0000_0000_0000_0fff;  // opcode and predicate
  localparam logic [63:0] UPPER = 64'hffff_ffff_0000_0000;
  localparam logic [63:0] SCALAR_D = 64'h0001_f000, SCALAR_A = 64'h003e_0000, SCALAR_B = 64'h07c0_0000;
  localparam logic [63:0] SCALAR_P = 64'h3800_0000, SELECT_B = 64'h4000_0000, SELECT_P = 64'hb800_0000;
  localparam logic [63:0] PREDICATES = 64'h3b_de0000;  // pd, pa, pb and their negations
  localparam logic [63:0] VECTOR_D = 64'h0003_f000, MASK_D = 64'h7000, VECTOR_X = 64'h03fc_0000;
  localparam logic [63:0] VECTOR_BYTE = 64'h0c00_0000, MASK_A = 64'h3c00_0000, MASK_B = 64'hf_0000_0000;
  localparam logic [63:0] VECTOR_Y = 64'hff_0000_0000, CONSTANT_Y = 64'h8000_0000;
  localparam logic [63:0] SUBLANE_N = 64'h7c00_0000, CONSTANT_N = 64'h7f_8000_0000;
  localparam logic [63:0] ACCESS = 64'h0000_ffff_3fff_f000, STRIDE = 64'h0fff_0000_0000_0000;
  localparam logic [63:0] INDEX_BOUND = 64'h07ff_0000_0000_0000;
  localparam logic [63:0] MATRIX_X = 64'h001f_f000, MATRIX_PLACE = 64'h1_ffe0_0000, MATRIX_MORE = 64'h3e_0000_0000;
  localparam logic [63:0] MATRIX_D = 64'hfc0_0000_0000;
  localparam logic [63:0] CROSS_X = 64'h00fc_0000, CROSS_N = 64'h1f00_0000, CROSS_C = 64'hff00_0000;
  localparam logic [63:0] CROSS_INDEX = 64'h3f00_0000;
  localparam logic [63:0] FLAG = 64'h007f_f000, FLAG_N = 64'h0f80_0000, FLAG_C = 64'hff80_0000;

  logic [7:0]  opcode;
  logic        empty;
  logic [63:0] b, y, n, cross_n, flag_n;
  assign opcode = bits_i[7:0];
  assign b = SELECT_B | (bits_i[30] ? UPPER : SCALAR_B);
  assign y = CONSTANT_Y | (bits_i[31] ? UPPER : VECTOR_Y);
  assign n = bits_i[31] ? CONSTANT_N : CONSTANT_Y | SUBLANE_N;
  assign cross_n = bits_i[31] ? CROSS_C : CROSS_N | CONSTANT_Y;
  assign flag_n = bits_i[22] ? FLAG_C : FLAG_N;

  // A vector operand of scalar form names a register above 31.
  logic x_wrong, y_wrong, part_bf16, part_s8;
  assign x_wrong = bits_i[25:24] == 2'd3 && bits_i[23];
  assign y_wrong = !bits_i[31] && bits_i[39:38] == 2'd3 && bits_i[37];
  assign part_bf16 = bits_i[20:18] < 3'd3;
  assign part_s8 = bits_i[20];

  // Of each group of instructions: the bits that its operands cover, and what it writes.
  typedef struct packed {
    logic        known, wrong;
    file_e       file;
    logic [5:0]  name;   // of the register
    logic [63:0] used;
  } decoded_t;
  localparam decoded_t NOTHING = '{known: 1'b1, wrong: 1'b0, file: FILE_NONE, name: 6'd0, used: COMMON};
  decoded_t scalar, control, memory, vector, load, store, matrix, across, copies, decoded;

  always_comb begin
    unique case (slot_i)
      SLOT_SA, SLOT_SB: decoded = scalar;
      SLOT_VA, SLOT_VB: decoded = vector;
      SLOT_LD: decoded = load;
      SLOT_ST: decoded = store;
      SLOT_MX: decoded = matrix;
      SLOT_XU: decoded = across;
      default: decoded = copies;
    endcase
  end
  assign empty = bits_i == 64'd0;
  assign illegal_o = !empty && (opcode == 8'd0 || !decoded.known || decoded.wrong || (bits_i & ~decoded.used) != 64'd0);
  assign file_o = empty ? FILE_NONE : decoded.file;
  assign register_o = decoded.name;

  always_comb begin
    control = NOTHING;
    control.name = {1'b0, bits_i[16:12]};
    control.file = FILE_NONE;
    unique case (opcode)
      OP_BR, OP_MARKER, OP_TRAP: control.used = COMMON | UPPER;
      OP_CALL: begin
        control.used = COMMON | UPPER | SCALAR_D;
        control.file = FILE_S;
      end
      OP_JUMP, OP_RET: control.used = COMMON | SCALAR_A;
      OP_IDLE: control.used = COMMON | b;
      OP_HALT: control.used = COMMON;
      default: control.known = 1'b0;
    endcase
  end

  always_comb begin
    memory = NOTHING;
    memory.name = {1'b0, bits_i[16:12]};
    memory.file = FILE_NONE;
    unique case (opcode)
      OP_SLD: begin
        memory.used = COMMON | UPPER | SCALAR_D | SCALAR_A;
        memory.file = FILE_S;
      end
      OP_SST: memory.used = COMMON | UPPER | SCALAR_A | SCALAR_B;
      OP_SSTI: memory.used = 64'hffff_ffff_ffff_ffff;
      OP_CSR: begin
        memory.used = COMMON | UPPER | SCALAR_D;
        memory.wrong = !csr_readable(bits_i[63:32]);
        memory.file = FILE_S;
      end
      default: memory.known = 1'b0;
    endcase
  end

  always_comb begin
    scalar = NOTHING;
    scalar.name = {1'b0, bits_i[16:12]};
    scalar.file = FILE_S;
    unique case (opcode)
      OP_ADD, OP_SUB, OP_MUL, OP_MULHU, OP_BIT_AND, OP_BIT_OR, OP_BIT_XOR, OP_SHL, OP_SHR, OP_SAR, OP_MIN_S32,
      OP_MAX_S32, OP_MIN_U32, OP_MAX_U32: scalar.used = COMMON | SCALAR_D | SCALAR_A | b;
      OP_BIT_NOT: scalar.used = COMMON | SCALAR_D | SCALAR_A;
      OP_MOV: scalar.used = COMMON | SCALAR_D | b;
      OP_SEL: scalar.used = COMMON | SCALAR_D | SCALAR_A | SELECT_P | b;
      OP_EQ, OP_NE, OP_LT_S32, OP_LE_S32, OP_GT_S32, OP_GE_S32, OP_LT_U32, OP_LE_U32, OP_GT_U32, OP_GE_U32: begin
        scalar.used = COMMON | SCALAR_P | SCALAR_A | b;
        scalar.file = FILE_P;
      end
      OP_PAND, OP_POR, OP_PXOR: begin
        scalar.used = COMMON | PREDICATES;
        scalar.file = FILE_P;
      end
      default: scalar = slot_i == SLOT_SA ? control : memory;
    endcase
    if (scalar.file == FILE_P) scalar.name = {3'b0, bits_i[29:27]};
  end

  always_comb begin
    vector = NOTHING;
    vector.file = FILE_V;
    vector.name = bits_i[17:12];
    unique case (opcode)
      OP_VADD_F32, OP_VSUB_F32, OP_VMUL_F32, OP_VMULERR_F32, OP_VMIN_F32, OP_VMAX_F32, OP_VPACK_BF16, OP_VADD_S32,
      OP_VSUB_S32, OP_VMUL_S32, OP_VAND, OP_VOR, OP_VXOR, OP_VSHL, OP_VSHR, OP_VSAR, OP_VMIN_S32, OP_VMAX_S32,
      OP_VMIN_U32, OP_VMAX_U32, OP_VROTL: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X | y;
        vector.wrong = x_wrong || y_wrong;
      end
      OP_VPACK_S8: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X | VECTOR_BYTE | y;
        vector.wrong = x_wrong || y_wrong;
      end
      OP_VEQ_F32, OP_VNE_F32, OP_VLT_F32, OP_VLE_F32, OP_VEQ_S32, OP_VNE_S32, OP_VLT_S32, OP_VLE_S32, OP_VLT_U32,
      OP_VLE_U32: begin
        vector.used = COMMON | MASK_D | VECTOR_X | y;
        vector.wrong = x_wrong || y_wrong;
        vector.file = FILE_M;
      end
      OP_VFLOOR_F32, OP_VROUND_F32, OP_VCVT_F32_S32, OP_VCVT_S32_F32, OP_VTRUNC_S32_F32, OP_VCLZ, OP_VPOP: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X;
        vector.wrong = x_wrong;
      end
      OP_VEXT_S32_S8, OP_VEXT_F32_S8: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X | VECTOR_BYTE;
        vector.wrong = x_wrong;
      end
      OP_MAND, OP_MOR, OP_MXOR: begin
        vector.used = COMMON | MASK_D | MASK_A | MASK_B;
        vector.file = FILE_M;
      end
      OP_VSEL: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X | MASK_A | y;
        vector.wrong = x_wrong || y_wrong;
      end
      OP_VLANE, OP_VSUBLANE: vector.used = COMMON | VECTOR_D;
      OP_VROT_SUB, OP_VBCAST_SUB: begin
        vector.used = COMMON | VECTOR_D | VECTOR_X | n;
        vector.wrong = x_wrong;
      end
      OP_VMOV: begin
        vector.used = COMMON | VECTOR_D | y;
        vector.wrong = y_wrong;
      end
      OP_MPOP, OP_MFFS: begin
        vector.used = COMMON | SCALAR_D | MASK_A;
        vector.file = FILE_S;
      end
      default: begin
        vector.known = 1'b0;
        vector.file = FILE_NONE;
      end
    endcase
    if (vector.file == FILE_M) vector.name = {3'b0, bits_i[14:12]};
    if (vector.file == FILE_S) vector.name = {1'b0, bits_i[16:12]};
  end

  always_comb begin
    load = NOTHING;
    load.file = FILE_V;
    load.name = bits_i[17:12];
    unique case (opcode)
      OP_VLD: load.used = COMMON | ACCESS | STRIDE;
      OP_VLDC: load.used = COMMON | ACCESS;
      OP_VLDX: load.used = COMMON | ACCESS | INDEX_BOUND;
      default: begin
        load.known = 1'b0;
        load.file = FILE_NONE;
      end
    endcase
  end

  always_comb begin
    store = NOTHING;
    unique case (opcode)
      OP_VST: store.used = COMMON | ACCESS | STRIDE;
      OP_VSTX: store.used = COMMON | ACCESS | INDEX_BOUND;
      default: store.known = 1'b0;
    endcase
  end

  always_comb begin
    matrix = NOTHING;
    unique case (opcode)
      OP_MXPUSH, OP_MXPUSHT: begin
        matrix.used = COMMON | MATRIX_X | MATRIX_PLACE;
        matrix.wrong = !part_bf16 && !(part_s8 && opcode == OP_MXPUSH);
      end
      OP_MXMUL_BF16, OP_MXMUL_S8: begin
        matrix.used = COMMON | MATRIX_X | MATRIX_PLACE | MATRIX_MORE;
        matrix.wrong = opcode == OP_MXMUL_BF16 ? !part_bf16 : !part_s8;
      end
      OP_MXREAD: begin
        matrix.used = COMMON | MATRIX_PLACE | MATRIX_D;
        matrix.file = FILE_V;
        matrix.name = bits_i[43:38];
      end
      default: matrix.known = 1'b0;
    endcase
  end

  always_comb begin
    across = NOTHING;
    across.file = FILE_V;
    across.name = bits_i[17:12];
    if ((opcode >= OP_EXP2 && opcode <= OP_TANH) || (opcode >= OP_LSUM_F32 && opcode <= OP_SARGMAX_S32) ||
        opcode == OP_TRANSPOSE)
      across.used = COMMON | VECTOR_D | CROSS_X;
    else if (opcode == OP_LROT || opcode == OP_LBCAST) across.used = COMMON | VECTOR_D | CROSS_X | cross_n;
    else if (opcode == OP_LPERM) across.used = COMMON | VECTOR_D | CROSS_X | CROSS_INDEX;
    else if (opcode == OP_EXTRACT) begin
      across.used = COMMON | SCALAR_D | CROSS_X | cross_n;
      across.file = FILE_S;
      across.name = {1'b0, bits_i[16:12]};
    end else begin
      across.known = 1'b0;
      across.file = FILE_NONE;
    end
  end

  always_comb begin
    copies = NOTHING;
    unique case (opcode)
      OP_COPY: copies.used = 64'hffff_ffff;
      OP_WAIT, OP_FADD, OP_FSET: copies.used = COMMON | FLAG | flag_n;
      default: copies.known = 1'b0;
    endcase
  end
endmodule
