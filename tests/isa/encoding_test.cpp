#include "isa/encoding.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "isa/builder/operation.hpp"
#include "isa/registers/registers.hpp"

namespace tandem {
namespace {

using namespace builder;  // NOLINT: a test file
using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t bound) {
  return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random);
}

// Random bits in every field of an operand, until they mean something.
OperandValue random_value(Random& random, const Operand& operand) {
  for (;;) {
    OperandValue value = default_value(operand);
    if (operand.extra.width != 0) value.extra = below(random, 1U << operand.extra.width);
    if (operand.select.width != 0 && below(random, 2) != 0) {
      value.extra = static_cast<std::uint32_t>(SourceForm::constant);
    }
    const bool constant = selects_constant(operand, value.extra);
    if (!constant && operand.value.width != 0 && operand.kind != OperandKind::stride) {
      const std::uint32_t span = operand.value.width == 32 ? 200U : 1U << operand.value.width;
      value.value = static_cast<std::int32_t>(below(random, span)) +
                    (operand.kind == OperandKind::rows ? 1 : 0);
    }
    if (operand.kind == OperandKind::stride) {
      value.value = static_cast<std::int32_t>(below(random, 4096)) - 2048;
    }
    if (operand.imm.width != 0 && (constant || !register_or_constant(operand))) {
      const std::int64_t span = std::int64_t{1} << operand.imm.width;
      const auto raw = static_cast<std::int64_t>(random()) % span;
      value.imm = static_cast<std::int32_t>(operand.imm_signed ? raw - span / 2 : raw);
    }
    if (fits(operand, value)) return value;
  }
}

Operation random_operation(Random& random, const Instruction& row) {
  std::vector<OperandValue> operands;
  for (const Operand* operand : row.operands) operands.push_back(random_value(random, *operand));
  Operation operation = make_operation(row.op, operands);
  operation.predicate = static_cast<std::uint8_t>(below(random, 8));
  operation.negate = below(random, 2) != 0;
  return operation;
}

DecodedBundle bundle_of(std::initializer_list<Placed> operations) {
  DecodedBundle bundle{};
  for (const Placed& item : operations) {
    bundle[static_cast<std::size_t>(item.slot.value())] = item.operation;
  }
  return bundle;
}

}  // namespace

TEST_CASE("every instruction decodes to what was encoded") {
  Random random(1);
  for (const Instruction& row : instructions) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      const Operation operation = random_operation(random, row);
      const auto decoded = decode(first_slot(row.group), encode(operation));
      CAPTURE(row.mnemonic);
      REQUIRE(decoded.has_value());
      REQUIRE(*decoded == operation);
    }
  }
}

TEST_CASE("bits that no operand covers make an encoding illegal") {
  Random random(2);
  for (const Instruction& row : instructions) {
    const Slot slot = first_slot(row.group);
    const Operation operation = random_operation(random, row);
    const SlotBits bits = encode(operation);
    for (unsigned bit = 0; bit < slot_layouts[static_cast<std::size_t>(slot)].width; ++bit) {
      const SlotBits flipped = bits ^ (SlotBits{1} << bit);
      const auto decoded = decode(slot, flipped);
      CAPTURE(row.mnemonic, bit);
      // A flipped bit either means something else or is refused; it is never ignored.
      if (decoded) REQUIRE(encode(*decoded) == flipped);
      if (decoded) REQUIRE_FALSE(*decoded == operation);
    }
  }
}

TEST_CASE("opcode 0 with other bits set and unknown opcodes are illegal") {
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    REQUIRE_FALSE(decode(static_cast<Slot>(slot), 0x100).has_value());
    REQUIRE_FALSE(decode(static_cast<Slot>(slot), 0xff).has_value());
  }
}

TEST_CASE("slots of a bundle are read back where they were put") {
  Random random(3);
  Bundle bundle{};
  std::array<SlotBits, slot_count> expected{};
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    const unsigned width = slot_layouts[slot].width;
    expected[slot] = (SlotBits{random()} << 32U | random()) >> (64U - width);
    set_slot_bits(bundle, static_cast<Slot>(slot), expected[slot]);
  }
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    REQUIRE(slot_bits(bundle, static_cast<Slot>(slot)) == expected[slot]);
  }
}

TEST_CASE("the smallest register that two slots write is the conflict") {
  const auto conflict = find_write_conflict(
      bundle_of({op::add(s(9), s(0), 0).in(Slot::sa), op::mov(s(5), 0).in(Slot::sb),
                 op::mpop(s(9), m(0)).in(Slot::va), op::extract(s(5), v(0), 0).in(Slot::xu)}));
  REQUIRE(conflict.has_value());
  REQUIRE(conflict->name == RegisterName{RegisterFile::s, 5});
  REQUIRE(conflict->slot == Slot::xu);
}

TEST_CASE("writes that are discarded never conflict and v0 does") {
  REQUIRE_FALSE(find_write_conflict(
      bundle_of({op::add(s(0), s(0), 0).in(Slot::sa), op::add(s(0), s(0), 0).in(Slot::sb)})));
  REQUIRE(find_write_conflict(
      bundle_of({op::vmov(v(0), v(1)).in(Slot::va), op::vmov(v(0), v(1)).in(Slot::vb)})));
}

TEST_CASE("values that a field cannot hold do not fit") {
  REQUIRE_FALSE(fits(operand::ld_address, {4, 0, 32768}));
  REQUIRE(fits(operand::ld_address, {4, 0, 32767}));
  REQUIRE(fits(operand::ld_address, {4, 0, -32768}));
  REQUIRE_FALSE(fits(operand::ls_rows, {9, 0, 0}));
  REQUIRE_FALSE(fits(operand::ls_rows, {0, 0, 0}));
  REQUIRE_FALSE(fits(operand::mx_s8, {4, static_cast<std::uint32_t>(Part::lo), 0}));
  REQUIRE_FALSE(fits(operand::flag_wait, {32, 0, 0}));
  REQUIRE(fits(operand::flag_wait, {31, 31, 0}));
  REQUIRE_FALSE(fits(operand::vx, {32, static_cast<std::uint32_t>(SourceForm::scalar), 0}));
  REQUIRE_FALSE(fits(operand::vx, {0, static_cast<std::uint32_t>(SourceForm::constant), 1}));
  REQUIRE(fits(operand::vy, {0, static_cast<std::uint32_t>(SourceForm::constant), 1}));
}

TEST_CASE("register numbers and names are unique and ascending") {
  const auto table = registers();
  for (std::size_t i = 1; i < table.size(); ++i) {
    REQUIRE(table[i - 1].number < table[i].number);
    REQUIRE(find_register(table[i].name) == &table[i]);
    REQUIRE(find_register(table[i].number) == &table[i]);
  }
  REQUIRE(find_register("nothing") == nullptr);
  REQUIRE(find_register(63U) == nullptr);
}

}  // namespace tandem
