// Ranges of scalars: the scheduler's results are correct, it uses them, and the validator accepts
// them only where it holds.
#include "schedule/program/range.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "assembler/assembler.hpp"
#include "schedule/memory/value_ranges.hpp"
#include "schedule/proof/validate.hpp"
#include "tests/schedule/support.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

constexpr std::array<Op, 10> arithmetic{Op::add,     Op::sub,    Op::mul,     Op::shl,
                                        Op::shr,     Op::sar,    Op::bit_and, Op::min_s32,
                                        Op::max_u32, Op::max_s32};
constexpr std::array<Op, 10> comparisons{Op::eq,     Op::ne,     Op::lt_s32, Op::le_s32,
                                         Op::gt_s32, Op::ge_s32, Op::lt_u32, Op::le_u32,
                                         Op::gt_u32, Op::ge_u32};

std::uint32_t computed(Op op, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a);
  const auto y = static_cast<std::int32_t>(b);
  switch (op) {  // NOLINT: those of the two lists
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::shl: return a << (b & 31U);
    case Op::shr: return a >> (b & 31U);
    case Op::sar: return static_cast<std::uint32_t>(x >> (b & 31U));
    case Op::bit_and: return a & b;
    case Op::min_s32: return x < y ? a : b;
    case Op::max_s32: return x > y ? a : b;
    case Op::max_u32: return a > b ? a : b;
    case Op::eq: return a == b ? 1 : 0;
    case Op::ne: return a != b ? 1 : 0;
    case Op::lt_s32: return x < y ? 1 : 0;
    case Op::le_s32: return x <= y ? 1 : 0;
    case Op::gt_s32: return x > y ? 1 : 0;
    case Op::ge_s32: return x >= y ? 1 : 0;
    case Op::lt_u32: return a < b ? 1 : 0;
    case Op::le_u32: return a <= b ? 1 : 0;
    case Op::gt_u32: return a > b ? 1 : 0;
    case Op::ge_u32: return a >= b ? 1 : 0;
    default: FAIL("no such operation"); return 0;
  }
}

bool holds(const MaybeRange& range, std::uint32_t value) {
  if (!range) return true;
  for (std::int64_t wrap = (range->low >> 32) - 1; wrap <= (range->high >> 32) + 1; ++wrap) {
    const std::int64_t number = std::int64_t{value} + wrap * (std::int64_t{1} << 32U);
    const bool inside = number >= range->low && number <= range->high;
    if (inside && (number - range->low) % range->stride == 0) return true;
  }
  return false;
}

// A range near zero or near where numbers wrap, and one of its numbers as a register has it.
struct Sample {
  MaybeRange range;
  std::uint32_t value = 0;
};
Sample sample(std::mt19937_64& random) {
  constexpr std::array<std::int64_t, 5> centres{0, 1LL << 31, -(1LL << 31), (1LL << 32) - 20, 200};
  const std::int64_t stride = 1 + static_cast<std::int64_t>(random() % 9);
  const auto count = static_cast<std::int64_t>(random() % 5);
  const std::int64_t low =
      centres[random() % centres.size()] + static_cast<std::int64_t>(random() % 40) - 20;
  Sample made;
  const std::int64_t number = low + stride * static_cast<std::int64_t>(random() % (count + 1));
  made.value = static_cast<std::uint32_t>(number);
  if (random() % 5 != 0) made.range = Range{0, low, low + count * stride, count == 0 ? 1 : stride};
  return made;
}

std::string assembled(const std::string& lines, std::vector<LoopReport>& loops) {
  AssembleOptions options;
  options.prove = true;
  options.on_report = [&](const BlockReport& report) {
    for (const PlacedLoop& placed : report.loops) loops.push_back(placed.loop);
  };
  const SourceText source{
      "loop.s", "        .vmem\nxr: .space 64\nyr: .space 64\n        .text\n        .linear\n" +
                    lines + "        halt\n        .endlinear\n"};
  return diagnostics_text(build({&source, 1}, options).diagnostics);
}

}  // namespace

TEST_CASE("the range of a result holds every result") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400'000; ++i) {
    const Sample a = sample(random);
    const Sample b = sample(random);
    const Op op = arithmetic[random() % arithmetic.size()];
    const std::uint32_t result = computed(op, a.value, b.value);
    const MaybeRange range = result_range(op, a.range, b.range);
    INFO(instruction(op).mnemonic << " " << a.value << " " << b.value);
    REQUIRE(holds(range, result));
    REQUIRE(holds(joined(a.range, b.range), a.value));
    if (apart(a.range, b.range)) REQUIRE(a.value != b.value);
  }
}

TEST_CASE("what a comparison narrows still holds the number that was compared") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 400'000; ++i) {
    const Sample a = sample(random);
    const Sample b = sample(random);
    const Op op = comparisons[random() % comparisons.size()];
    const bool result = computed(op, a.value, b.value) != 0;
    bool possible = true;
    const MaybeRange left = narrowed(a.range, op, b.range, result, possible);
    const MaybeRange right = narrowed(b.range, mirrored(op), a.range, result, possible);
    INFO(instruction(op).mnemonic << " " << a.value << " " << b.value);
    REQUIRE(possible);
    REQUIRE(holds(left, a.value));
    REQUIRE(holds(right, b.value));
  }
}

TEST_CASE("a counter is known by the comparison that ends its loop") {
  LinearText text;
  text.add(Op::mov, {text.s("i"), 0});
  const auto loop = text.label();
  text.add(Op::vst, {LinearText::at(0), text.v("x")});
  text.add(Op::add, {text.s("i"), text.s("i"), 8});
  text.add(Op::lt_s32, {text.p("again"), text.s("i"), 64});
  text.branch_if(text.p("again"), loop);
  const auto ranges = value_ranges(text.block, regions_of(text.block));
  REQUIRE(ranges.count(1) == 1);
  REQUIRE(ranges.at(1).size() == 1);
  CHECK(ranges.at(1).begin()->second == Range{0, 0, 56, 8});
}

TEST_CASE("a loop through one buffer and into another needs no wait between them") {
  std::vector<LoopReport> loops;
  CHECK(assembled("%i = mov 0\n"
                  "%j = mov 0\n"
                  "loop: %x = vld [%i + xr]\n"
                  "%y = vadd.f32 %x, 1.0\n"
                  "vst [%j + yr], %y\n"
                  "%j = add %j, 8\n"
                  "%i = add %i, 8\n"
                  "%p = lt.s32 %i, 64\n"
                  "%q = lt.s32 %j, 64\n"
                  "%p = pand %p, %q\n"
                  "@%p br loop\n",
                  loops) == "");
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].pipelined);
}

TEST_CASE("words are loaded from the rows that they are in") {
  LinearText text;
  text.add(Op::mov, {text.s("i"), 0});
  const auto loop = text.label();
  text.add(Op::vldc, {text.v("x"),
                      LinearOperand(text.s("i").id, OperandValue{virtual_placeholder, 0, 1024})});
  text.add(Op::extract, {text.s("n"), text.v("x"), 0});
  text.add(Op::max_s32, {text.s("low"), text.s("n"), 0});
  text.add(Op::min_s32, {text.s("row"), text.s("low"), 60});
  text.add(Op::vst,
           {LinearOperand(text.s("row").id, OperandValue{virtual_placeholder, 0, 0}), text.v("x")});
  text.add(Op::add, {text.s("i"), text.s("i"), 1});
  text.add(Op::lt_s32, {text.p("again"), text.s("i"), 64});
  text.branch_if(text.p("again"), loop);
  const Parameters& small = *find_preset("small");
  const Result result = schedule_block(text.block, {Level::full, &small});
  REQUIRE(result.ok());
  REQUIRE(result.loops.size() == 1);
  // Stores reach rows 0 to 67, words 0 to 1087: the loads of words 1024 to 1087 wait.
  CHECK(result.loops[0].interval > 8);
  CHECK(validate(text.block, result, small.lanes) == "");

  text.block.operations[4].operation.operands[2].imm = 56;  // rows 0 to 63
  const Result apart = schedule_block(text.block, {Level::full, &small});
  REQUIRE(apart.ok());
  CHECK(apart.loops[0].interval < 8);
  CHECK(validate(text.block, apart, small.lanes) == "");
  CHECK(validate(text.block, apart) != "");
  CHECK(validate(text.block, apart, small.lanes / 2) == "");
  CHECK(validate(text.block, apart, small.lanes * 2) != "");
}

TEST_CASE("a claim that does not hold is not believed") {
  LinearText text;
  text.add(Op::mov, {text.s("i"), 0});
  text.add(Op::mov, {text.s("one"), 1});
  const auto loop = text.label();
  text.add(Op::vld, {text.v("x"), LinearText::at(64)});
  text.add(Op::vadd_f32, {text.v("y"), text.v("x"), text.v("x")});
  text.add(Op::vst,
           {LinearOperand(text.s("i").id, OperandValue{virtual_placeholder, 0, 0}), text.v("y")});
  text.add(Op::add, {text.s("i"), text.s("i"), 8});
  text.add(Op::lt_s32, {text.p("again"), text.s("i"), 64});
  text.branch_if(text.p("again"), loop);
  Result result = schedule_block(text.block, {Level::full, find_preset("small")});
  REQUIRE(result.ok());
  REQUIRE(validate(text.block, result) == "");
  REQUIRE(!result.claims.empty());
  // Now with a bound that lets the stores reach the loads.
  text.block.operations[6].operation.operands[2].imm = 72;
  for (Issue& issue : result.issues) {
    if (issue.source == 6) issue.operation.operands[2].imm = 72;
  }
  CHECK(validate(text.block, result) != "");
}

TEST_CASE("a register that only renaming makes a constant is known to the proof as well") {
  std::vector<LoopReport> loops;
  CHECK(assembled("%a = mov 6\n%b = mov 902\n%v = vlane\n%a = sub %b, -31\nmarker 1\n"
                  "%e = exp2 %v\n%t = shr %a, 6\nvst [%t + 12], %e, stride=1, rows=3\n"
                  "%w = vld [15]\nvst [200], %w\n",
                  loops) == "");
}

}  // namespace tandem::test
