// The cycle-exact model against the RTL: the same stream of timing events, to the last one.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "assembler/assembler.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/session/random_session.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "runtime/models/runner.hpp"
#include "sim/events/timing_recording.hpp"
#include "tests/cosim/presets.hpp"
#include "tests/cosim/text_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

struct Timed {
  TimingRecording events;
  CounterValues counters;
  Outcome outcome = Outcome::running;
};

Timed run(std::string_view model, const Launch& launch, RunnerOptions options) {
  Timed timed;
  options.timing = &timed.events;
  const auto runner = make_runner(model, launch, options);
  timed.outcome = runner->advance(10'000'000);
  timed.counters = *runner->counters();
  return timed;
}

std::string text(const IssueTiming& event) {
  return fmt::format("cycle {}: bundle {} at pc {}, next {}, slots {:x}{}, trap {} {} {}",
                     event.cycle, event.sequence, event.pc, event.next_pc, event.enabled,
                     event.halted ? ", halt" : "", static_cast<int>(event.trap.cause),
                     static_cast<int>(event.trap.slot), event.trap.detail);
}
std::string text(const LostCycles& event) {
  return fmt::format("cycle {}: {} lost to {}", event.first, event.count,
                     stall_causes()[static_cast<std::size_t>(event.cause)].name);
}
std::string text(const CopyStart& event) {
  return fmt::format("cycle {}: copy of bundle {}, {:x} -> {:x}", event.cycle, event.sequence,
                     event.copy.source, event.copy.destination);
}
std::string text(const CopyDone& event) {
  return fmt::format("cycle {}: copy of bundle {} done", event.cycle, event.sequence);
}
std::string text(const MemoryBeats& event) {
  return fmt::format("cycle {}: {} beats of path {}", event.first, event.count,
                     static_cast<int>(event.path));
}
std::string text(const MarkerTiming& event) {
  std::string line = fmt::format("cycle {}: marker {} of bundle {} at pc {}, counters", event.cycle,
                                 event.code, event.sequence, event.pc);
  for (const std::uint64_t value : event.counters.causes) line += fmt::format(" {}", value);
  for (const std::uint64_t value : event.counters.events) line += fmt::format(" {}", value);
  return line;
}

// The first event that differs, in words, or "".
template <typename Event>
std::string difference(const std::vector<Event>& rtl, const std::vector<Event>& cycle) {
  for (std::size_t i = 0; i < std::max(rtl.size(), cycle.size()); ++i) {
    const std::string expected = i < rtl.size() ? text(rtl[i]) : "nothing";
    const std::string got = i < cycle.size() ? text(cycle[i]) : "nothing";
    if (expected != got) return fmt::format("RTL {}\nmodel {}\n", expected, got);
  }
  return {};
}

std::vector<MemoryBeats> of_path(std::vector<MemoryBeats> beats, MemoryPath path) {
  beats.erase(std::remove_if(beats.begin(), beats.end(),
                             [path](const MemoryBeats& run) { return run.path != path; }),
              beats.end());
  return beats;
}

std::string difference(const Timed& rtl, const Timed& cycle) {
  std::string all = difference(rtl.events.issues, cycle.events.issues) +
                    difference(rtl.events.losses, cycle.events.losses) +
                    difference(rtl.events.copy_starts, cycle.events.copy_starts) +
                    difference(rtl.events.copy_dones, cycle.events.copy_dones) +
                    difference(rtl.events.markers, cycle.events.markers);
  for (const auto path : {MemoryPath::fetch, MemoryPath::copy_read, MemoryPath::copy_write}) {
    all += difference(of_path(rtl.events.beat_runs, path), of_path(cycle.events.beat_runs, path));
  }
  if (rtl.outcome != cycle.outcome) all += "outcomes differ\n";
  if (rtl.counters != cycle.counters) all += "counters differ\n";
  if (rtl.events.cycles != cycle.events.cycles) all += "lengths differ\n";
  return all;
}

RunnerOptions timing_of_seed(std::uint32_t seed) {
  RunnerOptions options;
  options.detect_uninitialised = false;
  options.machine.memory.jitter = seed % 9 * 10;
  options.machine.memory.latency = 5 + seed % 5 * 20;
  options.machine.memory.seed = seed;
  return options;
}

RandomKnobs timed_knobs(std::uint32_t seed) {
  RandomKnobs knobs = random_knobs(seed);
  knobs.volatile_csrs = seed % 2 != 0;
  return knobs;
}

std::string difference(const CounterValues& rtl, const CounterValues& cycle) {
  std::string text;
  const auto compare = [&text](std::string_view name, std::uint64_t expected, std::uint64_t got) {
    if (expected != got) text += fmt::format("{}: RTL {}, model {}\n", name, expected, got);
  };
  compare("cycles", rtl.cycles, cycle.cycles);
  for (std::size_t i = 0; i < cause_count; ++i) {
    compare(stall_causes()[i].name, rtl.causes[i], cycle.causes[i]);
  }
  for (std::size_t i = 0; i < event_count; ++i) {
    compare(counted_events()[i].name, rtl.events[i], cycle.events[i]);
  }
  return text;
}

void check_random(std::uint32_t first, std::uint32_t count) {
  for (const std::string_view name : rtl_presets()) {
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
      const Image image = random_program(*find_preset(name), seed, timed_knobs(seed));
      const Launch launch = random_launch(image, seed, timed_knobs(seed));
      INFO("seed " << seed << " on " << name);
      const Timed rtl = run("rtl", launch, timing_of_seed(seed));
      REQUIRE(rtl.outcome != Outcome::running);
      CHECK(difference(rtl, run("cycle", launch, timing_of_seed(seed))) == "");
    }
  }
}

}  // namespace

TEST_CASE("the cycle-exact model gives the RTL's timing on random programs") {
  check_random(1, 40);
}

TEST_CASE("five thousand random programs have the RTL's timing", "[.nightly]") {
  check_random(1000, 5000);
}

// The promise of run_until(): the account can stop anywhere, in a stall, a fill or the drain.
TEST_CASE("the cycle-exact model's counters are the RTL's at any cycle") {
  if (!needs_rtl("nano")) return;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Image image = random_program(*find_preset("nano"), seed, timed_knobs(seed));
    const Launch launch = random_launch(image, seed, timed_knobs(seed));
    const auto rtl = make_runner("rtl", launch, timing_of_seed(seed));
    const auto cycle = make_runner("cycle", launch, timing_of_seed(seed));
    Outcome outcome = Outcome::running;
    // The RTL's runner continues for some cycles after the end, for its last events.
    for (std::uint32_t step = 0; rtl->advance(1 + step % 7) == Outcome::running; ++step) {
      INFO("seed " << seed << ", cycle " << rtl->counters()->cycles);
      outcome = cycle->advance(1 + step % 7);
      REQUIRE(difference(*rtl->counters(), *cycle->counters()) == "");
    }
    CHECK(outcome == rtl->advance(0));
  }
}

TEST_CASE("a program with a csr read of rows counts only earlier bundles' rows") {
  if (!needs_rtl("nano")) return;
  const LinkResult built = build(std::vector{SourceText{"rows.s", R"(
        .target nano
        .text
        { v1 = vld [0] ; sb: s1 = csr event_vmem_load_bytes_lo }
        { vst [8], v1 ; sb: s2 = csr event_vmem_store_bytes_lo }
        { vst [16], v1 ; sb: s3 = csr event_vmem_load_bytes_lo }
        { v2 = vld [8] ; sb: s4 = csr event_vmem_store_bytes_lo }
        { sb: sst [0], s1 }
        { sb: sst [1], s2 }
        { sb: sst [2], s3 }
        { sb: sst [3], s4 }
        { halt }
)"}});
  INFO(diagnostics_text(built.diagnostics));
  REQUIRE(built.ok());
  const Image image = make_image(built.program);
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  const Timed rtl = run("rtl", launch, timing_of_seed(1));
  CHECK(difference(rtl, run("cycle", launch, timing_of_seed(1))) == "");
  const auto both = make_runner("lockstep", launch, timing_of_seed(1));
  CHECK(both->advance(10'000) == Outcome::halted);
  CHECK(both->volatile_reads() == 4);
}

TEST_CASE("a cycle-exact machine comes back from a bundle that long does not issue") {
  const Image image =
      nano_image("i.s", "        { s1 = mov 3500000 }\n        { idle s1 }\n        halt\n");
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  const auto machine = make_cycle_machine(*image.preset, {});
  power_up_and_start(*machine, launch);
  int steps = 0;
  int waits = 0;
  bool running = true;
  while (running) {
    const std::uint64_t before = machine->bundles();
    running = machine->cycle(nullptr);
    ++steps;
    if (machine->bundles() != before) continue;
    ++waits;
    CHECK(machine->cause() == StallCause::idling);
  }
  CHECK(machine->bundles() == 3);
  CHECK(waits == 3);
  CHECK(steps == 6);
  CHECK(machine->cycles() > 3'500'000);

  LockstepOptions options;
  const auto runner = make_lockstep_runner(launch, make_cycle_machine(*image.preset, {}), options);
  CHECK(runner->advance(10'000'000) == Outcome::halted);  // it is no silence
}

TEST_CASE("a machine that retires nothing any more is told with what it waits for") {
  const Image image = nano_image("w.s", "        halt\n");
  const Launch launch = make_launch(image, {}, 1U << 20U, 1);
  MachineOptions machine;
  machine.memory.latency = 20'000;  // of the first bundle's line
  const auto run_with = [&](std::uint64_t silence) {
    LockstepOptions options;
    options.silence = silence;
    auto runner = make_lockstep_runner(launch, make_rtl_machine(*image.preset, machine), options);
    const Outcome outcome = runner->advance(1'000'000);
    return std::pair{outcome, runner->explanation_json()};
  };
  CHECK(run_with(30'000).first == Outcome::halted);
  const auto [outcome, report] = run_with(8'000);
  CHECK(outcome == Outcome::no_retirement);
  CHECK(report.find("no_retirement fetch") != std::string::npos);
}
