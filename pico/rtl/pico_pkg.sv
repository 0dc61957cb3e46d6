// Names that the units of pico share. Opcodes, causes and register numbers are those of tpu_pkg, the package that is
// generated from the instruction table.
`default_nettype none
/* verilator lint_off UNUSED */  // each user takes some of the names, and some of the bits

package pico_pkg;
  localparam int unsigned LANES = 8;
  localparam int unsigned VMEM_WORDS = 16384;
  localparam int unsigned VMEM_ROWS = VMEM_WORDS / LANES;
  localparam int unsigned SMEM_WORDS = 4096;
  localparam int unsigned ICACHE_BUNDLES = 256;  // what the preset nano says; pico has no cache

  // What the one arithmetic unit computes of one element. x, y and z are its operands.
  typedef enum logic [5:0] {
    // Integers and bits
    ALU_X, ALU_Y, ALU_ADD, ALU_SUB, ALU_AND, ALU_OR, ALU_XOR, ALU_NOT, ALU_SHL, ALU_SHR, ALU_SAR, ALU_ROTL, ALU_CLZ,
    ALU_POP, ALU_MIN_S, ALU_MAX_S, ALU_MIN_U, ALU_MAX_U, ALU_EQ, ALU_NE, ALU_LT_S, ALU_LE_S, ALU_GT_S, ALU_GE_S,
    ALU_LT_U, ALU_LE_U, ALU_GT_U, ALU_GE_U, ALU_SEL, ALU_PACK_S8, ALU_EXT_S8, ALU_PICK_S,
    // fp32 without arithmetic: order, bf16
    ALU_FMIN, ALU_FMAX, ALU_FEQ, ALU_FNE, ALU_FLT, ALU_FLE, ALU_KEY, ALU_PICK_F, ALU_PACK_BF16,
    // Through the multiplier: the low and the high half of a product, x * y + z
    ALU_MUL, ALU_MULHU, ALU_MAC,
    // fp32 through adder, normaliser and rounding
    ALU_FADD, ALU_FSUB, ALU_FMUL, ALU_FMULERR, ALU_FMAC, ALU_FFLOOR, ALU_FROUND, ALU_F_OF_S, ALU_S_OF_F, ALU_TRUNC,
    ALU_F_OF_S8
  } alu_e;

  // Cycles from operands at the inputs of the arithmetic unit to its result.
  localparam int unsigned ALU_CYCLES = 9;

  // A magnitude to be rounded, round_pack(negative, exponent, magnitude) of docs/numerics.md.
  typedef struct packed {
    logic               valid;
    logic               negative;
    logic signed [11:0] exponent;
    logic [63:0]        magnitude;
  } round_t;

  // How an operand is made of a word.
  typedef enum logic [3:0] {
    FORM_WORD = 4'd0, FORM_LOW = 4'd1, FORM_HIGH = 4'd2, FORM_CONSTANT = 4'd3, FORM_BF16 = 4'd4, FORM_BYTE = 4'd5
  } operand_form_e;

  // Where the operands of a pass over a register come from, and which element of the source makes element e.
  typedef enum logic [2:0] {SOURCE_NONE, SOURCE_VREG, SOURCE_RESULT, SOURCE_ACC, SOURCE_WEIGHT, SOURCE_MASK,
                            SOURCE_LANE, SOURCE_SUBLANE} source_e;
  typedef enum logic [2:0] {MAP_BITS, MAP_ROTATE_SUBLANES, MAP_ROTATE_LANES, MAP_TRANSPOSE, MAP_PERMUTE} map_e;
  typedef enum logic [2:0] {TO_RESULT, TO_ACC, TO_WEIGHT, TO_WEIGHT_TRANSPOSED, TO_COUNT, TO_FIRST} target_e;

  // A pass: `alu` for each of the 64 elements, or for one.
  typedef struct packed {
    logic       last;       // of its operation
    alu_e       alu;
    logic       single;     // element 0 only
    source_e    x_source, y_source;
    logic [3:0] x_form, y_form;
    logic [1:0] x_byte;
    logic [5:0] x_register, y_register;  // or accumulator; of SOURCE_RESULT the slot's part of it
    map_e       x_map;
    logic [5:0] x_and, x_or, y_and, y_or;  // MAP_BITS: the element is (e & and) | or
    source_e    z_source;   // NONE, RESULT (part 6, element e), LANE or SUBLANE
    target_e    target;
    logic [2:0] to;         // slot's part of the results
  } pass_t;

  // What a slot's instruction writes at the end of its bundle.
  typedef enum logic [2:0] {FILE_S = 3'd0, FILE_P = 3'd1, FILE_M = 3'd2, FILE_V = 3'd3, FILE_NONE = 3'd4} file_e;

  typedef struct packed {
    logic        we;
    logic [8:0]  address;  // slot's part and element
    logic [31:0] data;
  } result_write_t;

  typedef struct packed {
    logic [7:0]  cause;
    logic [3:0]  slot;
    logic [31:0] detail;
  } trap_t;

  function automatic logic [15:0] bf16_of_f32(input logic [31:0] a);
    logic [31:0] sum;
    sum = a + 32'h7fff + {31'b0, a[16]};
    if (a[30:0] > 31'h7f800000) bf16_of_f32 = 16'h7fc0;
    else if (a[30:23] == 8'd0) bf16_of_f32 = {a[31], 15'b0};
    else bf16_of_f32 = sum[31:16];
  endfunction

  function automatic logic signed [31:0] key_of_f32(input logic [31:0] a);
    logic [31:0] f;
    f = a[30:23] == 8'd0 ? {a[31], 31'b0} : a;
    key_of_f32 = f[31] ? f ^ 32'h7fffffff : f;
  endfunction

  function automatic logic is_nan(input logic [31:0] a);
    is_nan = a[30:0] > 31'h7f800000;
  endfunction

  function automatic logic is_inf(input logic [31:0] a);
    is_inf = a[30:0] == 31'h7f800000;
  endfunction

  function automatic logic [31:0] significand(input logic [31:0] a);
    significand = a[30:23] == 8'd0 ? 32'd0 : {8'd0, 1'b1, a[22:0]};
  endfunction

  localparam logic [31:0] NAN = 32'h7fc00000;
  localparam logic [30:0] INF = 31'h7f800000;
endpackage
/* verilator lint_on UNUSED */
