// Vector ALU, EUP and XLU, element by element against the integer definition or plain C++.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "golden_support.hpp"
#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/eup.hpp"
#include "isa/numerics/float32.hpp"

using namespace tandem;
using namespace tandem::test;
using Words = std::vector<std::uint32_t>;

namespace {

const char* const preset_names[] = {"nano", "small", "edge", "full"};

// Numbers with every kind of special value among them.
Words test_words(std::uint32_t count, std::uint32_t seed) {
  static constexpr std::uint32_t specials[] = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x00000001,
      0x807fffff, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x00800000, 0x4b000001, 0xcf000000,
      0x4effffff, 0x3f000000, 0x40200000, 0xc0600000, 0x41700000, 0xc2fe0000};
  Words words(count);
  std::uint32_t x = seed * 2654435761U + 12345;
  for (std::uint32_t& word : words) {
    x ^= x << 13U;
    x ^= x >> 17U;
    x ^= x << 5U;
    const bool special = x % 5 == 0;
    const bool moderate = x % 5 < 3;
    word = moderate ? (x & 0x807fffffU) | (0x3c000000U + (x >> 9U & 0x07800000U)) : x;
    if (special) word = specials[x / 5 % std::size(specials)];
  }
  return words;
}

struct Machine {
  explicit Machine(const char* preset) : program(preset) {
    n = program.parameters().vector_words();
    lanes = program.parameters().lanes;
    x = test_words(n, 1);
    y = test_words(n, 2);
    program.vmem(0, x);
    program.vmem(8, y);
    program.bundle({op::vld(v(1), Vmem(0))});
    program.bundle({op::vld(v(2), Vmem(8))});
    program.bundle({op::mov(s(9), 1).in(Slot::sa)});
    // m1: x < y as integers
    program.bundle({op::vlt_s32(m(1), v(1), v(2)).in(Slot::va)});
  }

  [[nodiscard]] bool mask(std::uint32_t i) const {
    return static_cast<std::int32_t>(x[i]) < static_cast<std::int32_t>(y[i]);
  }

  Program program;
  std::uint32_t n = 0;
  std::uint32_t lanes = 0;
  Words x, y;
};

Words vector_of(const GoldenModel& model, std::uint32_t number) {
  const auto span = model.state().vector(number);
  return {span.begin(), span.end()};
}

using Element = std::function<std::uint32_t(const Machine&, std::uint32_t i)>;

// v3 = the operation, which also runs in place as v1 or v2.
void check_vector(Slot slot, Op which, std::initializer_list<OperandValue> sources,
                  const Element& expected) {
  for (const char* preset : preset_names) {
    INFO(preset << " " << instruction(which).mnemonic);
    Machine machine(preset);
    std::vector<OperandValue> operands{reg(3)};
    operands.insert(operands.end(), sources.begin(), sources.end());
    const auto with_destination = [&](std::int32_t number) {
      Placed operation = test::operation(slot, which);
      operands[0] = reg(number);
      std::copy(operands.begin(), operands.end(), operation.operation.operands.begin());
      return operation;
    };
    machine.program.bundle({with_destination(3)});
    machine.program.bundle({with_destination(1)});
    machine.program.halt();
    const GoldenModel model = machine.program.run();
    REQUIRE(model.status() == RunStatus::halted);
    Words words(machine.n);
    for (std::uint32_t i = 0; i < machine.n; ++i) words[i] = expected(machine, i);
    CHECK(vector_of(model, 3) == words);
    CHECK(vector_of(model, 1) == words);
    const RetireRecord& record = machine.program.records[machine.program.records.size() - 3];
    REQUIRE(record.writes.size() == 1);
    CHECK(record.writes[0].space == Space::vreg);
    CHECK(record.data == words);
  }
}

void check_binary(Op which, std::uint32_t (*function)(std::uint32_t, std::uint32_t)) {
  check_vector(Slot::va, which, {reg(1), reg(2)},
               [function](const Machine& m, std::uint32_t i) { return function(m.x[i], m.y[i]); });
}

void check_unary(Slot slot, Op which, std::uint32_t (*function)(std::uint32_t)) {
  check_vector(slot, which, {reg(1)},
               [function](const Machine& m, std::uint32_t i) { return function(m.x[i]); });
}

void check_compare(Op which, bool (*function)(std::uint32_t, std::uint32_t)) {
  for (const char* preset : preset_names) {
    INFO(preset << " " << instruction(which).mnemonic);
    Machine machine(preset);
    machine.program.bundle({operation(Slot::vb, which, {reg(2), reg(1), reg(2)})});
    machine.program.bundle({op::mpop(s(1), m(2)).in(Slot::va), op::mffs(s(2), !m(2)).in(Slot::vb)});
    machine.program.halt();
    const GoldenModel model = machine.program.run();
    std::uint32_t ones = 0;
    std::uint32_t first_zero = ~0U;
    for (std::uint32_t i = 0; i < machine.n; ++i) {
      const bool expected = function(machine.x[i], machine.y[i]);
      const bool got = (model.state().mask(2)[i / 32] >> (i % 32) & 1U) != 0;
      CHECK(got == expected);
      ones += expected ? 1 : 0;
      if (!expected && first_zero == ~0U) first_zero = i;
    }
    CHECK(model.state().scalars[1] == ones);
    CHECK(model.state().scalars[2] == first_zero);
  }
}

std::int32_t as_signed(std::uint32_t x) { return static_cast<std::int32_t>(x); }
std::uint32_t as_bits(std::int32_t x) { return static_cast<std::uint32_t>(x); }

// Row r of x.
std::vector<std::uint32_t> row(const Words& x, std::uint32_t r, std::uint32_t lanes) {
  return {x.begin() + r * lanes, x.begin() + (r + 1) * lanes};
}
std::vector<std::uint32_t> column(const Words& x, std::uint32_t j, std::uint32_t lanes) {
  Words words;
  for (std::uint32_t r = 0; r < sublanes; ++r) words.push_back(x[r * lanes + j]);
  return words;
}

using Reduction = std::uint32_t (*)(const Words&);

void check_reduction(Op by_lanes, Op by_sublanes, Reduction lanes, Reduction over_sublanes) {
  check_vector(Slot::xu, by_lanes, {reg(1)}, [lanes](const Machine& m, std::uint32_t i) {
    return lanes(row(m.x, i / m.lanes, m.lanes));
  });
  check_vector(Slot::xu, by_sublanes, {reg(1)}, [over_sublanes](const Machine& m, std::uint32_t i) {
    return over_sublanes(column(m.x, i % m.lanes, m.lanes));
  });
}

template <typename Function>
std::uint32_t fold(const Words& values, Function function) {
  std::uint32_t result = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) result = function(result, values[i]);
  return result;
}

std::uint32_t tree_sum(const Words& all) {
  Words values = all;
  while (values.size() > 1) {
    Words half;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      half.push_back(numerics::f32_add(values[i], values[i + 1]));
    }
    values = half;
  }
  return values[0];
}

std::uint32_t first_maximum_s32(const Words& values) {
  const auto best = std::max_element(values.begin(), values.end(),
                                     [](auto a, auto b) { return as_signed(a) < as_signed(b); });
  return static_cast<std::uint32_t>(best - values.begin());
}

std::uint32_t first_maximum_f32(const Words& values) {
  const auto nan = std::find_if(values.begin(), values.end(), numerics::f32_is_nan);
  if (nan != values.end()) return static_cast<std::uint32_t>(nan - values.begin());
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < values.size(); ++i) {
    const bool above =
        numerics::f32_max(values[i], values[best]) != numerics::f32_flush_input(values[best]);
    if (above) best = i;
  }
  return best;
}

}  // namespace

TEST_CASE("fp32 vector arithmetic follows the integer definition") {
  check_binary(Op::vadd_f32, numerics::f32_add);
  check_binary(Op::vsub_f32, numerics::f32_sub);
  check_binary(Op::vmul_f32, numerics::f32_mul);
  check_binary(Op::vmin_f32, numerics::f32_min);
  check_binary(Op::vmax_f32, numerics::f32_max);
  check_binary(Op::vpack_bf16, numerics::bf16_pack_pair);
  check_unary(Slot::vb, Op::vfloor_f32, numerics::f32_floor);
  check_unary(Slot::vb, Op::vround_f32, numerics::f32_nearest);
  check_unary(Slot::va, Op::vcvt_f32_s32,
              [](std::uint32_t x) { return numerics::f32_from_s32(as_signed(x)); });
  check_unary(Slot::va, Op::vcvt_s32_f32,
              [](std::uint32_t x) { return as_bits(numerics::f32_to_s32_nearest(x)); });
  check_unary(Slot::va, Op::vtrunc_s32_f32,
              [](std::uint32_t x) { return as_bits(numerics::f32_to_s32_truncated(x)); });
}

TEST_CASE("vector compares fill masks that can be counted") {
  check_compare(Op::veq_f32, numerics::f32_eq);
  check_compare(Op::vne_f32, numerics::f32_ne);
  check_compare(Op::vlt_f32, numerics::f32_lt);
  check_compare(Op::vle_f32, numerics::f32_le);
  check_compare(Op::veq_s32, [](std::uint32_t x, std::uint32_t y) { return x == y; });
  check_compare(Op::vne_s32, [](std::uint32_t x, std::uint32_t y) { return x != y; });
  check_compare(Op::vlt_s32,
                [](std::uint32_t x, std::uint32_t y) { return as_signed(x) < as_signed(y); });
  check_compare(Op::vle_s32,
                [](std::uint32_t x, std::uint32_t y) { return as_signed(x) <= as_signed(y); });
  check_compare(Op::vlt_u32, [](std::uint32_t x, std::uint32_t y) { return x < y; });
  check_compare(Op::vle_u32, [](std::uint32_t x, std::uint32_t y) { return x <= y; });
}

TEST_CASE("Leading zeros and ones are counted in each element") {
  check_vector(Slot::va, Op::vclz, {reg(1)}, [](const Machine& m, std::uint32_t i) {
    std::uint32_t zeros = 0;
    while (zeros < 32 && (m.x[i] << zeros & 0x8000'0000U) == 0) ++zeros;
    return zeros;
  });
  check_vector(Slot::vb, Op::vpop, {reg(1)}, [](const Machine& m, std::uint32_t i) {
    std::uint32_t ones = 0;
    for (std::uint32_t bit = 0; bit < 32; ++bit) ones += m.x[i] >> bit & 1U;
    return ones;
  });
}

TEST_CASE("Vector integers wrap, shift out and rotate") {
  check_binary(Op::vadd_s32, [](std::uint32_t x, std::uint32_t y) { return x + y; });
  check_binary(Op::vsub_s32, [](std::uint32_t x, std::uint32_t y) { return x - y; });
  check_binary(Op::vmul_s32, [](std::uint32_t x, std::uint32_t y) { return x * y; });
  check_binary(Op::vand, [](std::uint32_t x, std::uint32_t y) { return x & y; });
  check_binary(Op::vor, [](std::uint32_t x, std::uint32_t y) { return x | y; });
  check_binary(Op::vxor, [](std::uint32_t x, std::uint32_t y) { return x ^ y; });
  // Shifts in 64 bits, which know all of 0 to 63.
  check_binary(Op::vshl, [](std::uint32_t x, std::uint32_t y) {
    return y > 63 ? 0 : static_cast<std::uint32_t>(std::uint64_t{x} << y);
  });
  check_binary(Op::vshr, [](std::uint32_t x, std::uint32_t y) {
    return y > 63 ? 0 : static_cast<std::uint32_t>(std::uint64_t{x} >> y);
  });
  check_binary(Op::vsar, [](std::uint32_t x, std::uint32_t y) {
    return as_bits(static_cast<std::int32_t>(std::int64_t{as_signed(x)} >> std::min(y, 63U)));
  });
  check_binary(Op::vrotl, [](std::uint32_t x, std::uint32_t y) {
    const std::uint64_t twice = std::uint64_t{x} << 32U | x;
    return static_cast<std::uint32_t>(twice << y % 32 >> 32U);
  });
  check_binary(Op::vmin_u32, [](std::uint32_t x, std::uint32_t y) { return x < y ? x : y; });
  check_binary(Op::vmax_u32, [](std::uint32_t x, std::uint32_t y) { return x < y ? y : x; });
  check_binary(Op::vmin_s32, [](std::uint32_t x, std::uint32_t y) {
    return as_signed(x) < as_signed(y) ? x : y;
  });
  check_binary(Op::vmax_s32, [](std::uint32_t x, std::uint32_t y) {
    return as_signed(x) < as_signed(y) ? y : x;
  });
}

TEST_CASE("s8 packing saturates into one byte and extraction extends its sign") {
  check_vector(Slot::va, Op::vpack_s8, {reg(1), reg(2), plain(2)},
               [](const Machine& m, std::uint32_t i) {
                 const std::int32_t value = std::clamp(as_signed(m.y[i]), -128, 127);
                 return (m.x[i] & 0xff00ffffU) | (as_bits(value) & 0xffU) << 16U;
               });
  check_vector(Slot::va, Op::vext_s32_s8, {reg(1), plain(3)},
               [](const Machine& m, std::uint32_t i) { return as_bits(as_signed(m.x[i]) >> 24); });
  check_vector(
      Slot::va, Op::vext_f32_s8, {reg(1), plain(0)}, [](const Machine& m, std::uint32_t i) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int8_t>(m.x[i])));
      });
}

TEST_CASE("sources may be halves read as bf16 or a scalar in every element") {
  check_vector(Slot::va, Op::vadd_f32, {form(1, SourceForm::lo), form(2, SourceForm::hi)},
               [](const Machine& m, std::uint32_t i) {
                 return numerics::f32_add(m.x[i] << 16U, m.y[i] & 0xffff0000U);
               });
  check_vector(Slot::va, Op::vadd_s32, {reg(1), form(9, SourceForm::scalar)},
               [](const Machine& m, std::uint32_t i) { return m.x[i] + 1; });
  check_vector(Slot::va, Op::vmov, {form(1, SourceForm::hi)},
               [](const Machine& m, std::uint32_t i) { return m.x[i] & 0xffff0000U; });
  check_vector(Slot::va, Op::vmov, {reg(1)},
               [](const Machine& m, std::uint32_t i) { return m.x[i]; });
}

TEST_CASE("vsel takes x where the mask is set and y elsewhere") {
  check_vector(Slot::va, Op::vsel, {reg(1), reg(1), reg(2)},
               [](const Machine& m, std::uint32_t i) { return m.mask(i) ? m.x[i] : m.y[i]; });
  check_vector(
      Slot::vb, Op::vsel, {negated(1), reg(1), form(2, SourceForm::lo)},
      [](const Machine& m, std::uint32_t i) { return m.mask(i) ? m.y[i] << 16U : m.x[i]; });
}

TEST_CASE("lane and sublane numbers and moves over sublanes") {
  check_vector(Slot::va, Op::vlane, {},
               [](const Machine& m, std::uint32_t i) { return i % m.lanes; });
  check_vector(Slot::va, Op::vsublane, {},
               [](const Machine& m, std::uint32_t i) { return i / m.lanes; });
  check_vector(Slot::va, Op::vrot_sub, {reg(2), number(11)}, [](const Machine& m, std::uint32_t i) {
    return m.y[(i / m.lanes + 5) % 8 * m.lanes + i % m.lanes];
  });
  check_vector(Slot::va, Op::vbcast_sub, {reg(2), number(14)},
               [](const Machine& m, std::uint32_t i) { return m.y[6 * m.lanes + i % m.lanes]; });
}

TEST_CASE("the EUP functions follow their integer definition") {
  check_unary(Slot::xu, Op::exp2, numerics::eup_exp2);
  check_unary(Slot::xu, Op::log2, numerics::eup_log2);
  check_unary(Slot::xu, Op::rcp, numerics::eup_rcp);
  check_unary(Slot::xu, Op::rsqrt, numerics::eup_rsqrt);
  check_unary(Slot::xu, Op::tanh, numerics::eup_tanh);
}

TEST_CASE("reductions put their result in every lane or sublane") {
  check_reduction(Op::lsum_f32, Op::ssum_f32, tree_sum,
                  [](const Words& v) { return fold(v, numerics::f32_add); });
  const auto maximum = [](const Words& v) { return fold(v, numerics::f32_max); };
  const auto minimum = [](const Words& v) { return fold(v, numerics::f32_min); };
  check_reduction(Op::lmax_f32, Op::smax_f32, maximum, maximum);
  check_reduction(Op::lmin_f32, Op::smin_f32, minimum, minimum);
  check_reduction(Op::largmax_f32, Op::sargmax_f32, first_maximum_f32, first_maximum_f32);
  const auto sum = [](const Words& v) { return fold(v, std::plus<std::uint32_t>{}); };
  check_reduction(Op::lsum_s32, Op::ssum_s32, sum, sum);
  const auto most = [](const Words& v) { return v[first_maximum_s32(v)]; };
  const auto least = [](const Words& v) {
    return fold(
        v, [](std::uint32_t a, std::uint32_t b) { return as_signed(a) < as_signed(b) ? a : b; });
  };
  check_reduction(Op::lmax_s32, Op::smax_s32, most, most);
  check_reduction(Op::lmin_s32, Op::smin_s32, least, least);
  check_reduction(Op::largmax_s32, Op::sargmax_s32, first_maximum_s32, first_maximum_s32);
}

TEST_CASE("lanes rotate, broadcast, permute and transpose in blocks of eight") {
  check_vector(Slot::xu, Op::lrot, {reg(1), number(3)}, [](const Machine& m, std::uint32_t i) {
    return m.x[i / m.lanes * m.lanes + (i % m.lanes + m.lanes - 3) % m.lanes];
  });
  check_vector(Slot::xu, Op::lbcast, {reg(1), number(127)}, [](const Machine& m, std::uint32_t i) {
    return m.x[i / m.lanes * m.lanes + m.lanes - 1];
  });
  check_vector(Slot::xu, Op::lperm, {reg(1), reg(2)}, [](const Machine& m, std::uint32_t i) {
    return m.x[i / m.lanes * m.lanes + m.y[i] % m.lanes];
  });
  check_vector(Slot::xu, Op::transpose, {reg(1)}, [](const Machine& m, std::uint32_t i) {
    const std::uint32_t r = i / m.lanes;
    const std::uint32_t j = i % m.lanes;
    return m.x[j % 8 * m.lanes + j / 8 * 8 + r];
  });
}

TEST_CASE("extract takes one element counted across the whole register") {
  Machine machine("small");
  machine.program.bundle({op::mov(s(5), 3 * 16 + 7 + 128).in(Slot::sa)});
  machine.program.bundle({op::extract(s(6), v(1), s(5))});
  machine.program.halt();
  CHECK(machine.program.run().state().scalars[6] == machine.x[3 * 16 + 7]);
}

TEST_CASE("vector registers swap within a bundle and masks are read before they change") {
  Machine machine("small");
  machine.program.bundle({op::vmov(v(1), v(2)).in(Slot::va), op::vmov(v(2), v(1)).in(Slot::vb)});
  machine.program.bundle(
      {op::mxor(m(1), m(1), m(0)).in(Slot::va), op::mpop(s(7), m(1)).in(Slot::vb)});
  machine.program.halt();
  const GoldenModel model = machine.program.run();
  CHECK(vector_of(model, 1) == machine.y);
  CHECK(vector_of(model, 2) == machine.x);
  std::uint32_t ones = 0;
  for (std::uint32_t i = 0; i < machine.n; ++i) ones += machine.mask(i) ? 1 : 0;
  CHECK(model.state().scalars[7] == ones);
}
