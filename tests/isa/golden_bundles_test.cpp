// Random bundles: a slot writes the same beside others as alone, whatever order the golden model
// chose.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "golden_support.hpp"
#include "isa/text/text.hpp"

using namespace tandem;
using namespace tandem::test;

namespace {

using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t limit) { return random() % limit; }

// Few registers, so that operations of a bundle meet; addresses that never trap.
OperandValue random_value(Random& random, const Operand& operand) {
  const auto few = static_cast<std::int32_t>(below(random, 4));
  const auto bit = [&random](BitField field) { return field.width == 0 ? 0 : below(random, 2); };
  if (&operand == &operand::ls_bound) return reg(0);
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::vreg: return reg(few);
    case OperandKind::preg:
    case OperandKind::mreg:
    case OperandKind::mask: return {few, bit(operand.extra), 0};
    case OperandKind::vsource: {
      const bool constant = operand.select.width != 0 && below(random, 5) == 0;
      return constant ? constant_of(few * 3) : OperandValue{few, below(random, 4), 0};
    }
    case OperandKind::scalar_imm: return below(random, 2) != 0 ? reg(few) : number(few * 3);
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word: return at(0, few);
    case OperandKind::accumulator: return at(0, few);
    case OperandKind::weight_row: return at(0, 0);
    case OperandKind::stride: return reg(few);
    case OperandKind::rows: return reg(1 + few * 2);
    case OperandKind::option: return plain(below(random, 2));
    case OperandKind::constant: return reg(few);
    case OperandKind::csr: return plain(18);
    case OperandKind::part: {
      std::uint32_t code = below(random, 8);
      while ((operand.allowed >> code & 1U) == 0) code = below(random, 8);
      return {few, code, 0};
    }
    case OperandKind::target:
    case OperandKind::flag:
    case OperandKind::descriptor: break;
  }
  FAIL("operand kind not expected here");
  return {};
}

std::optional<Operation> random_operation(Random& random, Slot slot) {
  std::vector<const Instruction*> choices;
  for (const Instruction& row : instructions) {
    const bool data = row.group != Group::control && row.group != Group::dma;
    if (data && slot_accepts(slot, row.group)) choices.push_back(&row);
  }
  if (choices.empty() || below(random, 3) == 0) return std::nullopt;
  const Instruction& row = *choices[below(random, static_cast<std::uint32_t>(choices.size()))];
  Operation operation{
      row.op, static_cast<std::uint8_t>(below(random, 3)), below(random, 3) == 0, {}};
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    operation.operands[i] = random_value(random, *row.operands.items[i]);
  }
  return operation;
}

DecodedBundle random_bundle(Random& random) {
  DecodedBundle bundle;
  do {
    for (std::size_t i = 0; i < slot_count; ++i) {
      bundle[i] = random_operation(random, static_cast<Slot>(i));
    }
  } while (find_write_conflict(bundle).has_value());
  return bundle;
}

Bundle encoded(const DecodedBundle& operations, std::optional<std::size_t> only = std::nullopt) {
  Bundle bits{};
  for (std::size_t i = 0; i < slot_count; ++i) {
    const bool wanted = operations[i] && (!only || *only == i);
    if (wanted) set_slot_bits(bits, static_cast<Slot>(i), encode(*operations[i]));
  }
  return bits;
}

// The record of a bundle that runs after registers got distinct values.
RetireRecord record_of(const Bundle& bundle) {
  Program program("nano");
  for (std::int32_t i = 1; i < 4; ++i) {
    program.bundle({op::mov(s(i), i * 0x01234567).in(Slot::sa),
                    op::vlt_s32(m(i), v(i), v(i + 10)).in(Slot::va),
                    op::lt_s32(p(i), s(0), 2 - i).in(Slot::sb)});
  }
  program.raw(bundle);
  program.halt();
  const auto model = program.run(unchecked());
  REQUIRE(model.status() == RunStatus::halted);
  return program.records[3];
}

struct PlainWrite {
  Space space;
  std::uint32_t row;
  std::uint32_t index;
  std::array<std::uint32_t, 4> lanes;
  std::vector<std::uint32_t> data;
  bool operator==(const PlainWrite&) const = default;
};

std::vector<PlainWrite> writes_of(const RetireRecord& record, std::size_t slot) {
  std::vector<PlainWrite> writes;
  for (const Write& write : record.writes) {
    if (static_cast<std::size_t>(write.slot) != slot) continue;
    const auto data = record.data_of(write, *find_preset("nano"));
    writes.push_back(
        {write.space, write.row, write.index, write.lanes, {data.begin(), data.end()}});
  }
  return writes;
}

}  // namespace

TEST_CASE("slots of a bundle write what they would write alone") {
  Random random(20261121);
  std::uint32_t compared = 0;
  for (int i = 0; i < 400; ++i) {
    const DecodedBundle operations = random_bundle(random);
    const Bundle bundle = encoded(operations);
    INFO(bundle_text(bundle));
    const RetireRecord together = record_of(bundle);
    CHECK(std::is_sorted(together.writes.begin(), together.writes.end(),
                         [](const Write& a, const Write& b) { return a.slot < b.slot; }));
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (!operations[slot]) continue;
      const auto expected = writes_of(record_of(encoded(operations, slot)), slot);
      CHECK(writes_of(together, slot) == expected);
      compared += static_cast<std::uint32_t>(expected.size());
    }
  }
  CHECK(compared > 1000);
}
