// The RTL's stream of timing events. That its sums are those of the counter registers, lockstep
// checks at the end of every run; here: that each event names the right cycle.
#include <array>
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "isa/launch/launch.hpp"
#include "runtime/models/machine.hpp"
#include "sim/events/timing_recording.hpp"
#include "tests/cosim/presets.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Reads the time, copies there and back within HBM, multiplies, marks, branches.
constexpr const char* program = R"(
        .target nano
        .data
words:  .u32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
out:    .space 256
        .text
start:  { s4 = csr cycles_lo ; marker 7 }
        { sb: s5 = csr cycles_lo }
        { s6 = mov words }
        { s1 = mov 1 ; sb: sst [2], s6 }
        { sb: sst [1], s1 }
        { sb: sst [7], s1 ; s7 = mov out }
        { sb: sst [10], s1 ; s8 = mov 64 }
        { sb: sst [13], s1 }
        { sb: sst [6], s8 }
        { sb: sst [4], s7 }
        { copy [s0], s0, s0 }
        { copy [s0], s0, s0 }
        { s9 = mov 3 }
loop:   { s9 = sub s9, 1 ; p1 = ne s9, 1 }
        { xu: v3 = rcp v2 ; sa: @p1 br loop }
        { va: v4 = vadd.f32 v3, v3 ; marker 8 }
        { wait f0, 2 ; sb: s10 = csr cycles_lo }
        { marker 9 }
        { halt }
)";

// The program on the RTL of nano, run to its end.
struct Run {
  explicit Run(const char* text) {
    const LinkResult built = build(std::vector{SourceText{"timing.s", text}});
    INFO(diagnostics_text(built.diagnostics));
    REQUIRE(built.ok());
    image = make_image(built.program);
    launch = make_launch(image, {}, 1U << 20U, 1);
    machine = make_rtl_machine(*image.preset, {});
    machine->set_timing(&events);
    power_up_and_start(*machine, launch);
    while (machine->cycle(nullptr)) {
    }
  }
  [[nodiscard]] std::uint32_t scalar(std::size_t number) const {
    return machine->state().scalars[number];
  }

  Image image;
  Launch launch;
  std::unique_ptr<Machine> machine;
  TimingRecording events;
};

}  // namespace

TEST_CASE("a csr read of cycles gives the cycle in which its bundle issues") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  CHECK(run.events.issues[0].cycle == run.scalar(4));
  CHECK(run.events.issues[1].cycle == run.scalar(5));
  CHECK(run.events.issues[run.events.issues.size() - 3].cycle == run.scalar(10));
}

TEST_CASE("every cycle to the end is an issue or lost, and lost ones come in longest runs") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  REQUIRE(run.events.cycles);
  CHECK(run.events.complete == *run.events.cycles);
  std::uint64_t cycle = 0;
  auto issue = run.events.issues.begin();
  const LostCycles* before = nullptr;
  for (const LostCycles& lost : run.events.losses) {
    for (; cycle != lost.first; ++cycle, before = nullptr) {
      REQUIRE(issue != run.events.issues.end());
      REQUIRE(issue->cycle == cycle);
      CHECK(issue->sequence == static_cast<std::uint64_t>(issue - run.events.issues.begin()));
      ++issue;
    }
    CHECK(lost.count > 0);
    if (before != nullptr) CHECK(before->cause != lost.cause);
    cycle += lost.count;
    before = &lost;
  }
  CHECK(issue == run.events.issues.end());
  CHECK(cycle == *run.events.cycles);  // the last cycles are of cause drain
  CHECK(run.events.losses.back().cause == StallCause::drain);
}

TEST_CASE("copies start with their bundle and are done when a wait can next be satisfied") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  REQUIRE(run.events.copy_starts.size() == 2);
  REQUIRE(run.events.copy_dones.size() == 2);
  for (const CopyStart& copy : run.events.copy_starts) {
    CHECK(copy.sequence == (&copy == run.events.copy_starts.data() ? 10 : 11));
    CHECK(run.events.issues[copy.sequence].cycle == copy.cycle);
    CHECK(copy.copy.descriptor[6] == 64);
  }
  CHECK(run.events.copy_dones[0].sequence == 10);
  CHECK(run.events.copy_dones[1].sequence == 11);
  CHECK(run.events.copy_dones[1].cycle + 1 == run.scalar(10));  // the wait's issue
}

TEST_CASE("beats come in longest runs, in order on each path") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  std::array<std::uint64_t, 3> beats{};
  std::array<std::uint64_t, 3> end{};
  for (const MemoryBeats& beat : run.events.beat_runs) {
    const auto path = static_cast<std::size_t>(beat.path);
    if (beats[path] != 0) CHECK(beat.first > end[path]);
    beats[path] += beat.count;
    end[path] = beat.first + beat.count;
  }
  CHECK(beats[0] % (8 * 64 / 32) == 0);  // whole lines of the I-cache
  CHECK(beats[1] == 4);                  // two copies of two beats
  CHECK(beats[2] == 4);
}

TEST_CASE("a marker gives the counters at the end of its cycle") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  REQUIRE(run.events.markers.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const MarkerTiming& marker = run.events.markers[i];
    CHECK(marker.code == 7 + i);
    CHECK(run.events.issues[marker.sequence].cycle == marker.cycle);
    CHECK(run.events.issues[marker.sequence].pc == marker.pc);
    CHECK(marker.counters.cycles == marker.cycle + 1);
    CHECK(marker.counters.causes[0] == marker.sequence + 1);  // bundles issued, itself included
  }
  CHECK(run.events.markers[1].counters.events[static_cast<std::size_t>(CountedEvent::slot_xu)] ==
        3);  // the loop
  CHECK(run.events.markers[2].counters.events[static_cast<std::size_t>(CountedEvent::copies)] == 2);
}

TEST_CASE("a trap's bundle is an issue in a cycle of cause drain") {
  if (!needs_rtl("nano")) return;
  const Run run(".target nano\n .text\n { s1 = mov 5 }\n { trap 3 }\n");
  REQUIRE(run.events.issues.size() == 2);
  const IssueTiming& trap = run.events.issues[1];
  CHECK(trap.trap.cause == TrapCause::explicit_trap);
  CHECK(trap.cycle > run.events.issues[0].cycle);
  CHECK(run.events.losses.back().first == trap.cycle);
  CHECK(run.events.losses.back().cause == StallCause::drain);
}

TEST_CASE("machines of one preset live side by side and end in any order") {
  if (!needs_rtl("nano")) return;
  auto first = std::make_unique<Run>(program);
  const Run second(program);
  CHECK(first->machine->counters() == second.machine->counters());
  first.reset();
  CHECK(second.scalar(1) == 1);
}

TEST_CASE("without a sink a machine keeps the same time") {
  if (!needs_rtl("nano")) return;
  const Run run(program);
  const std::unique_ptr<Machine> machine = make_rtl_machine(*run.image.preset, {});
  power_up_and_start(*machine, run.launch);
  while (machine->cycle(nullptr)) {
  }
  CHECK(machine->counters() == run.machine->counters());
  CHECK(machine->counters().cycles == *run.events.cycles);
}
