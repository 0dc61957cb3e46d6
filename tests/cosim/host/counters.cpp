// Counters have 64 bits. Waiting for 2^32 cycles takes too long: in the machine's saved state the
// registers are set to just below that, and the run continues from there.
#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cosim/verilated/rtl_machine.hpp"
#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/saved_state.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

constexpr std::uint64_t last = std::numeric_limits<std::uint32_t>::max();

// Gives every counter in the register of this name the value `last`.
void set_to_last(std::vector<std::uint8_t>& saved, const std::string& name, std::size_t counters) {
  auto* counter = register_in(saved, name, counters * sizeof last);
  for (std::size_t i = 0; i < counters; ++i, counter += sizeof last) {
    std::memcpy(counter, &last, sizeof last);
  }
}

// Both restored, so that they differ in nothing but the counters.
void go_on(Machine& machine, bool from_last) {
  change_state(machine, [from_last](std::vector<std::uint8_t>& saved) {
    if (!from_last) return;
    set_to_last(saved, "tpu_core__DOT__counters__DOT__cycles_q", 1);
    set_to_last(saved, "tpu_core__DOT__counters__DOT__causes_q", cause_count);
    set_to_last(saved, "tpu_core__DOT__counters__DOT__events_q", event_count);
  });
}

}  // namespace

void counters_carry_into_their_upper_words() {
  const Assembled program(R"(
        { s1 = mov 40 }
loop:   { s1 = sub s1, 1 ; va: v1 = vadd.s32 v1, v2 ; mx: mxmul.bf16 a0, v1.f32 }
        { p1 = ne s1, 0 ; xu: v3 = rcp v2 ; mx: mxpush 0, v3.f32 }
        { idle 2 }
        { sa: @p1 br loop }
        { sb: s2 = csr cycles_hi }
        { sb: s3 = csr bundles_hi }
        halt
)");
  CounterValues before;
  CounterValues after[2];
  for (const bool from_last : {false, true}) {
    const auto machine = make_rtl_machine(*find_preset("nano"), {});
    power_up_and_start(*machine, program.launch);
    for (int cycle = 0; cycle < 150; ++cycle) machine->cycle(nullptr);
    before = machine->counters();
    go_on(*machine, from_last);
    run_to_end(*machine);
    after[from_last ? 1 : 0] = machine->counters();
    for (const std::size_t read : {2, 3}) {
      expect(machine->state().scalars[read], from_last ? 1 : 0, fmt::format("s{} read", read));
    }
  }
  const auto carried = [](std::uint64_t from, std::uint64_t to, std::uint64_t got,
                          const std::string& name) { expect(got, last + to - from, name); };
  carried(before.cycles, after[0].cycles, after[1].cycles, "cycles beyond 32 bits");
  for (std::size_t i = 0; i < cause_count; ++i) {
    carried(before.causes[i], after[0].causes[i], after[1].causes[i],
            fmt::format("cause {} beyond 32 bits", i));
  }
  for (std::size_t i = 0; i < event_count; ++i) {
    carried(before.events[i], after[0].events[i], after[1].events[i],
            fmt::format("event {} beyond 32 bits", i));
  }
}

}  // namespace tandem::host
