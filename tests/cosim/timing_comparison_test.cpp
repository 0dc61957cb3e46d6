// Timing events that only one of two machines gives are missed: once the other has given all that
// is before the next cycle, not earlier, on either side.
#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

#include "cosim/lockstep/timing_comparison.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t cycle = 1000;

struct Kind {
  std::string name;
  CompareField field;
  std::function<void(TimingSink&)> give;  // an event of this kind that begins in `cycle`
};

MemoryBeats beats(MemoryPath path) { return {cycle, 3, path}; }

const std::vector<Kind>& kinds() {
  using Sink = TimingSink;
  static const std::vector<Kind> all{
      {"an issue", CompareField::timing_issue,
       [](Sink& sink) { sink.issued({.cycle = cycle, .sequence = 0}); }},
      {"lost cycles", CompareField::timing_cause,
       [](Sink& sink) { sink.lost({.first = cycle, .count = 2}); }},
      {"a copy's start", CompareField::timing_copy_start,
       [](Sink& sink) { sink.copy_started({.cycle = cycle}); }},
      {"a copy's completion", CompareField::timing_copy_done,
       [](Sink& sink) { sink.copy_done({.cycle = cycle}); }},
      {"beats of a fetch", CompareField::timing_beats,
       [](Sink& sink) { sink.beats(beats(MemoryPath::fetch)); }},
      {"beats that a copy reads", CompareField::timing_beats,
       [](Sink& sink) { sink.beats(beats(MemoryPath::copy_read)); }},
      {"beats that a copy writes", CompareField::timing_beats,
       [](Sink& sink) { sink.beats(beats(MemoryPath::copy_write)); }},
      {"a marker", CompareField::timing_marker, [](Sink& sink) { sink.marked({.cycle = cycle}); }},
  };
  return all;
}

}  // namespace

TEST_CASE("a timing event that one side does not give is missed in the next cycle") {
  for (const Kind& kind : kinds()) {
    for (const Side lacking : {Side::expected, Side::got}) {
      INFO(kind.name << (lacking == Side::got ? ", not given" : ", given beyond what is expected"));
      TimingComparison comparison;
      TimingSink& silent = comparison.sink(lacking);
      TimingSink& other = comparison.sink(lacking == Side::got ? Side::expected : Side::got);
      kind.give(other);
      other.progress(cycle + 1);
      silent.progress(cycle);
      CHECK_FALSE(comparison.first());
      silent.progress(cycle + 1);
      REQUIRE(comparison.first());
      CHECK(comparison.first()->field == kind.field);
      CHECK(comparison.first()->cycle == cycle);
      CHECK(comparison.settled());
    }
  }
}

TEST_CASE("timing events that both sides give differ in nothing") {
  for (const Kind& kind : kinds()) {
    INFO(kind.name);
    TimingComparison comparison;
    for (const Side side : {Side::expected, Side::got}) {
      kind.give(comparison.sink(side));
      comparison.sink(side).ended(cycle + 1);
    }
    comparison.finish();
    CHECK_FALSE(comparison.first());
    CHECK(comparison.compared() == 1);
  }
}
