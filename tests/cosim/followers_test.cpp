// Models that follow a machine in another thread find the same as without one.
#include "cosim/lockstep/followers.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "cosim/faults/fault.hpp"
#include "cosim/faults/replay_machine.hpp"
#include "sim/events/timing_recording.hpp"
#include "tests/copying.hpp"
#include "tests/cosim/text_program.hpp"

namespace tandem {
namespace {

// Sixteen words in HBM and room for as many, and the descriptor of a copy of them to VMEM.
const std::string words_to_copy = std::string(R"(
        .data
words:  .u32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
out:    .space 64
        .text
)") + describe_copy + "        { s3 = mov words }\n        { sb: sst [2], s3 }\n";

// Copies of 64 bytes into every memory, each written over as soon as it is complete.
const std::string written_over = words_to_copy + R"(
        { copy [s0], s0, s0 }                      # HBM to VMEM
        { wait f0, 1 }
        { v1 = vld [0], rows=2 }
        { v2 = vadd.s32 v1, v1 }
        { vst [0], v2, rows=2 }
        { s4 = mov 0x00000800 ; s5 = mov 1024 }
        { sb: sst [0], s4 }
        { sb: sst [4], s5 }
        { copy [s0], s0, s0 }                      # HBM to SMEM
        { wait f0, 2 }
        { sb: sst [256], s5 }
        { sb: sst [271], s5 ; s6 = mov out }
        { sb: sst [0], s0 }
        { sb: sst [4], s6 }
        { copy [s0], s0, s0 }                      # HBM to HBM
        { wait f0, 3 ; s7 = mov 1 }
        { sb: sst [0], s7 ; s7 = mov 0x100 }
        { sb: sst [0], s7 }
        { sb: sst [2], s0 }
        { copy [s0], s0, s0 }                      # VMEM over it
        { wait f0, 4 }
        { halt }
)";

// 32 MiB within HBM: more than is kept.
constexpr const char* large_copy = R"(
        { s1 = mov 1 ; s2 = mov 0x02000000 }
        { sb: sst [1], s1 }
        { sb: sst [2], s2 ; s3 = mov 0x04000000 }
        { sb: sst [4], s3 }
        { sb: sst [6], s2 }
        { sb: sst [7], s1 }
        { sb: sst [10], s1 }
        { sb: sst [13], s1 }
        { copy [s0], s0, s0 }
        { sb: s9 = csr cycles_lo }
        { wait f0, 1 }
        { halt }
)";

// Reads a copy's destination before waiting, with much following.
const std::string racing = words_to_copy + R"(
        { copy [s0], s0, s0 }
        { v1 = vld [0], rows=2 }
        .rept 80
        { v2 = vld [64] ; v3 = vadd.s32 v2, v2 }
        .endr
        { halt }
)";

// A stand-in of a machine with a fault, or without.
std::unique_ptr<Machine> stand_in(const Parameters& preset, const std::string& fault) {
  std::unique_ptr<Machine> machine = make_replay_machine(preset, 7);
  if (fault.empty()) return machine;
  return make_faulty_machine(std::move(machine), parse_fault(fault), nullptr);
}

// A program on two stand-ins: one for the RTL, one for the cycle-exact model that follows it.
class Run {
 public:
  explicit Run(const std::string& program, const std::string& fault = {},
               const std::string& fault_of_follower = {})
      : image_(nano_image("followed.s", program)),
        launch_(make_launch(image_, {}, 1U << 27U, 1)),
        machine_(stand_in(*image_.preset, fault)),
        follower_(stand_in(*image_.preset, fault_of_follower)) {
    options.detect_uninitialised = false;
    options.threads = 2;
  }

  // Once.
  std::unique_ptr<Runner> runner() {
    return make_lockstep_runner(launch_, std::move(machine_), std::move(follower_), options);
  }

  LockstepOptions options;

 private:
  Image image_;
  Launch launch_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Machine> follower_;
};

constexpr std::uint64_t for_ever = 1'000'000;

// Also records the reported progress of events.
class Watcher final : public TimingSink {
 public:
  void issued(const IssueTiming& event) override { all.issued(event); }
  void lost(const LostCycles& event) override { all.lost(event); }
  void copy_started(const CopyStart& event) override { all.copy_started(event); }
  void copy_done(const CopyDone& event) override { all.copy_done(event); }
  void beats(const MemoryBeats& event) override { all.beats(event); }
  void progress(std::uint64_t cycle) override {
    went_back = went_back || cycle < all.complete;
    all.progress(cycle);
  }
  void ended(std::uint64_t cycles) override { all.ended(cycles); }

  TimingRecording all;
  bool went_back = false;
};

TimingRecording timing_with(std::uint32_t threads, std::uint64_t slice_cycles) {
  Run run(written_over);
  Watcher watcher;
  run.options.timing = &watcher;
  run.options.threads = threads;
  run.options.slice_cycles = slice_cycles;
  const auto runner = run.runner();
  CHECK(runner->advance(for_ever) == Outcome::halted);
  CHECK_FALSE(watcher.went_back);
  return watcher.all;
}

}  // namespace

TEST_CASE("copies are compared as they were, whatever the machine has written there since") {
  Run run(written_over);
  CHECK(run.runner()->advance(for_ever) == Outcome::halted);
}

TEST_CASE("a copy that is too large to keep is compared all the same") {
  Run right(large_copy);
  const auto runner = right.runner();
  CHECK(runner->advance(for_ever) == Outcome::halted);
  CHECK(runner->volatile_reads() == 1);
  Run wrong(large_copy, "copy.bytes");
  CHECK(wrong.runner()->advance(for_ever) == Outcome::mismatch);
}

TEST_CASE("a difference in time comes before a race behind it, in whatever parts it is followed") {
  for (const std::uint32_t threads : {1, 2}) {
    for (const std::size_t kept_words : {0, 40}) {
      CAPTURE(threads, kept_words);
      Run right(racing);
      right.options.threads = threads;
      right.options.kept_words = kept_words;
      CHECK(right.runner()->advance(for_ever) == Outcome::race);
      Run late(racing, "timing.issue@5");
      late.options.threads = threads;
      late.options.kept_words = kept_words;
      CHECK(late.runner()->advance(for_ever) == Outcome::mismatch);
    }
  }
}

TEST_CASE("what the cycle-exact model holds at the end is compared with golden") {
  for (const char* field : {"final.sreg", "final.smem", "final.vmem", "final.hbm"}) {
    CAPTURE(field);
    Run run(written_over, "", field);
    const auto runner = run.runner();
    CHECK(runner->advance(for_ever) == Outcome::mismatch);
    CHECK(nlohmann::json::parse(runner->explanation_json())["field"] == field);
  }
}

TEST_CASE("what a reader throws in the other thread comes out of advance()") {
  Run run(written_over);
  run.options.slice_cycles = 16;
  run.options.reader = [](const RetireRecord& record) {
    if (record.sequence == 12) throw std::runtime_error("full");
  };
  const auto runner = run.runner();
  CHECK_THROWS_WITH(runner->advance(for_ever), "full");
}

TEST_CASE("readers of times get the same from another thread") {
  const TimingRecording at_once = timing_with(1, 1024);
  const TimingRecording beside = timing_with(2, 8);
  CHECK(at_once.issues.size() > 20);
  CHECK(at_once.cycles == beside.cycles);
  REQUIRE(at_once.issues.size() == beside.issues.size());
  REQUIRE(at_once.losses.size() == beside.losses.size());
  for (std::size_t i = 0; i < at_once.issues.size(); ++i) {
    CHECK(at_once.issues[i].cycle == beside.issues[i].cycle);
    CHECK(at_once.issues[i].sequence == beside.issues[i].sequence);
  }
  for (std::size_t i = 0; i < at_once.losses.size(); ++i) {
    CHECK(at_once.losses[i].first == beside.losses[i].first);
    CHECK(at_once.losses[i].count == beside.losses[i].count);
  }
}

TEST_CASE("a run that is given up while it is followed ends") {
  Run run(written_over);
  run.options.slice_cycles = 4;
  const auto runner = run.runner();
  CHECK(runner->advance(20) == Outcome::running);
}

}  // namespace tandem
