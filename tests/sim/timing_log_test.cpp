// Issues and lost cycles, kept small and given again.
#include <catch2/catch.hpp>

#include "sim/events/timing_log.hpp"
#include "sim/events/timing_recording.hpp"
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

TimingRecording taken_apart(const TimingLog& log) {
  TimingRecording events;
  for (std::size_t i = 0; i < log.runs(); ++i) events.issue_run(log.run(i));
  return events;
}

}  // namespace

TEST_CASE("a log gives back the events that it was given") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const TimingRecording stream = random_stream(seed, 3000);
    TimingLog log;
    fill(log, stream, 0, 0);
    log.close();
    const TimingRecording again = taken_apart(log);
    check_same(again.issues, stream.issues);
    check_same(again.losses, stream.losses);
  }
}

TEST_CASE("a log that was cleared starts anew, in the middle of a run") {
  const TimingRecording stream = random_stream(4, 3000);
  TimingLog log;
  fill(log, stream, 0, 0);
  log.clear();
  CHECK(log.words() == 0);
  CHECK(log.runs() == 0);
  fill(log, stream, 1000, stream.losses.size());
  const TimingRecording again = taken_apart(log);
  check_same(again.issues, {stream.issues.begin() + 1000, stream.issues.end()});
}

TEST_CASE("lost cycles stay with the bundle behind them when a log hands its runs on") {
  TimingLog log;
  log.lost({0, 5, StallCause::start});
  log.issued({5, 0, 3, 4, 1, false, {}});
  log.lost({6, 2, StallCause::fetch});
  TimingLog first;
  log.move_runs(first);
  CHECK(log.complete(8) == 6);
  log.issued({8, 1, 4, 9, 1, false, {}});
  CHECK(log.complete(9) == 9);
  REQUIRE(first.runs() == 1);
  CHECK(first.run(0).end == 6);
  CHECK(first.run(0).next_pc == 4);
  REQUIRE(log.runs() == 1);
  const IssueRun second = log.run(0);
  CHECK(second.cycle == 6);
  CHECK(second.end == 9);
  CHECK(second.sequence == 1);
  REQUIRE(second.words.size() == 1);
  CHECK(second.words[0] == IssueWord::bundle(4, 1, 2, StallCause::fetch));
}

TEST_CASE("a log forgets what was passed on and goes on behind it") {
  TimingLog log;
  for (std::uint64_t i = 0; i < 4; ++i) {
    log.issued(
        {i, i, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1), 1, false, {}});
  }
  log.issued({20, 4, 7, 8, 1, false, {}});  // a second run
  IssueRun rest = log.run(0);
  rest.cycle = 3;
  rest.sequence = 3;
  rest.words = rest.words.last(1);
  log.drop(0, rest);
  log.issued({21, 5, 8, 9, 1, true, {}});
  REQUIRE(log.runs() == 2);
  const TimingRecording left = taken_apart(log);
  REQUIRE(left.issues.size() == 3);
  CHECK(left.issues[0].cycle == 3);
  CHECK(left.issues[0].pc == 3);
  CHECK(left.issues[1].sequence == 4);
  CHECK(left.issues[2].halted);
  log.drop(2, {});
  CHECK(log.words() == 0);
}

TEST_CASE("a log keeps losses of any length before a bundle") {
  TimingRecording stream;
  std::uint64_t cycle = 0;
  for (const std::uint64_t count :
       {IssueWord::most_lost_before, IssueWord::most_lost_before + 1, std::uint64_t{1} << 40U}) {
    stream.lost({cycle, count, StallCause::idling});
    cycle += count;
    const std::uint64_t sequence = stream.issues.size();
    stream.issued({cycle++, sequence, 3, 3, 1, false, {}});
  }
  TimingLog log;
  fill(log, stream, 0, 0);
  CHECK(log.runs() == 1);
  const TimingRecording again = taken_apart(log);
  check_same(again.issues, stream.issues);
  check_same(again.losses, stream.losses);
}

TEST_CASE("of three runs the front may go, up to the middle of the second") {
  TimingRecording stream;
  for (std::uint64_t i = 0; i < 9; ++i) {
    const std::uint64_t cycle = i + 10 * (i / 3);
    const auto pc = static_cast<std::uint32_t>(i);
    stream.issued({cycle, i, pc, pc + 1, 1, false, {}});
  }
  TimingLog log;
  fill(log, stream, 0, 0);
  REQUIRE(log.runs() == 3);
  IssueRun rest = log.run(1);
  rest.cycle += 2;
  rest.sequence += 2;
  rest.words = rest.words.last(1);
  log.drop(1, rest);
  CHECK(log.runs() == 2);
  check_same(taken_apart(log).issues, {stream.issues.begin() + 5, stream.issues.end()});
}

TEST_CASE("a word holds what it is made of") {
  const IssueWord bundle =
      IssueWord::bundle(0xfffffffe, 0x1ff, IssueWord::most_lost_before, StallCause::xlu);
  CHECK(bundle.is_bundle());
  CHECK(bundle.pc() == 0xfffffffe);
  CHECK(bundle.enabled() == 0x1ff);
  CHECK(bundle.lost() == IssueWord::most_lost_before);
  CHECK(bundle.cause() == StallCause::xlu);
  const IssueWord loss = IssueWord::loss(std::uint64_t{1} << 57U, StallCause::drain);
  CHECK_FALSE(loss.is_bundle());
  CHECK(loss.lost() == std::uint64_t{1} << 57U);
  CHECK(loss.cause() == StallCause::drain);
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
  log.close();
  const TimingRecording again = taken_apart(log);
  check_same(again.issues, stream.issues);
  check_same(again.losses, stream.losses);
}
