// The RTL cross-lane unit against plain loops over isa/numerics.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <vector>

#include "Vxlu_bench.h"
#include "isa/instructions.hpp"
#include "isa/numerics/compare.hpp"
#include "isa/numerics/float32.hpp"
#include "tests/rtl/behind_reset.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {
namespace {

namespace num = numerics;

// A reduction of a row (lanes) or a column (sublanes) to one element.
using Reduce = uint32_t (*)(std::vector<uint32_t> list, bool sublanes);

struct Reduction {
  Op lane_op;
  Op sublane_op;
  Reduce reduce;
};

uint32_t sum_f32(std::vector<uint32_t> list, bool sublanes) {
  if (!sublanes) return num::f32_tree_sum(list);
  uint32_t sum = list[0];
  for (unsigned i = 1; i < list.size(); ++i) sum = num::f32_add(sum, list[i]);
  return sum;
}

template <uint32_t (*combine)(uint32_t, uint32_t)>
uint32_t fold(std::vector<uint32_t> list, bool) {
  // f32_min and f32_max flush and make NaNs canonical, also when there is one element.
  uint32_t result = combine(list[0], list[0]);
  for (uint32_t element : list) result = combine(result, element);
  return result;
}

uint32_t argmax_f32(std::vector<uint32_t> list, bool) {
  return static_cast<uint32_t>(num::f32_index_of_max(list));
}

uint32_t sum_s32(std::vector<uint32_t> list, bool) {
  uint32_t sum = 0;
  for (uint32_t element : list) sum += element;
  return sum;
}

bool less_s32(uint32_t a, uint32_t b) { return static_cast<int32_t>(a) < static_cast<int32_t>(b); }
uint32_t max_s32(std::vector<uint32_t> list, bool) {
  return *std::max_element(list.begin(), list.end(), less_s32);
}
uint32_t min_s32(std::vector<uint32_t> list, bool) {
  return *std::min_element(list.begin(), list.end(), less_s32);
}
uint32_t argmax_s32(std::vector<uint32_t> list, bool) {
  return static_cast<uint32_t>(std::max_element(list.begin(), list.end(), less_s32) - list.begin());
}

constexpr Reduction reductions[] = {{Op::lsum_f32, Op::ssum_f32, sum_f32},
                                    {Op::lmax_f32, Op::smax_f32, fold<num::f32_max>},
                                    {Op::lmin_f32, Op::smin_f32, fold<num::f32_min>},
                                    {Op::largmax_f32, Op::sargmax_f32, argmax_f32},
                                    {Op::lsum_s32, Op::ssum_s32, sum_s32},
                                    {Op::lmax_s32, Op::smax_s32, max_s32},
                                    {Op::lmin_s32, Op::smin_s32, min_s32},
                                    {Op::largmax_s32, Op::sargmax_s32, argmax_s32}};

Vector reduce_lanes(const Vector& x, Reduce reduce) {
  Vector result;
  for (unsigned r = 0; r < 8; ++r) {
    const auto row = x.begin() + r * lanes;
    const uint32_t value = reduce({row, row + lanes}, false);
    std::fill_n(result.begin() + r * lanes, lanes, value);
  }
  return result;
}

Vector reduce_sublanes(const Vector& x, Reduce reduce) {
  Vector result;
  for (unsigned j = 0; j < lanes; ++j) {
    std::vector<uint32_t> column;
    for (unsigned r = 0; r < 8; ++r) column.push_back(x[r * lanes + j]);
    const uint32_t value = reduce(column, true);
    for (unsigned r = 0; r < 8; ++r) result[r * lanes + j] = value;
  }
  return result;
}

class Xlu : public Bench<Vxlu_bench> {
 public:
  explicit Xlu(uint64_t seed = 1) : Bench(seed) { (*this)->start_i = 0; }

  // Starts an operation as soon as the unit is ready, without waiting for its result.
  void start(Op op, const Vector& x, const Vector& index, uint32_t n) {
    auto& m = *this;
    while (m->ready_o == 0) cycle();
    m->op_i = instruction(op).opcode;
    put(m->x_i, x);
    put(m->index_i, index);
    m->n_i = n;
    m->seq_i = ++seq_;
    m->dest_i = seq_ % 64;
    m->start_i = 1;
    started_ = now_;
    due_.push_back(now_ + 5);
    cycle();
    m->start_i = 0;
    put(m->x_i, index);  // operands are captured: later values must not matter
    put(m->index_i, x);
    m->n_i = ~n;
    m->op_i = 0;
  }

  uint64_t started() const { return started_; }

  // Cycles until the oldest operation is done.
  void finish() {
    while (!done_) cycle();
    done_ = false;
  }

  Vector run(Op op, const Vector& x, const Vector& index = {}, uint32_t n = 0) {
    start(op, x, index, n);
    finish();
    REQUIRE((*this)->seq_o == seq_);
    REQUIRE((*this)->dest_o == seq_ % 64);
    REQUIRE((*this)->space_o == (op == Op::extract ? 1 : 4));  // SPACE_SREG, SPACE_VREG
    return get((*this)->result_o);
  }

  void cycle() {
    clock();
    ++now_;
    const bool due = !due_.empty() && due_.front() == now_;
    REQUIRE(((*this)->done_o == 1) == due);
    if (!due) return;
    due_.erase(due_.begin());
    done_ = true;
  }

 private:
  std::vector<uint64_t> due_;
  bool done_ = false;
  uint32_t seq_ = 0;
  uint64_t now_ = 0;
  uint64_t started_ = 0;
};

// Few NaNs, many ties and special values, or anything.
Vector random_values(Random& random) {
  const unsigned kind = random.below(4);
  const uint32_t few = corner_f32(random);
  Vector x;
  for (uint32_t& element : x) {
    element = kind == 0 ? corner_f32(random) : static_cast<uint32_t>(random.next());
    if (kind == 2 && random.chance(70)) element = few;
    if (kind != 0 && num::f32_is_nan(element) && !random.chance(3)) element &= 0xbfff'ffff;
    if (kind == 3 && random.chance(90)) element = random.below(2) << 31 | random.below(2);
  }
  return x;
}

void require_equal(const Vector& got, const Vector& expected, const Vector& x, Op op) {
  for (unsigned i = 0; i < elements; ++i) {
    if (got[i] == expected[i]) continue;
    INFO(fmt::format("{} element {} of {:08x}: expected {:08x}, got {:08x}",
                     instruction(op).mnemonic, i, fmt::join(x, " "), expected[i], got[i]));
    REQUIRE(got[i] == expected[i]);
  }
}

}  // namespace

TEST_CASE("One edge of reset leaves the XLU ready with nothing to come") {
  require_ready_behind_reset<Xlu>();
}

TEST_CASE("XLU reductions over lanes and sublanes equal the definition") {
  Xlu xlu;
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    for (const Reduction& test : reductions) {
      const Vector x = random_values(random);
      require_equal(xlu.run(test.lane_op, x), reduce_lanes(x, test.reduce), x, test.lane_op);
      require_equal(xlu.run(test.sublane_op, x), reduce_sublanes(x, test.reduce), x,
                    test.sublane_op);
    }
  }
}

TEST_CASE("XLU rotates broadcasts and permutes lanes") {
  Xlu xlu;
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const Vector x = random_values(random);
    const Vector index = random_values(random);
    const uint32_t n = random.chance(50) ? random.below(2 * lanes) : random.next();
    Vector rotated;
    Vector broadcast;
    Vector permuted;
    for (unsigned i = 0; i < elements; ++i) {
      const unsigned row = i / lanes * lanes;
      rotated[i] = x[row + (i % lanes - n) % lanes];
      broadcast[i] = x[row + n % lanes];
      permuted[i] = x[row + index[i] % lanes];
    }
    require_equal(xlu.run(Op::lrot, x, index, n), rotated, x, Op::lrot);
    require_equal(xlu.run(Op::lbcast, x, index, n), broadcast, x, Op::lbcast);
    require_equal(xlu.run(Op::lperm, x, index, n), permuted, x, Op::lperm);
  }
}

TEST_CASE("XLU transposes blocks and extracts elements") {
  Xlu xlu;
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const Vector x = random_values(random);
    Vector turned;
    for (unsigned b = 0; b < lanes / 8; ++b)
      for (unsigned r = 0; r < 8; ++r)
        for (unsigned c = 0; c < 8; ++c) turned[r * lanes + 8 * b + c] = x[c * lanes + 8 * b + r];
    require_equal(xlu.run(Op::transpose, x), turned, x, Op::transpose);
    const uint32_t n = round % 2 == 0 ? random.below(elements) : random.next();
    xlu.run(Op::extract, x, {}, n);
    REQUIRE(xlu->scalar_o == x[n % elements]);
  }
}

TEST_CASE("XLU takes the next operation while the last rows of the one before are in work") {
  Xlu xlu;
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const Vector first = random_values(random);
    const Vector second = random_values(random);
    xlu.start(Op::ssum_s32, first, second, 0);
    const uint64_t started = xlu.started();
    xlu.start(Op::lsum_s32, second, first, 0);
    REQUIRE(xlu.started() == started + 4);
    xlu.finish();
    require_equal(get(xlu->result_o), reduce_sublanes(first, sum_s32), first, Op::ssum_s32);
    xlu.finish();
    require_equal(get(xlu->result_o), reduce_lanes(second, sum_s32), second, Op::lsum_s32);
  }
}

}  // namespace tandem::bench
