// The RTL matrix unit against a model in program order: random sequences with random timing within
// the ready contract, and the cycle counts that rtl/mxu/tpu_mxu.sv promises.
#include <catch2/catch.hpp>

#include "tests/rtl/mxu_driver.hpp"

namespace tandem::bench {
namespace {

// How a random sequence looks; chances in percent.
struct Style {
  const char* name;
  unsigned idle;        // no operation in a cycle
  unsigned push, read;  // share of operations; the rest multiplies
  unsigned transposed;
  unsigned swap;
  unsigned full_height;
  unsigned s8;
  unsigned accumulators;  // how many are in use
  bool corners;           // any fp32 pattern instead of moderate numbers
};

MxuMultiply random_multiply(Random& random, const Style& style) {
  MxuMultiply m{};
  m.s8 = random.chance(style.s8);
  m.part = static_cast<Part>(m.s8 ? 4 + random.below(4) : random.below(3));
  m.rows = random.chance(style.full_height) ? 8 : 1 + random.below(8);
  m.add = random.chance(60);
  m.swap = random.chance(style.swap);
  m.acc = random.below(style.accumulators);
  return m;
}

// Cycles until the operation that `request` asks for is ready, which it then is.
template <typename Request, typename Ready>
unsigned wait(Mxu& mxu, Request request, Ready ready) {
  for (unsigned waited = 0; waited < 200; ++waited) {
    request();
    if (ready()) return waited;
    mxu.cycle();
  }
  FAIL("never ready");
  return 0;
}

unsigned wait_push(Mxu& mxu, unsigned row, bool transposed, Part part = Part::f32) {
  return wait(
      mxu, [&] { mxu.set_push(row, transposed, part); }, [&] { return mxu->push_ready_o == 1; });
}

unsigned wait_multiply(Mxu& mxu, const MxuMultiply& multiply) {
  return wait(
      mxu, [&] { mxu.set_multiply(multiply); }, [&] { return mxu->mul_ready_o == 1; });
}

unsigned wait_read(Mxu& mxu, unsigned acc) {
  return wait(
      mxu, [&] { mxu.set_read(acc); }, [&] { return mxu->read_ready_o == 1; });
}

void random_cycle(Mxu& mxu, const Style& style) {
  Random& random = mxu.random;
  if (random.chance(style.idle)) return mxu.cycle();
  const unsigned kind = random.below(100);
  const Vector x = random_operand(random, style.corners);
  if (kind < style.push) {
    const bool transposed = random.chance(style.transposed);
    const bool bf16 = transposed || random.chance(60);
    const auto part = static_cast<Part>(bf16 ? random.below(3) : 4 + random.below(4));
    wait_push(mxu, random.below(lanes / 8) * 8, transposed, part);
    mxu.start_push(x);
  } else if (kind < style.push + style.read) {
    wait_read(mxu, random.below(style.accumulators));
    mxu.start_read();
  } else {
    const MxuMultiply multiply = random_multiply(random, style);
    wait_multiply(mxu, multiply);
    mxu.start_multiply(x, multiply);
  }
}

constexpr Style styles[] = {
    {"mixed", 10, 40, 10, 30, 30, 50, 30, 64, false},
    {"no idle, swap often", 0, 50, 2, 20, 80, 30, 30, 64, false},
    {"single rows into one accumulator", 5, 20, 1, 30, 20, 0, 20, 1, false},
    {"transposed behind swaps", 5, 60, 5, 90, 60, 30, 0, 4, false},
    {"sparse", 90, 40, 20, 50, 50, 50, 50, 8, false},
    {"special values", 10, 40, 10, 30, 30, 50, 10, 4, true},
};

MxuMultiply full(unsigned acc, bool add, bool swap) {
  return {false, Part::f32, 8, add, swap, acc};
}

}  // namespace

TEST_CASE("One edge of reset leaves the MXU idle, its weights and accumulators as they were") {
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    Mxu mxu(seed);
    CHECK(wait_push(mxu, 0, true) == 0);
    CHECK(wait_multiply(mxu, full(0, false, true)) == 0);
    for (unsigned acc = 0; acc < 64; ++acc) CHECK(wait_read(mxu, acc) == 0);
    for (unsigned i = 0; i < 2 * lanes + 20; ++i) mxu.cycle();
    mxu.finish();
  }
}

TEST_CASE("Random MXU sequences give the results of program order") {
  for (const Style& style : styles) {
    INFO(style.name);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      Mxu mxu(seed);
      for (int i = 0; i < 2000; ++i) random_cycle(mxu, style);
      mxu.finish();
    }
  }
}

TEST_CASE("Random MXU sequences give the results of program order at length", "[.nightly]") {
  for (const Style& style : styles) {
    INFO(style.name);
    for (uint64_t seed = 100; seed <= 400; ++seed) {
      Mxu mxu(seed);
      for (int i = 0; i < 10'000; ++i) random_cycle(mxu, style);
      mxu.finish();
    }
  }
}

TEST_CASE("Full-height multiplies into one accumulator never stall") {
  Mxu mxu(1);
  for (int i = 0; i < 20; ++i) {
    CHECK(wait_multiply(mxu, full(5, true, false)) == (i == 0 ? 0 : 7));
    mxu.start_multiply(random_operand(mxu.random, false), full(5, true, false));
  }
  mxu.finish();
}

TEST_CASE("A multiply takes the left port for as many cycles as it has rows") {
  Mxu mxu(2);
  for (unsigned rows = 1; rows <= 8; ++rows) {
    MxuMultiply multiply = full(rows, false, false);
    multiply.rows = rows;
    wait_multiply(mxu, multiply);
    mxu.start_multiply(random_operand(mxu.random, false), multiply);
    CHECK(wait_multiply(mxu, multiply) == rows - 1);
    CHECK(wait_read(mxu, rows) == lanes + 2);
    mxu.start_read();
  }
  mxu.finish();
}

TEST_CASE("An accumulator with nothing pending is read while others are computed") {
  Mxu mxu(7);
  mxu.start_multiply(random_operand(mxu.random, false), full(3, true, false));
  CHECK(wait_read(mxu, 4) == 0);
  mxu.start_read();
  CHECK(wait_read(mxu, 3) == lanes + 8);
  mxu.start_read();
  mxu.finish();
}

// Swaps in three cycles; the age of the first is 3 now, and pushes fill the buffer that it
// released.
void swap_three_times(Mxu& mxu) {
  for (unsigned i = 0; i < 3; ++i) {
    MxuMultiply multiply = full(0, false, true);
    multiply.rows = 1;
    CHECK(wait_multiply(mxu, multiply) == 0);
    mxu.start_multiply(random_operand(mxu.random, false), multiply);
  }
}

TEST_CASE("A push takes two cycles and follows right after the wavefront of a swap") {
  for (unsigned delay = 0; delay < 12; ++delay) {
    Mxu mxu(3);
    swap_three_times(mxu);
    for (unsigned i = 0; i < delay; ++i) mxu.cycle();
    CHECK(wait_push(mxu, 0, false) == (delay < 4 ? 4 - delay : 0));
    mxu.start_push(random_operand(mxu.random, false));  // age 8 + delay - 4 now, at least 8
    CHECK(wait_push(mxu, 8, false) == (delay < 4 ? 7 : delay < 10 ? 11 - delay : 1));
    mxu.start_push(random_operand(mxu.random, false));
    mxu.finish();
  }
}

TEST_CASE("Pushes do not wait for the two newest swaps") {
  for (const bool transposed : {false, true}) {
    Mxu mxu(8);
    mxu.start_multiply(random_operand(mxu.random, false), full(0, false, true));
    CHECK(wait_push(mxu, lanes - 8, transposed) == 0);
    wait_multiply(mxu, full(0, false, true));
    mxu.start_multiply(random_operand(mxu.random, false), full(0, false, true));
    CHECK(wait_push(mxu, lanes - 8, transposed) == 0);
    mxu.start_push(random_operand(mxu.random, false));
    mxu.finish();
  }
}

TEST_CASE("A transposed push waits for the whole wavefront and holds up no swap") {
  Mxu mxu(4);
  swap_three_times(mxu);
  CHECK(wait_push(mxu, 8, true) == lanes - 3);
  mxu.start_push(random_operand(mxu.random, false));
  CHECK(wait_multiply(mxu, full(1, false, true)) == 0);
  mxu.start_multiply(random_operand(mxu.random, false), full(1, false, true));
  mxu.finish();
}

TEST_CASE("A swap follows a plain push at once") {
  Mxu mxu(5);
  wait_push(mxu, 0, false);
  mxu.start_push(random_operand(mxu.random, false));
  CHECK(wait_multiply(mxu, full(1, false, true)) == 0);
  mxu.start_multiply(random_operand(mxu.random, false), full(1, false, true));
  mxu.finish();
}

TEST_CASE("New weights for every multiply cost nothing") {
  Mxu mxu(6);
  for (int tile = 0; tile < 20; ++tile) {
    for (unsigned row = 0; row < lanes; row += 8) {
      CHECK(wait_push(mxu, row, false) == (row == 0 ? 0 : 1));
      mxu.start_push(random_operand(mxu.random, false));  // cycles 0 and 2
    }
    CHECK(wait_multiply(mxu, full(0, true, true)) == (tile == 0 ? 0 : 4));
    mxu.start_multiply(random_operand(mxu.random, false), full(0, true, true));  // cycle 7
  }
  mxu.finish();
}

}  // namespace tandem::bench
