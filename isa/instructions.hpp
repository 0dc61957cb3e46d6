// The instruction table and its look-up functions. The rows are in instructions.def.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "isa/operands.hpp"

namespace tandem {

// The nine slots of a bundle, in slot order.
enum class Slot : std::uint8_t { sa, sb, va, vb, ld, st, mx, xu, dma };
inline constexpr std::size_t slot_count = 9;

struct SlotLayout {
  std::string_view name;
  std::uint16_t lsb;    // first bit in the bundle
  std::uint16_t width;  // 32 or 64 bits
};

inline constexpr std::array<SlotLayout, slot_count> slot_layouts{{
    {"sa", 0, 64},
    {"sb", 64, 64},
    {"va", 128, 64},
    {"vb", 192, 64},
    {"ld", 256, 64},
    {"st", 320, 64},
    {"mx", 384, 64},
    {"xu", 448, 32},
    {"dma", 480, 32},
}};

// Which slots accept an instruction; opcodes are unique among the groups that share a slot.
enum class Group : std::uint8_t { scalar, control, smem, valu, load, store, matrix, cross, dma };

// The latency of results; the numbers are in isa/timing.hpp, shared by RTL and cycle model.
enum class Latency : std::uint8_t {
  scalar,       // result usable by the next bundle
  scalar_load,  // SMEM read
  control,      // no register result
  valu,
  load,
  store,
  push,
  multiply,
  acc_read,
  eup,
  xlu,
  copy,
  wait,
};

inline constexpr std::size_t max_operands = 6;

struct OperandList {
  std::array<const Operand*, max_operands> items{};
  std::uint8_t count = 0;

  constexpr OperandList() = default;
  constexpr OperandList(std::initializer_list<const Operand*> list) {
    for (const Operand* item : list) items[count++] = item;
  }
  [[nodiscard]] constexpr const Operand* const* begin() const { return items.data(); }
  [[nodiscard]] constexpr const Operand* const* end() const { return items.data() + count; }
};

enum class Op : std::uint8_t {
#define INSTRUCTION(name, ...) name,
#include "isa/instructions.def"
#undef INSTRUCTION
};

struct Instruction {
  Op op;
  std::string_view name;  // enumerator as text; OP_<NAME> in Verilog
  std::uint8_t opcode;
  std::string_view mnemonic;
  Group group;
  Latency latency;
  OperandList operands;
  std::string_view meaning;
};

extern const std::span<const Instruction> instructions;

// The row of an instruction.
const Instruction& instruction(Op op);
// The instruction that this opcode selects in this slot, or nullptr when there is none.
const Instruction* find_instruction(Slot slot, std::uint8_t opcode);
// The instruction of this mnemonic, or nullptr.
const Instruction* find_instruction(std::string_view mnemonic);
// Whether a slot accepts a group: scalar goes in sa and sb, valu in va and vb, others in one slot.
constexpr bool slot_accepts(Slot slot, Group group) {
  switch (group) {
    case Group::scalar: return slot == Slot::sa || slot == Slot::sb;
    case Group::control: return slot == Slot::sa;
    case Group::smem: return slot == Slot::sb;
    case Group::valu: return slot == Slot::va || slot == Slot::vb;
    case Group::load: return slot == Slot::ld;
    case Group::store: return slot == Slot::st;
    case Group::matrix: return slot == Slot::mx;
    case Group::cross: return slot == Slot::xu;
    case Group::dma: return slot == Slot::dma;
  }
  return false;
}

}  // namespace tandem
