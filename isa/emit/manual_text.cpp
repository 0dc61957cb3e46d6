#include "isa/emit/manual_text.hpp"

#include <fmt/format.h>

#include "isa/text/text.hpp"

namespace tandem::emit {
namespace {

// How an operand is written in a syntax line.
std::string spelling(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::sreg: return fmt::format("s:{}", operand.name);
    case OperandKind::preg:
      return fmt::format("{}p:{}", operand.access == Access::read ? "[!]" : "", operand.name);
    case OperandKind::vreg: return fmt::format("v:{}", operand.name);
    case OperandKind::mreg:
      return fmt::format("{}m:{}", operand.access == Access::read ? "[!]" : "", operand.name);
    case OperandKind::vsource: return fmt::format("{}", operand.name);
    case OperandKind::scalar_imm: return fmt::format("{}", operand.name);
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::flag: return fmt::format("{}", operand.name);
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor: return "[s + constant]";
    case OperandKind::accumulator: return "acc";
    case OperandKind::weight_row: return "row";
    case OperandKind::part: return fmt::format("{}.part", operand.name);
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::mask: return fmt::format("{0}={0}", operand.name);
    case OperandKind::option: return std::string(operand.name);
  }
  return {};
}

// The trap that an operand of this kind can cause, or "".
std::string_view trap_of(OperandKind kind) {
  switch (kind) {
    case OperandKind::target: return "jump_range when the target is not in the text";
    case OperandKind::smem: return "address_range when the word is not in SMEM";
    case OperandKind::vmem: return "address_range when an enabled row is not in VMEM";
    case OperandKind::vmem_word: return "address_range when an enabled word is not in VMEM";
    case OperandKind::accumulator: return "address_range when the index is above 63";
    case OperandKind::flag: return "address_range when the flag is above 31";
    case OperandKind::weight_row:
      return "address_range when the row is not a multiple of 8 below L";
    case OperandKind::descriptor:
      return "bad_descriptor and address_range, see reference.md section 5";
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg:
    case OperandKind::vsource:
    case OperandKind::scalar_imm:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::part:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::mask:
    case OperandKind::option: return "";
  }
  return "";
}

// Traps that belong to an instruction rather than to an operand.
std::string_view own_trap(Op op) {
  if (op == Op::trap) return "explicit_trap, always";
  if (op == Op::wait) return "deadlock when unsatisfied with no copy queued or in flight";
  if (op == Op::jump || op == Op::ret) return "jump_range when a is not in the text";
  return "";
}

}  // namespace

std::string extra_meaning(const Operand& operand) {
  if (operand.kind == OperandKind::vsource) return "form (0 vector, 1 lo, 2 hi, 3 scalar)";
  if (operand.kind == OperandKind::flag) return "plus the scalar";
  if (operand.kind != OperandKind::part) return "negated by";
  std::string codes;
  for (unsigned code = 0; code < 8; ++code) {
    if (((operand.allowed >> code) & 1U) == 0) continue;
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", code,
                         part_suffix(static_cast<Part>(code)));
  }
  return fmt::format("part ({})", codes);
}

std::string syntax_text(const Instruction& row) {
  std::string destinations;
  std::string sources;
  for (const Operand* operand : row.operands) {
    if (is_destination(*operand)) {
      destinations += spelling(*operand) + " = ";
    } else if (is_attribute(operand->kind)) {
      sources += fmt::format(" [, {}]", spelling(*operand));
    } else {
      sources += (sources.empty() ? " " : ", ") + spelling(*operand);
    }
  }
  return destinations + std::string(row.mnemonic) + sources;
}

std::string traps_text(const Instruction& row) {
  std::string text(own_trap(row.op));
  for (const Operand* operand : row.operands) {
    const std::string_view more = trap_of(operand->kind);
    if (!more.empty()) text += (text.empty() ? "" : "; ") + std::string(more);
  }
  return text.empty() ? "none of its own" : text;
}

OperandValue example_value(const Operand& operand, unsigned place) {
  OperandValue value = default_value(operand);
  const auto number = static_cast<std::int32_t>(place + 4);
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::vreg:
    case OperandKind::vsource:
    case OperandKind::flag: value.value = number; break;
    case OperandKind::preg:
    case OperandKind::mreg: value.value = static_cast<std::int32_t>(place + 1); break;
    case OperandKind::scalar_imm:
      value.extra = 1;
      value.imm = 5;
      break;
    case OperandKind::target: break;
    case OperandKind::constant: value.value = 1; break;
    case OperandKind::csr: value.value = 18; break;
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
      value.value = number;
      value.imm = 8;
      break;
    case OperandKind::descriptor:
      value.value = number;
      value.imm = 1;
      break;
    case OperandKind::accumulator:
      value.value = number;
      value.imm = 2;
      break;
    case OperandKind::weight_row: value.imm = 0; break;
    case OperandKind::part:
      value.value = number;
      value.extra = operand.allowed == s8_parts ? 4 : 1;
      break;
    case OperandKind::stride: value.value = 2; break;
    case OperandKind::rows: value.value = 5; break;
    case OperandKind::mask: value.value = 1; break;
    case OperandKind::option: value.value = 1; break;
  }
  return value;
}

std::string_view manual_introduction() {
  return "Everything that a program can say, one entry an instruction. What the machine is "
         "(state,\n"
         "bundles, traps, copies, launch) is in [reference.md](reference.md), how numbers "
         "round in\n"
         "[numerics.md](numerics.md), how to write a file in [assembly.md](assembly.md).\n\n"
         "Every operation may be predicated: `@p1 ...` does it when `p1` is true, `@!p1 ...` when "
         "it is\n"
         "false; an operation that is not done writes nothing and traps for nothing but its "
         "encoding and\n"
         "conflicts. r is the sublane (row), j the lane, L the number of lanes. Bit numbers count "
         "from\n"
         "the first bit of the slot. Every instruction can also trap with illegal_encoding and\n"
         "write_conflict, and in slot sa with jump_range when the next bundle is not in the "
         "text.\n\n";
}

std::string_view operand_chapter() {
  return "## Operands\n\n"
         "| written | means |\n|---|---|\n"
         "| `s:d` | a scalar register, `s0` to `s31` |\n"
         "| `p:pd`, `[!]p:pa` | a predicate, `p0` to `p7`; as a source it may be negated: `!p3` |\n"
         "| `v:vd` | a vector register, `v0` to `v63` |\n"
         "| `m:md`, `[!]m:ma` | a mask, `m0` to `m7`; as a source it may be negated: `!m3` |\n"
         "| `x`, `y` of the vector ALU | `v3`; `v3.lo`, `v3.hi`: the bf16 in the low or high half "
         "of each "
         "element, as the fp32 of the same value (its bits shifted up by 16); `s3`: the scalar in "
         "every "
         "element; for `y` a constant of 32 bits too: `1.5` its fp32, `15` the integer |\n"
         "| `b`, `n` | a scalar register or a constant: 32 bits in scalar slots, 0 to 127 for lane "
         "and "
         "sublane numbers, -256 to 255 for flags |\n"
         "| `[s + constant]` | an address: `[s4 + 8]`, `[s4]`, `[8]`; rows for vld and vst, 32-bit "
         "words of "
         "VMEM for vldc, words of SMEM for sld, sst and copy (there a multiple of 16) |\n"
         "| `acc` | an accumulator: `a5`, or `a[s4 + 5]` |\n"
         "| `flag` | a flag: `f5`, or `f[s4 + 5]` |\n"
         "| `row` of mxpush | `8`, or `[s4 + 8]` |\n"
         "| `x.part` | `.f32` rounds each fp32 to bf16; `.lo` `.hi` take the bf16 halves; `.b0` to "
         "`.b3` take "
         "a signed byte |\n"
         "| `[, name=value]` | an attribute that may be left out: stride=1, rows=8, mask=m0 (all "
         "ones) |\n"
         "| `[, add]`, `[, swap]` | an option |\n\n";
}

}  // namespace tandem::emit
