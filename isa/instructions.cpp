#include "isa/instructions.hpp"

#include <algorithm>

namespace tandem {
namespace {

template <typename... Operands>
constexpr OperandList list_of(const Operands&... operands) {
  return OperandList{&operands...};
}

constexpr auto make_table() {
  using namespace operand;  // NOLINT: the rows name operands without their namespace
#define OPS(...) list_of(__VA_ARGS__)
#define INSTRUCTION(name, opcode, mnemonic, group, latency, operands, meaning) \
  Instruction{Op::name, #name, opcode, mnemonic, Group::group, Latency::latency, operands, meaning},
  return std::to_array<Instruction>({
#include "isa/instructions.def"
  });
#undef INSTRUCTION
#undef OPS
}

constexpr auto table = make_table();

// Index of the row of (slot, opcode) plus one; 0 if there is none.
constexpr auto make_opcode_index() {
  std::array<std::array<std::uint8_t, 256>, slot_count> index{};
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    for (std::size_t row = 0; row < table.size(); ++row) {
      if (!slot_accepts(static_cast<Slot>(slot), table[row].group)) continue;
      std::uint8_t& entry = index[slot][table[row].opcode];
      if (entry != 0 || table[row].opcode == 0) throw "two instructions share an opcode";
      entry = static_cast<std::uint8_t>(row + 1);
    }
  }
  return index;
}

constexpr auto opcode_index = make_opcode_index();

struct BitClaims {
  std::uint64_t bits = 0;

  constexpr void claim(BitField field, unsigned slot_width) {
    if (field.width == 0) return;
    if (field.lsb + field.width > slot_width) throw "operand outside its slot";
    const std::uint64_t mask = ((std::uint64_t{1} << field.width) - 1) << field.lsb;
    if ((bits & mask) != 0) throw "operands overlap";
    bits |= mask;
  }
};

constexpr unsigned group_width(Group group) {
  return group == Group::cross || group == Group::dma ? 32 : 64;
}

// Evaluated by the compiler: a row whose fields overlap or leave the slot does not build.
constexpr bool fields_are_disjoint(const Instruction& row) {
  BitClaims claims;
  const unsigned width = group_width(row.group);
  claims.claim(opcode_field, width);
  claims.claim({predicate_field.lsb, 4}, width);
  for (const Operand* operand : row.operands) {
    // A register and the constant in its place may share bits: only one is in use. That includes a
    // form replaced by a select bit.
    const bool either = operand->kind == OperandKind::scalar_imm || operand->select.width != 0;
    const bool shares = either && operand->imm.width != 0 && operand->imm.lsb == operand->value.lsb;
    claims.claim(operand->select, width);
    if (!shares || operand->select.width == 0) claims.claim(operand->extra, width);
    if (!shares) claims.claim(operand->value, width);
    claims.claim(operand->imm, width);
  }
  return true;
}

static_assert(std::all_of(table.begin(), table.end(), fields_are_disjoint));

}  // namespace

const std::span<const Instruction> instructions{table};

const Instruction& instruction(Op op) { return table[static_cast<std::size_t>(op)]; }

const Instruction* find_instruction(Slot slot, std::uint8_t opcode) {
  const std::uint8_t entry = opcode_index[static_cast<std::size_t>(slot)][opcode];
  return entry == 0 ? nullptr : &table[entry - 1U];
}

const Instruction* find_instruction(std::string_view mnemonic) {
  const auto* row = std::find_if(table.begin(), table.end(), [mnemonic](const Instruction& item) {
    return item.mnemonic == mnemonic;
  });
  return row == table.end() ? nullptr : row;
}

}  // namespace tandem
