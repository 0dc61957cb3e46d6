// Operands: the inputs and outputs of an instruction, their spelling, and the position of their
// bits in the slot. Every tool (encoder, decoder, assembler, disassembler, generators, manual)
// iterates over these.
#pragma once

#include <cstdint>
#include <string_view>

namespace tandem {

// Bits [lsb, lsb + width) of a slot; width 0 means "absent".
struct BitField {
  std::uint8_t lsb = 0;
  std::uint8_t width = 0;
};

enum class OperandKind : std::uint8_t {
  sreg,         // s0..s31
  preg,         // p0..p7; as a source `extra` is the negation bit, spelled !p3
  vreg,         // v0..v63
  mreg,         // m0..m7; as a source `extra` is the negation bit, if it has one
  vsource,      // v3, v3.lo, v3.hi or s3; `extra` is the form: 0 vector, 1 low, 2 high, 3 scalar,
                // or 4, a constant in `imm`, where the operand has a `select` bit
  scalar_imm,   // s3 or a constant; `extra` set selects the constant in `imm`
  target,       // a bundle address (label), unsigned, in `value`
  constant,     // an unsigned constant in `value`
  csr,          // a control or status register, by name, in `value`
  flag,         // f5 or f[s3 + 5]: constant in `value`, scalar in `extra` (s0 when not written)
  smem,         // [s3 + word offset]: scalar in `value`, signed offset in `imm`
  vmem,         // [s3 + row offset]: scalar in `value`, signed offset in `imm`
  vmem_word,    // [s3 + word offset]: scalar in `value`, signed offset in `imm`
  descriptor,   // [s3 + words]: scalar in `value`; `imm` counts descriptors of 16 words, unsigned
  accumulator,  // a5 or a[s3 + 5]: constant in `imm`, scalar in `value` (s0 when not written)
  weight_row,   // 8 or [s3 + 8]: constant in `imm`, scalar in `value` (s0 when not written)
  part,         // v3.f32 .lo .hi (bf16 forms) .b0 .. .b3 (s8 forms): register `value`, part `extra`
  // Attributes are spelled `name=value` or, when one bit wide, `name`; each has a default.
  stride,  // stride=N rows (signed), default 1
  rows,    // rows=1..8, encoded minus one, default 8
  mask,    // mask=m1 or mask=!m1, default m0; `extra` is the negation bit
  option,  // a single bit: `add`, `swap`; default 0
};

enum class Access : std::uint8_t { none, read, write };

struct Operand {
  std::string_view name;  // as in the manual and, for attributes, in the text
  OperandKind kind;
  Access access;
  BitField value;
  BitField extra{};
  BitField imm{};
  bool imm_signed = false;
  std::uint8_t allowed = 0xff;  // for `part`: set of allowed `extra` codes
  BitField select{};            // of a `vsource`: set, `imm` replaces `value` and `extra`
};

// Spelled by name after the others, in any order, and may be omitted.
constexpr bool is_attribute(OperandKind kind) {
  return kind == OperandKind::stride || kind == OperandKind::rows || kind == OperandKind::mask ||
         kind == OperandKind::option;
}

// A scalar plus an offset, in brackets.
constexpr bool is_address(OperandKind kind) {
  return kind == OperandKind::smem || kind == OperandKind::vmem || kind == OperandKind::vmem_word ||
         kind == OperandKind::descriptor || kind == OperandKind::accumulator ||
         kind == OperandKind::weight_row;
}

// The register that an instruction writes, left of `=` in the text.
constexpr bool is_destination(const Operand& operand) {
  return operand.access == Access::write &&
         (operand.kind == OperandKind::sreg || operand.kind == OperandKind::preg ||
          operand.kind == OperandKind::mreg || operand.kind == OperandKind::vreg);
}

// Codes of OperandKind::part.
enum class Part : std::uint8_t { f32, lo, hi, b0 = 4, b1, b2, b3 };
// Codes of OperandKind::vsource.
enum class SourceForm : std::uint8_t { vector, lo, hi, scalar, constant };

inline constexpr std::uint8_t bf16_parts = 0b0000'0111;  // f32, lo, hi
inline constexpr std::uint8_t s8_parts = 0b1111'0000;    // b0 .. b3

// Bits that every slot shares.
inline constexpr BitField opcode_field{0, 8};
inline constexpr BitField predicate_field{8, 3};
inline constexpr BitField predicate_negate_field{11, 1};

namespace operand {
using enum OperandKind;
using enum Access;

// Scalar slots (sa, sb), 64 bits.
inline constexpr Operand sd{"d", sreg, write, {12, 5}};
inline constexpr Operand sa{"a", sreg, read, {17, 5}};
inline constexpr Operand sbi{"b", scalar_imm, read, {22, 5}, {30, 1}, {32, 32}, true};
inline constexpr Operand sst_value{"b", sreg, read, {22, 5}};
inline constexpr Operand pd{"pd", preg, write, {27, 3}};
inline constexpr Operand pa{"pa", preg, read, {17, 3}, {20, 1}};
inline constexpr Operand pb{"pb", preg, read, {22, 3}, {25, 1}};
inline constexpr Operand pc{"pc", preg, read, {27, 3}, {31, 1}};
inline constexpr Operand label{"target", target, none, {32, 32}};
inline constexpr Operand code{"code", constant, none, {32, 32}};
inline constexpr Operand csr_name{"csr", csr, none, {32, 32}};
inline constexpr Operand ssti_address{"address", smem, write, {12, 5}, {}, {17, 15}, true};
inline constexpr Operand ssti_value{"b", constant, read, {32, 32}};
inline constexpr Operand smem_load{"address", smem, read, {17, 5}, {}, {32, 32}, true};
inline constexpr Operand smem_store{"address", smem, write, {17, 5}, {}, {32, 32}, true};

// Vector ALU slots (va, vb), 64 bits. Everything but y is in the lower half: a constant takes the
// upper half.
inline constexpr Operand vd{"vd", vreg, write, {12, 6}};
inline constexpr Operand vx{"x", vsource, read, {18, 6}, {24, 2}};
inline constexpr Operand vy{"y", vsource, read, {32, 6}, {38, 2}, {32, 32}, true, 0xff, {31, 1}};
inline constexpr Operand md{"md", mreg, write, {12, 3}};
inline constexpr Operand vsd{"d", sreg, write, {12, 5}};
inline constexpr Operand ma{"ma", mreg, read, {26, 3}, {29, 1}};
inline constexpr Operand mb{"mb", mreg, read, {32, 3}, {35, 1}};
inline constexpr Operand byte{"byte", constant, none, {26, 2}};
inline constexpr Operand sub_n{"n", scalar_imm, read, {26, 5}, {31, 1}, {32, 7}};

// Load and store slots, 64 bits.
inline constexpr Operand ld_d{"vd", vreg, write, {12, 6}};
inline constexpr Operand st_x{"x", vreg, read, {12, 6}};
inline constexpr Operand ld_address{"address", vmem, read, {18, 5}, {}, {32, 16}, true};
inline constexpr Operand ld_word{"address", vmem_word, read, {18, 5}, {}, {32, 16}, true};
inline constexpr Operand st_address{"address", vmem, write, {18, 5}, {}, {32, 16}, true};
inline constexpr Operand ls_mask{"mask", mask, read, {23, 3}, {26, 1}};
inline constexpr Operand ls_rows{"rows", rows, none, {27, 3}};
inline constexpr Operand ls_index{"index", vreg, read, {48, 6}};  // lane 0 of each row is used
inline constexpr Operand ls_bound{"bound", sreg, read, {54, 5}};
inline constexpr Operand ls_stride{"stride", stride, none, {48, 12}, {}, {}, true};

// Matrix slot, 64 bits.
inline constexpr Operand mx_bf16{"x", part, read, {12, 6}, {18, 3}, {}, false, bf16_parts};
inline constexpr Operand mx_s8{"x", part, read, {12, 6}, {18, 3}, {}, false, s8_parts};
inline constexpr Operand mx_any{"x",     part, read,  {12, 6},
                                {18, 3}, {},   false, bf16_parts | s8_parts};
inline constexpr Operand acc_write{"acc", accumulator, write, {28, 5}, {}, {21, 7}};
inline constexpr Operand acc_read{"acc", accumulator, read, {28, 5}, {}, {21, 7}};
inline constexpr Operand wrow{"row", weight_row, write, {28, 5}, {}, {21, 7}};
inline constexpr Operand mx_rows{"rows", rows, none, {33, 3}};
inline constexpr Operand mx_add{"add", option, none, {36, 1}};
inline constexpr Operand mx_swap{"swap", option, none, {37, 1}};
inline constexpr Operand mx_d{"vd", vreg, write, {38, 6}};

// EUP and XLU slot, 32 bits.
inline constexpr Operand xd{"vd", vreg, write, {12, 6}};
inline constexpr Operand xsd{"d", sreg, write, {12, 5}};
inline constexpr Operand xx{"x", vreg, read, {18, 6}};
inline constexpr Operand xn{"n", scalar_imm, read, {24, 5}, {31, 1}, {24, 7}};
inline constexpr Operand xindex{"index", vreg, read, {24, 6}};

// DMA slot, 32 bits.
inline constexpr Operand desc{"descriptor", descriptor, read, {12, 5}, {}, {27, 5}};
inline constexpr Operand src_off{"source offset", sreg, read, {17, 5}};
inline constexpr Operand dst_off{"destination offset", sreg, read, {22, 5}};
inline constexpr Operand flag_wait{"flag", flag, read, {12, 5}, {17, 5}};
inline constexpr Operand flag_write{"flag", flag, write, {12, 5}, {17, 5}};
inline constexpr Operand flag_n{"n", scalar_imm, read, {23, 5}, {22, 1}, {23, 9}, true};
}  // namespace operand

}  // namespace tandem
