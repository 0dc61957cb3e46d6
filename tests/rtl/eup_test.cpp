// The RTL transcendental unit against isa/numerics.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>
#include <string>

#include "Veup_bench.h"
#include "isa/instructions.hpp"
#include "isa/numerics/eup.hpp"
#include "tests/rtl/behind_reset.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {
namespace {

using Function = uint32_t (*)(uint32_t);

struct EupFunction {
  Op op;
  Function expected;
};

constexpr EupFunction functions[] = {{Op::exp2, numerics::eup_exp2},
                                     {Op::log2, numerics::eup_log2},
                                     {Op::rcp, numerics::eup_rcp},
                                     {Op::rsqrt, numerics::eup_rsqrt},
                                     {Op::tanh, numerics::eup_tanh}};

// Feeds operations back to back, one every 4 cycles, and compares each in its cycle t + 5.
class Eup : public Bench<Veup_bench> {
 public:
  explicit Eup(uint64_t seed = 1) : Bench(seed) { (*this)->start_i = 0; }

  void run(const EupFunction& function, const Vector& x) {
    auto& m = *this;
    m->op_i = instruction(function.op).opcode;
    put(m->x_i, x);
    m->seq_i = ++seq_;
    m->dest_i = seq_ % 64;
    m->start_i = 1;
    settle();
    REQUIRE(m->ready_o == 1);
    running_.push_back({function, x, seq_, now_ + 5});
    cycle();
    m->start_i = 0;
    for (int i = 0; i < 3; ++i) {
      REQUIRE(m->ready_o == 0);
      cycle();
    }
  }

  void drain() {
    while (!running_.empty()) cycle();
  }

  void cycle() {
    auto& m = *this;
    clock();
    ++now_;
    const bool due = !running_.empty() && running_.front().due == now_;
    REQUIRE((m->done_o == 1) == due);
    if (!due) return;
    const Running& op = running_.front();
    REQUIRE(m->seq_o == op.seq);
    REQUIRE(m->dest_o == op.seq % 64);
    for (unsigned i = 0; i < elements; ++i) compare(op, i, m->result_o[i]);
    running_.pop_front();
  }

  uint64_t differences = 0;
  std::string first;

 private:
  struct Running {
    EupFunction function;
    Vector x;
    uint32_t seq;
    uint64_t due;
  };

  void compare(const Running& op, unsigned i, uint32_t got) {
    const uint32_t expected = op.function.expected(op.x[i]);
    if (got == expected || differences++ != 0) return;
    first = fmt::format("{} {:08x}: expected {:08x}, got {:08x}",
                        instruction(op.function.op).mnemonic, op.x[i], expected, got);
  }

  std::deque<Running> running_;
  uint32_t seq_ = 0;
  uint64_t now_ = 0;
};

// Every `stride`-th of all 2^32 inputs, for one function.
void sweep(const EupFunction& function, uint64_t stride) {
  Eup eup;
  Vector x;
  for (uint64_t base = 0; base < 1ull << 32; base += stride * elements) {
    for (unsigned i = 0; i < elements; ++i) x[i] = static_cast<uint32_t>(base + stride * i);
    eup.run(function, x);
  }
  eup.drain();
  INFO(eup.first);
  CHECK(eup.differences == 0);
}

}  // namespace

TEST_CASE("One edge of reset leaves the EUP ready with nothing to come") {
  require_ready_behind_reset<Eup>();
}

TEST_CASE("Every EUP function equals the definition on corner values") {
  Eup eup;
  Random random(1);
  for (int round = 0; round < 4000; ++round) {
    const EupFunction& function = functions[random.below(5)];
    Vector x;
    for (uint32_t& element : x) element = corner_f32(random);
    eup.run(function, x);
  }
  eup.drain();
  INFO(eup.first);
  CHECK(eup.differences == 0);
}

TEST_CASE("Every EUP function equals the definition on a slice of all inputs") {
  for (const EupFunction& function : functions) sweep(function, 509);  // prime: all low bits vary
}

TEST_CASE("Every EUP function equals the definition on all inputs", "[.nightly]") {
  for (const EupFunction& function : functions) sweep(function, 1);
}

}  // namespace tandem::bench
