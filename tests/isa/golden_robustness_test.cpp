// Programs that make no sense: the model ends in an orderly way, and the same with and without
// records.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>

#include "golden_support.hpp"

using namespace tandem;
using namespace tandem::test;

namespace {

using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random()) % limit;
}

std::int32_t random_field(Random& random, BitField field, bool is_signed) {
  if (field.width == 0) return 0;
  const std::uint32_t bits =
      field.width >= 32 ? static_cast<std::uint32_t>(random()) : below(random, 1U << field.width);
  const unsigned shift = 32U - field.width;
  if (!is_signed) return static_cast<std::int32_t>(bits);
  return static_cast<std::int32_t>(bits << shift) >> shift;
}

// Any legal value, small ones more often so that not every bundle traps.
OperandValue random_value(Random& random, const Operand& operand, std::uint32_t text_bundles) {
  for (;;) {
    OperandValue value{random_field(random, operand.value, operand.kind == OperandKind::stride),
                       static_cast<std::uint32_t>(random_field(random, operand.extra, false)),
                       random_field(random, operand.imm, operand.imm_signed)};
    if (operand.kind == OperandKind::rows) ++value.value;
    if (operand.kind == OperandKind::target)
      value.value = reg(static_cast<std::int32_t>(below(random, text_bundles))).value;
    if (operand.kind == OperandKind::csr)
      value.value = reg(static_cast<std::int32_t>(below(random, 200))).value;
    if (below(random, 16) != 0) value.imm &= 0xf8;
    if (operand.select.width != 0 && below(random, 4) == 0) {
      value.extra = static_cast<std::uint32_t>(SourceForm::constant);
    }
    const bool constant = selects_constant(operand, value.extra);
    if (register_or_constant(operand) && !constant) value.imm = 0;
    if (constant) value.value = 0;
    if (fits(operand, value)) return value;
  }
}

Placed random_operation(Random& random, Slot slot, std::uint32_t text_bundles) {
  for (;;) {
    const Instruction& row =
        instructions[below(random, static_cast<std::uint32_t>(instructions.size()))];
    const bool ends = row.op == Op::halt || row.op == Op::trap;
    if (!slot_accepts(slot, row.group) || (ends && below(random, 8) != 0)) continue;
    Placed result = operation(slot, row.op);
    result.operation.predicate = static_cast<std::uint8_t>(below(random, 4));
    result.operation.negate = below(random, 4) == 0;
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      result.operation.operands[i] = random_value(random, *row.operands.items[i], text_bundles);
    }
    return result;
  }
}

// SMEM starts with descriptors that are mostly right.
void random_descriptors(Random& random, Program& program) {
  for (std::uint32_t word = 0; word < 64; word += 16) {
    CopyDescriptor descriptor;
    descriptor.source_space = static_cast<MemorySpace>(below(random, 3));
    descriptor.destination_space = static_cast<MemorySpace>(below(random, 3));
    descriptor.flag = below(random, 4);
    descriptor.source = below(random, 0x4000) * 4;
    descriptor.destination = below(random, 0x4000) * 4;
    descriptor.length = below(random, 64) * 4;
    for (auto& dimension : descriptor.dimensions) {
      dimension = {1 + below(random, 3), static_cast<std::int32_t>(below(random, 256) * 4),
                   static_cast<std::int32_t>(below(random, 256) * 4) - 512};
    }
    program.smem(word, descriptor.words());
  }
}

void random_program(Random& random, Program& program) {
  random_descriptors(random, program);
  constexpr std::uint32_t length = 200;
  for (std::uint32_t i = 0; i < length; ++i) {
    Bundle bits{};
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (below(random, 3) != 0) continue;
      const auto item = random_operation(random, static_cast<Slot>(slot), length);
      set_slot_bits(bits, *item.slot, encode(item.operation));
    }
    if (below(random, 50) == 0) bits[below(random, bundle_words)] ^= 1U << below(random, 32);
    program.raw(bits);
  }
}

}  // namespace

TEST_CASE("random programs end the same with and without records") {
  const char* const names[] = {"nano", "small", "edge", "full"};
  std::uint64_t executed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Program program(names[seed % 16 < 14 ? seed % 2 : seed % 4]);
    random_program(random, program);
    GoldenOptions options = unchecked();
    options.detect_races = seed % 8 == 0;
    INFO("seed " << seed);
    GoldenModel fast = program.model(options);
    GoldenModel slow = program.model(options);
    constexpr std::uint64_t limit = 3000;
    fast.run(limit);
    RetireRecord record;
    for (std::uint64_t i = 0; i < limit; ++i) slow.step(&record);
    check_same(fast, slow);
    executed += fast.bundles();
  }
  CHECK(executed > 40'000);
}

TEST_CASE("never-written state holds the seeded pattern") {
  // Computed apart from the formula of docs/reference.md.
  const State state(*find_preset("nano"), 7);
  CHECK(pattern(7, PatternSpace::vectors, 0) == state.vector(0)[0]);
  CHECK(pattern(7, PatternSpace::vectors, 65) == state.vector(1)[1]);
  CHECK(pattern(7, PatternSpace::accumulators, 64 * 63 + 63) == state.accumulator(63)[63]);
  CHECK((pattern(7, PatternSpace::weights, 64 + 9) & 0xffffU) == state.weights[1][9]);
  CHECK(pattern(7, PatternSpace::vmem, 17) == state.vmem_row(2)[1]);
  CHECK(pattern(1, PatternSpace::vmem, 5) == 0xe6a1845e);
  CHECK(pattern(0xffffffff, PatternSpace::weights, 12345) == 0xd377354e);
}
