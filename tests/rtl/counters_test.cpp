// The performance counters of the RTL against sums kept here, read as the cycle model reads its
// own.
#include <catch2/catch.hpp>

#include "Vcounters_bench.h"
#include "sim/counters/counter_registers.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {
namespace {

constexpr std::uint32_t registers = 1024;  // numbers that the ports can ask for

class Counters : public Bench<Vcounters_bench> {
 public:
  Counters() {
    auto& m = *this;
    m->clear_i = 0;
    m->running_i = 1;
    set_events(0);
  }

  void set_events(std::uint32_t value) {
    for (std::size_t event = 0; event < event_count; ++event) set_event(event, value);
  }
  void set_event(std::size_t event, std::uint32_t value) {
    auto& m = *this;
    const unsigned shift = event % 2 * 16;
    auto& word = m->events_i[event / 2];
    word = (word & ~(0xffffU << shift)) | value << shift;
    added_[event] = value;
  }
  void set_cause(std::uint32_t cause) {
    auto& m = *this;
    m->cause_i = static_cast<std::uint8_t>(cause);
  }
  void run(std::uint64_t cycles) {
    auto& m = *this;
    for (std::uint64_t i = 0; i < cycles; ++i) clock();
    sums.cycles += cycles;
    sums.causes.at(m->cause_i) += cycles;
    for (std::size_t event = 0; event < event_count; ++event) {
      sums.events[event] += cycles * added_[event];
    }
  }

  // Numbers of registers whose values differ from the sums, on either port.
  std::uint32_t differences() {
    auto& m = *this;
    std::uint32_t count = 0;
    for (std::uint32_t number = 0; number < registers; ++number) {
      m->a_number_i = static_cast<std::uint16_t>(number);
      m->b_number_i = static_cast<std::uint16_t>(registers - 1 - number);
      settle();
      const auto expected = [&](std::uint32_t n) { return counter_register(sums, n).value_or(0); };
      if (m->a_value_o != expected(number)) ++count;
      if (m->b_value_o != expected(registers - 1 - number)) ++count;
    }
    return count;
  }

  CounterValues sums;

 private:
  std::array<std::uint32_t, event_count> added_{};
};

}  // namespace

TEST_CASE("every counter register reads its sum on both ports, every other one zero") {
  Counters counters;
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    counters.set_cause(random.below(cause_count));
    counters.set_event(random.below(event_count), random.below(0x1'0000));
    counters.run(1 + random.below(20));
    if (i % 50 == 0) CHECK(counters.differences() == 0);
  }
  CHECK(counters.differences() == 0);
}

TEST_CASE("the counters stand still while the machine does and begin at zero after a start") {
  Counters counters;
  counters.set_events(7);
  counters.run(100);
  counters->running_i = 0;
  for (int i = 0; i < 10; ++i) counters.clock();
  CHECK(counters.differences() == 0);
  counters->running_i = 1;
  counters->clear_i = 1;
  counters.clock();
  counters->clear_i = 0;
  counters.sums = {};
  CHECK(counters.differences() == 0);
  counters.run(3);
  CHECK(counters.differences() == 0);
}

TEST_CASE("counters of events carry into their high words") {
  Counters counters;
  for (std::size_t event = 0; event < event_count; ++event) {
    counters.set_event(event, 0xffff - static_cast<std::uint32_t>(event));
  }
  counters.run(65'530);
  CHECK(counters.differences() == 0);
  for (int i = 0; i < 40; ++i) counters.run(1);
  CHECK(counters.sums.events[0] > std::uint64_t{1} << 32U);
  CHECK(counters.differences() == 0);
}

// Some three minutes.
TEST_CASE("cycles, causes and bundles carry into their high words", "[.nightly]") {
  constexpr std::uint64_t turn = std::uint64_t{1} << 32U;
  Counters counters;
  counters.set_cause(static_cast<std::uint32_t>(StallCause::issued));
  counters.run(turn - 3);
  for (int i = 0; i < 6; ++i) {
    CHECK(counters.differences() == 0);
    counters.run(1);
  }
  CHECK(counters.sums.cause(StallCause::issued) > turn);
}

}  // namespace tandem::bench
