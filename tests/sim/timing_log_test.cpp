// Issues and lost cycles, kept small and given again.
#include <catch2/catch.hpp>

#include "sim/timing_log.hpp"
#include "sim/timing_recording.hpp"
#include "tests/sim/random_stream.hpp"

using namespace tandem;        // NOLINT: a test file
using namespace tandem::test;  // NOLINT

namespace {

void check_same(const IssueTiming& a, const IssueTiming& b) {
  CHECK(a.cycle == b.cycle);
  CHECK(a.sequence == b.sequence);
  CHECK(a.pc == b.pc);
  CHECK(a.next_pc == b.next_pc);
  CHECK(a.enabled == b.enabled);
  CHECK(a.halted == b.halted);
  CHECK(a.trap == b.trap);
}

void check_same(const LostCycles& a, const LostCycles& b) {
  CHECK(a.first == b.first);
  CHECK(a.count == b.count);
  CHECK(a.cause == b.cause);
}

template <typename Event>
void check_same(const std::vector<Event>& a, const std::vector<Event>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) check_same(a[i], b[i]);
}

// Events of the stream from the given positions on, in order of time.
void fill(TimingLog& log, const TimingRecording& stream, std::size_t issue, std::size_t loss) {
  for (; issue < stream.issues.size(); ++issue) {
    for (; loss < stream.losses.size() && stream.losses[loss].first < stream.issues[issue].cycle;
         ++loss) {
      log.lost(stream.losses[loss]);
    }
    log.issued(stream.issues[issue]);
  }
  for (; loss < stream.losses.size(); ++loss) log.lost(stream.losses[loss]);
}

}  // namespace

TEST_CASE("a log gives back the events that it was given") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const TimingRecording stream = random_stream(seed, 3000);
    TimingLog log;
    fill(log, stream, 0, 0);
    TimingRecording again;
    log.replay(again);
    check_same(again.issues, stream.issues);
    check_same(again.losses, stream.losses);
  }
}

TEST_CASE("a log that was cleared starts anew, in the middle of a run") {
  const TimingRecording stream = random_stream(4, 3000);
  TimingLog log;
  fill(log, stream, 0, 0);
  log.clear();
  CHECK(log.size() == 0);
  fill(log, stream, 1000, stream.losses.size());
  TimingRecording again;
  log.replay(again);
  check_same(again.issues, {stream.issues.begin() + 1000, stream.issues.end()});
  CHECK(again.losses.empty());
}

TEST_CASE("a log keeps traps, halts, gaps and losses without a bundle whole") {
  TimingRecording stream;
  stream.losses = {{0, 5, StallCause::start}, {5, 7, StallCause::fetch}};
  stream.issues = {{12, 0, 3, 4, 1, false, {}}, {20, 9, 4, 5, 2, true, {}}};
  stream.losses.push_back({21, std::uint64_t{1} << 40U, StallCause::drain});
  IssueTiming trap{std::uint64_t{1} << 41U, 10, 7, 7, 0, false, {}};
  trap.trap = {TrapCause::deadlock, Slot::dma, 6};
  stream.issues.push_back(trap);
  TimingLog log;
  fill(log, stream, 0, 0);
  TimingRecording again;
  log.replay(again);
  check_same(again.issues, stream.issues);
  check_same(again.losses, stream.losses);
}
