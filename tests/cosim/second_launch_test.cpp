// A machine that ran before starts as if it had not: nothing of how its memory was shared is left.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "cosim/lockstep/runners.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/copying.hpp"
#include "tests/cosim/presets.hpp"
#include "tests/cosim/text_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t hbm_bytes = 0x20000;

// Text after the end that prefetch requests.
const std::string lines = [] {
  std::string text;
  for (int bundle = 0; bundle < 64; ++bundle) text += "        { s1 = mov 1 }\n";
  return text;
}();

// Halts in the middle of a copy of 16 bursts, `idle` cycles after its issue.
std::string halt_while_copying(unsigned idle) {
  std::string text = describe_copy;
  text.replace(text.find("mov 64"), 6, "mov 16384");
  text += "        { copy [s0], s0, s0 }\n";
  text += fmt::format("        {{ idle {} }}\n        {{ halt }}\n", idle);
  return text + lines;
}

// Arguments of eight bursts, which pass the prefetch of the second line as often as they may.
Launch with_arguments(const Image& image) {
  Launch launch = make_launch(image, {}, hbm_bytes, 1);
  launch.argument_pointer = 0x10000;
  launch.argument_words = 2048;
  return launch;
}

std::uint64_t cycles_of(const Launch& launch, const LockstepParts& parts) {
  LockstepOptions options;
  options.detect_uninitialised = false;
  const auto runner = start_lockstep(launch, parts, options);
  const Outcome outcome = runner->advance(1'000'000);
  INFO(runner->explanation() << runner->trap_note());
  REQUIRE(outcome == Outcome::halted);
  return runner->cycles();
}

}  // namespace

TEST_CASE("a second launch takes its time whatever the first one left waiting") {
  if (!needs_rtl("nano")) return;
  const Parameters& nano = *find_preset("nano");
  MachineOptions machine;
  machine.memory.latency = 100;
  machine.memory.outstanding = 1;
  std::uint64_t expected = 0;
  for (unsigned idle = 0; idle < 2000; idle += 100) {
    INFO("halted " << idle << " cycles after the copy");
    const Image first = nano_image("first.s", halt_while_copying(idle));
    const Image second = nano_image("second.s", "        { halt }\n" + lines);
    LockstepParts parts{nullptr, make_rtl_machine(nano, machine),
                        make_timed_machine(nano, machine)};
    parts.power_up(hbm_bytes, 1, true, false);
    cycles_of(make_launch(first, {}, hbm_bytes, 1), parts);
    const std::uint64_t cycles = cycles_of(with_arguments(second), parts);
    if (idle == 0) expected = cycles;
    CHECK(cycles == expected);
  }
}
