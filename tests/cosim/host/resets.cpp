// State that a reset or a start has to clear, seen by the first bundles after it.
#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/cosim/host/host_bench.hpp"
#include "tests/cosim/host/scenarios.hpp"

namespace tandem::host {
namespace {

using Descriptor = std::array<std::uint32_t, 16>;

// Of a copy from HBM to VMEM. It comes with the arguments, so that a copy can be the first bundle.
constexpr Descriptor read_runs(std::uint32_t bytes, std::uint32_t runs, std::uint32_t stride) {
  return {1U << 10U, 1, 0x400000, 0, 0, 0, bytes, runs, stride, bytes, 1, 0, 0, 1, 0, 0};
}

void load_with(Pair& pair, const Assembled& program, const Descriptor& descriptor) {
  for (Host* host : {&pair.rtl, &pair.cycle}) {
    for (std::uint32_t word = 0; word < descriptor.size(); ++word) {
      host->memory.contents.write_word(far_arguments + std::uint64_t{4} * word, descriptor[word]);
    }
    host->load(program, descriptor.size());
  }
}

}  // namespace

// State that a reset leaves alone is random: under one of these seeds it does harm, if it can.
// Before the first start there is time for an answer to a request that should not have been made.
void any_reset_gives_the_same_run() {
  const Assembled program(R"(
        { dma: copy [0], s0, s0 }
        .rept   64, i
        { mx: v1 = mxread a\i }
        .endr
        { dma: wait f0, 1 }
        halt
)");
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    Pair pair({}, seed);
    for (int cycle = 0; cycle < 600; ++cycle) pair.write("interrupt_enable", 0);
    load_with(pair, program, read_runs(256, 4, 1024));
    pair.write("control", start);
    pair.run_to_end();
    const std::string when = fmt::format("of the first run behind reset {}", seed);
    expect_status(pair.rtl, halted, when);
    pair.compare(when);
    // A stop in the middle of a copy's check leaves nothing to the next run's first copy.
    for (std::uint32_t cycles = 60; cycles < 120; cycles += 1 + seed % 3) {
      pair.write("control", start);
      pair.advance(cycles);
      if (!pair.rtl.core->active()) break;
      pair.write("control", stop);
      pair.run_to_end();
      pair.write("control", start);
      pair.run_to_end();
      const std::string again = fmt::format("of the run behind a stop in cycle {}", cycles);
      expect_status(pair.rtl, halted, again);
      pair.compare(again);
    }
  }
}

// While the address of a register is at the port and nothing is written, data of an older write is
// there too.
void what_is_read_is_not_written() {
  const Assembled program("spin: br spin\n");
  Host host(make_rtl_core);
  host.load(program);
  host.write("control", start);
  for (const Register& row : registers()) {
    if (row.host != HostAccess::rw) continue;
    const std::uint32_t before = host.core->read_register(row.number);
    host.advance(1);
    expect(host.core->read_register(row.number), before, fmt::format("{}, once read", row.name));
  }
  host.write("control", stop);
  host.run_to_end();
}

// The entry is in the last line of the text, so that nothing is prefetched until a branch goes back
// to the first one, beside a copy that asks for a beat in every cycle.
void a_first_prefetch_waits_its_turn() {
  const Assembled program(R"(
back:   .rept   23, i
        { s1 = add s1, 1 }
        .endr
        halt
        { dma: copy [0], s0, s0 }
        { idle 250 }
        br      back
)");
  MemoryTimingParameters timing;
  timing.latency = 200;  // more than the machine has requests for
  Pair pair(timing);
  load_with(pair, program, read_runs(32, 1000, 64));
  pair.write("entry_pc", 24);
  pair.write("control", start);
  pair.step_to_end(1);
  expect_status(pair.rtl, halted, "of a run that begins in its last line");
}

// How often copies have passed a waiting prefetch when the first run ends is nothing to the second
// one, whose arguments, eight bursts, pass its prefetch as often as they may.
void a_start_forgets_what_was_passed() {
  std::string lines;  // after the end, for prefetch to request
  for (int bundle = 0; bundle < 64; ++bundle) lines += "        { s1 = mov 1 }\n";
  const Assembled second("        halt\n" + lines);
  MemoryTimingParameters timing;
  timing.latency = 100;
  timing.outstanding = 1;
  for (unsigned idle = 0; idle < 2000; idle += 100) {
    const Assembled first(
        fmt::format("        {{ copy [0], s0, s0 }}\n        {{ idle {} }}\n"
                    "        halt\n{}",
                    idle, lines));
    Pair pair(timing);
    load_with(pair, first, read_runs(16384, 1, 0));
    pair.write("control", start);
    pair.run_to_end();
    pair.load(second, 2048);
    pair.write("control", start);
    pair.run_to_end();
    pair.compare(fmt::format("of a run behind one that halted {} cycles after its copy", idle));
  }
}

}  // namespace tandem::host
