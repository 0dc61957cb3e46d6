// The RTL vector ALU against isa/numerics, element by element.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "Vvalu_bench.h"
#include "isa/instructions.hpp"
#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/float32.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {
namespace {

namespace num = numerics;

// Element of the result (for masks: 0 or 1) from two elements and the byte operand.
using Element = std::function<uint32_t(uint32_t x, uint32_t y, unsigned byte)>;

struct Elementwise {
  Op op;
  bool to_mask;
  Element expected;
};

uint32_t word(int32_t value) { return static_cast<uint32_t>(value); }
int32_t number(uint32_t word) { return static_cast<int32_t>(word); }

const std::vector<Elementwise>& elementwise() {
  static const std::vector<Elementwise> list{
      {Op::vadd_f32, false, [](auto x, auto y, auto) { return num::f32_add(x, y); }},
      {Op::vsub_f32, false, [](auto x, auto y, auto) { return num::f32_sub(x, y); }},
      {Op::vmul_f32, false, [](auto x, auto y, auto) { return num::f32_mul(x, y); }},
      {Op::vmulerr_f32, false, [](auto x, auto y, auto) { return num::f32_mul_error(x, y); }},
      {Op::vmin_f32, false, [](auto x, auto y, auto) { return num::f32_min(x, y); }},
      {Op::vmax_f32, false, [](auto x, auto y, auto) { return num::f32_max(x, y); }},
      {Op::veq_f32, true, [](auto x, auto y, auto) { return num::f32_eq(x, y); }},
      {Op::vne_f32, true, [](auto x, auto y, auto) { return num::f32_ne(x, y); }},
      {Op::vlt_f32, true, [](auto x, auto y, auto) { return num::f32_lt(x, y); }},
      {Op::vle_f32, true, [](auto x, auto y, auto) { return num::f32_le(x, y); }},
      {Op::vfloor_f32, false, [](auto x, auto, auto) { return num::f32_floor(x); }},
      {Op::vround_f32, false, [](auto x, auto, auto) { return num::f32_nearest(x); }},
      {Op::vcvt_f32_s32, false, [](auto x, auto, auto) { return num::f32_from_s32(number(x)); }},
      {Op::vcvt_s32_f32, false,
       [](auto x, auto, auto) { return word(num::f32_to_s32_nearest(x)); }},
      {Op::vtrunc_s32_f32, false,
       [](auto x, auto, auto) { return word(num::f32_to_s32_truncated(x)); }},
      {Op::vpack_bf16, false, [](auto x, auto y, auto) { return num::bf16_pack_pair(x, y); }},
      {Op::vpack_s8, false,
       [](auto x, auto y, auto byte) { return num::s8_insert(x, byte, number(y)); }},
      {Op::vext_s32_s8, false,
       [](auto x, auto, auto byte) { return word(num::s8_extract(x, byte)); }},
      {Op::vext_f32_s8, false, [](auto x, auto, auto byte) { return num::f32_from_s8(x, byte); }},
      {Op::vadd_s32, false, [](auto x, auto y, auto) { return x + y; }},
      {Op::vsub_s32, false, [](auto x, auto y, auto) { return x - y; }},
      {Op::vmul_s32, false, [](auto x, auto y, auto) { return x * y; }},
      {Op::vand, false, [](auto x, auto y, auto) { return x & y; }},
      {Op::vor, false, [](auto x, auto y, auto) { return x | y; }},
      {Op::vxor, false, [](auto x, auto y, auto) { return x ^ y; }},
      {Op::vshl, false, [](auto x, auto y, auto) { return y < 32 ? x << y : 0; }},
      {Op::vshr, false, [](auto x, auto y, auto) { return y < 32 ? x >> y : 0; }},
      {Op::vsar, false,
       [](auto x, auto y, auto) { return word(number(x) >> std::min(y, uint32_t{31})); }},
      {Op::vmin_u32, false, [](auto x, auto y, auto) { return std::min(x, y); }},
      {Op::vmax_u32, false, [](auto x, auto y, auto) { return std::max(x, y); }},
      {Op::vlt_u32, true, [](auto x, auto y, auto) { return x < y; }},
      {Op::vle_u32, true, [](auto x, auto y, auto) { return x <= y; }},
      {Op::vrotl, false, [](auto x, auto y, auto) { return std::rotl(x, number(y & 31)); }},
      {Op::vclz, false, [](auto x, auto, auto) { return word(std::countl_zero(x)); }},
      {Op::vpop, false, [](auto x, auto, auto) { return word(std::popcount(x)); }},
      {Op::vmin_s32, false, [](auto x, auto y, auto) { return number(x) < number(y) ? x : y; }},
      {Op::vmax_s32, false, [](auto x, auto y, auto) { return number(x) < number(y) ? y : x; }},
      {Op::veq_s32, true, [](auto x, auto y, auto) { return x == y; }},
      {Op::vne_s32, true, [](auto x, auto y, auto) { return x != y; }},
      {Op::vlt_s32, true, [](auto x, auto y, auto) { return number(x) < number(y); }},
      {Op::vle_s32, true, [](auto x, auto y, auto) { return number(x) <= number(y); }},
      {Op::vmov, false, [](auto, auto y, auto) { return y; }},
  };
  return list;
}

uint32_t source(SourceForm form, uint32_t element, uint32_t scalar) {
  switch (form) {
    case SourceForm::vector: return element;
    case SourceForm::lo: return element << 16;
    case SourceForm::hi: return element & 0xffff'0000;
    case SourceForm::scalar:
    case SourceForm::constant: return scalar;  // the core hands both over in one place
  }
  return 0;
}

class Valu : public Bench<Vvalu_bench> {
 public:
  explicit Valu(uint64_t seed = 1) : Bench(seed) { (*this)->start_i = 0; }

  void start(Op op) {
    auto& m = *this;
    m->op_i = instruction(op).opcode;
    m->start_i = 1;
    clock();
    m->start_i = 0;
    REQUIRE(m->done_o == 1);
  }
  bool mask(unsigned i) { return ((*this)->mask_o[i / 32] >> (i % 32) & 1) != 0; }
};

// Runs one operation on random elements; returns how many elements differ and describes the first.
struct Difference {
  uint64_t count = 0;
  std::string first;
};

void run_elementwise(Valu& valu, Random& random, const Elementwise& test, Difference& difference) {
  Vector x;
  Vector y;
  for (unsigned i = 0; i < elements; ++i) {
    x[i] = corner_f32(random) >> (random.chance(75) ? 0 : random.below(32));
    y[i] = random.chance(75) ? corner_partner(random, x[i]) : random.below(64);
  }
  const auto x_form = static_cast<SourceForm>(random.chance(70) ? 0 : random.below(4));
  const auto y_form = static_cast<SourceForm>(random.chance(70) ? 0 : random.below(4));
  put(valu->x_i, x);
  put(valu->y_i, y);
  valu->x_form_i = static_cast<uint8_t>(x_form);
  valu->y_form_i = static_cast<uint8_t>(y_form);
  valu->x_scalar_i = corner_f32(random);
  valu->y_scalar_i = corner_f32(random);
  valu->byte_i = random.below(4);
  valu.start(test.op);
  for (unsigned i = 0; i < elements; ++i) {
    const uint32_t a = source(x_form, x[i], valu->x_scalar_i);
    const uint32_t b = source(y_form, y[i], valu->y_scalar_i);
    const uint32_t expected = test.expected(a, b, valu->byte_i);
    const uint32_t got = test.to_mask ? valu.mask(i) : valu->result_o[i];
    if (got != expected && difference.count++ == 0) {
      difference.first =
          fmt::format("{} {:08x} {:08x} byte {}: expected {:08x}, got {:08x}",
                      instruction(test.op).mnemonic, a, b, valu->byte_i, expected, got);
    }
  }
}

void run_many(const Elementwise& test, uint64_t vectors, uint64_t seed) {
  Valu valu;
  Random random(seed);
  Difference difference;
  for (uint64_t done = 0; done < vectors; done += elements)
    run_elementwise(valu, random, test, difference);
  INFO(difference.first);
  CHECK(difference.count == 0);
}

const Elementwise& find(Op op) {
  for (const Elementwise& test : elementwise()) {
    if (test.op == op) return test;
  }
  throw std::logic_error("no such elementwise operation");
}

Vector random_vector(Random& random) {
  Vector v;
  for (uint32_t& element : v) element = static_cast<uint32_t>(random.next());
  return v;
}

}  // namespace

TEST_CASE("Every elementwise VALU operation equals the definition on corner values") {
  for (const Elementwise& test : elementwise()) run_many(test, 300'000, 1);
}

TEST_CASE("fp32 add and multiply equal the definition on ten million corner pairs") {
  run_many(find(Op::vadd_f32), 10'000'000, 2);
  run_many(find(Op::vmul_f32), 10'000'000, 3);
}

TEST_CASE("fp32 add and multiply equal the definition on a billion corner pairs", "[.nightly]") {
  run_many(find(Op::vadd_f32), 1'000'000'000, 4);
  run_many(find(Op::vmul_f32), 1'000'000'000, 5);
  run_many(find(Op::vmulerr_f32), 100'000'000, 6);
}

TEST_CASE("VALU conversions equal the definition on all inputs", "[.nightly]") {
  Valu valu;
  for (Op op : {Op::vfloor_f32, Op::vround_f32, Op::vcvt_f32_s32, Op::vcvt_s32_f32,
                Op::vtrunc_s32_f32, Op::vpack_bf16}) {
    const Elementwise& test = find(op);
    uint64_t differences = 0;
    valu->x_form_i = 0;
    valu->y_form_i = 0;
    for (uint64_t base = 0; base < 1ull << 32; base += elements) {
      for (unsigned i = 0; i < elements; ++i) {
        valu->x_i[i] = static_cast<uint32_t>(base + i);
        valu->y_i[i] = ~static_cast<uint32_t>(base + i);
      }
      valu.start(op);
      for (unsigned i = 0; i < elements; ++i)
        differences += valu->result_o[i] != test.expected(valu->x_i[i], valu->y_i[i], 0);
    }
    INFO(instruction(op).mnemonic);
    CHECK(differences == 0);
  }
}

TEST_CASE("VALU masks combine, count, find first and select") {
  Valu valu;
  Random random(6);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t density = random.below(4);
    for (unsigned w = 0; w < elements / 32; ++w) {
      valu->ma_i[w] = static_cast<uint32_t>(random.next() & (density > 0 ? random.next() : 0) &
                                            (density > 1 ? 1u << random.below(32) : ~0u));
      valu->mb_i[w] = static_cast<uint32_t>(random.next());
    }
    put(valu->x_i, random_vector(random));
    put(valu->y_i, random_vector(random));
    valu->x_form_i = valu->y_form_i = 0;
    uint32_t ones = 0;
    uint32_t first = 0xffff'ffff;
    for (unsigned w = 0; w < elements / 32; ++w) {
      const uint32_t a = valu->ma_i[w];
      if (a != 0 && first == 0xffff'ffff) first = w * 32 + std::countr_zero(a);
      ones += std::popcount(a);
    }
    valu.start(Op::mpop);
    REQUIRE(valu->scalar_o == ones);
    valu.start(Op::mffs);
    REQUIRE(valu->scalar_o == first);
    for (unsigned w = 0; w < elements / 32; ++w) {
      const uint32_t a = valu->ma_i[w];
      const uint32_t b = valu->mb_i[w];
      valu.start(Op::mand);
      REQUIRE(valu->mask_o[w] == (a & b));
      valu.start(Op::mor);
      REQUIRE(valu->mask_o[w] == (a | b));
      valu.start(Op::mxor);
      REQUIRE(valu->mask_o[w] == (a ^ b));
    }
    valu.start(Op::vsel);
    for (unsigned i = 0; i < elements; ++i) {
      const bool set = (valu->ma_i[i / 32] >> (i % 32) & 1) != 0;
      REQUIRE(valu->result_o[i] == (set ? valu->x_i[i] : valu->y_i[i]));
    }
  }
}

TEST_CASE("VALU moves sublanes and numbers lanes and sublanes") {
  Valu valu;
  Random random(7);
  const Vector x = random_vector(random);
  put(valu->x_i, x);
  valu->x_form_i = 0;
  valu.start(Op::vlane);
  for (unsigned i = 0; i < elements; ++i) REQUIRE(valu->result_o[i] == i % lanes);
  valu.start(Op::vsublane);
  for (unsigned i = 0; i < elements; ++i) REQUIRE(valu->result_o[i] == i / lanes);
  for (unsigned n = 0; n < 8; ++n) {
    valu->n_i = n;
    valu.start(Op::vrot_sub);
    for (unsigned i = 0; i < elements; ++i)
      REQUIRE(valu->result_o[i] == x[(i / lanes + 8 - n) % 8 * lanes + i % lanes]);
    valu.start(Op::vbcast_sub);
    for (unsigned i = 0; i < elements; ++i) REQUIRE(valu->result_o[i] == x[n * lanes + i % lanes]);
  }
}

TEST_CASE("VALU hands destination and sequence number through and stays silent without a start") {
  Valu valu;
  valu->dest_i = 37;
  valu->seq_i = 0x1234'5678;
  valu.start(Op::vlt_f32);
  CHECK(valu->dest_o == 37);
  CHECK(valu->seq_o == 0x1234'5678);
  CHECK(valu->space_o == 3);  // SPACE_MREG
  valu.clock();
  CHECK(valu->done_o == 0);
  valu.start(Op::mpop);
  CHECK(valu->space_o == 1);  // SPACE_SREG
  valu.start(Op::vmov);
  CHECK(valu->space_o == 4);  // SPACE_VREG
}

}  // namespace tandem::bench
