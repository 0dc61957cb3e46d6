// Encode and decode: loops over the instruction table; no instruction is named here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/image.hpp"
#include "isa/instructions.hpp"

namespace tandem {

// The bits of one slot, bit 0 first; slots of 32 bits leave the upper half zero.
using SlotBits = std::uint64_t;

SlotBits slot_bits(const Bundle& bundle, Slot slot);
void set_slot_bits(Bundle& bundle, Slot slot, SlotBits bits);

constexpr std::uint32_t get_field(SlotBits bits, BitField field) {
  if (field.width == 0) return 0;
  return static_cast<std::uint32_t>((bits >> field.lsb) & ((SlotBits{1} << field.width) - 1));
}

// Precondition: value fits the field.
constexpr SlotBits put_field(SlotBits bits, BitField field, std::uint32_t value) {
  const SlotBits mask = ((SlotBits{1} << field.width) - 1) << field.lsb;
  return (bits & ~mask) | ((SlotBits{value} << field.lsb) & mask);
}

// The three fields of an operand by meaning: `imm` sign-extended if the operand requires it,
// `value` of stride sign-extended, `value` of rows already plus one.
struct OperandValue {
  std::int32_t value = 0;
  std::uint32_t extra = 0;
  std::int32_t imm = 0;
  bool operator==(const OperandValue&) const = default;
};

struct Operation {
  Op op{};
  std::uint8_t predicate = 0;
  bool negate = false;
  std::array<OperandValue, max_operands> operands{};  // as many as in the row
  bool operator==(const Operation&) const = default;
};

// Whether the operand is a register or a constant instead, by its form.
bool register_or_constant(const Operand& operand);
// Whether this form of such an operand is the constant.
bool selects_constant(const Operand& operand, std::uint32_t extra);

// The value of an operand that the text does not mention (stride 1, rows 8, everything else 0).
OperandValue default_value(const Operand& operand);
// Whether the operand's fields can hold this value.
bool fits(const Operand& operand, const OperandValue& value);

// Precondition: every operand fits.
SlotBits encode(const Operation& operation);

inline bool is_empty(SlotBits bits) { return bits == 0; }
// The operation of a slot that is not empty, or nullopt when the encoding is illegal there.
std::optional<Operation> decode(Slot slot, SlotBits bits);

// A register file that bundles can conflict on; the values are those of the trap detail.
enum class RegisterFile : std::uint8_t { s, p, m, v };
struct RegisterName {
  RegisterFile file;
  std::uint8_t index;
  auto operator<=>(const RegisterName&) const = default;
};
// The file of the register that an operand of this kind names in `value`; none when it names none,
// or when its form determines the file (vsource).
std::optional<RegisterFile> register_file(OperandKind kind);
// The register that an operand reads, if any: the scalar of an address too.
std::optional<RegisterName> source(const Operand& operand, const OperandValue& value);
// The register an operation writes, if any; none for s0, p0 and m0.
std::optional<RegisterName> destination(const Operation& operation);

struct WriteConflict {
  RegisterName name;  // the smallest that conflicts
  Slot slot;          // the second slot that writes it
};
using DecodedBundle = std::array<std::optional<Operation>, slot_count>;  // empty slots: nullopt
std::optional<WriteConflict> find_write_conflict(const DecodedBundle& bundle);

}  // namespace tandem
