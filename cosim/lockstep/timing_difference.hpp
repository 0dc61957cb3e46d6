// Timing events in the terms of a comparison: when two are equal, the time at which they diverge,
// and their text in a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cosim/checker/mismatch.hpp"
#include "cosim/lockstep/timing_history.hpp"

namespace tandem {

// The value of a volatile CSR that a bundle read.
struct CsrRead {
  std::uint64_t cycle = 0;  // of its issue
  std::uint64_t sequence = 0;
  std::uint32_t value = 0;
};

struct TimingFact {
  CompareField field{};
  std::optional<std::uint64_t> sequence;  // of the bundle concerned
  std::uint64_t cycle = 0;
  std::string text;
};

TimingFact fact(const IssueTiming& event);
TimingFact fact(const LostRun& event);
TimingFact fact(const CopyStart& event);
TimingFact fact(const CopyDone& event);
TimingFact fact(const MemoryBeats& event);
TimingFact fact(const MarkerTiming& event);
TimingFact fact(const CsrRead& event);

// Cycles, numbers of bundles, counters, and a bundle's PC and next PC.
inline bool same(const IssueTiming& a, const IssueTiming& b) {
  return a.cycle == b.cycle && a.sequence == b.sequence && a.pc == b.pc && a.next_pc == b.next_pc &&
         a.enabled == b.enabled && a.halted == b.halted && a.trap == b.trap;
}
inline bool same(const LostRun& a, const LostRun& b) {
  return a.lost.first == b.lost.first && a.lost.count == b.lost.count &&
         a.lost.cause == b.lost.cause && a.sequence == b.sequence;
}
bool same(const CopyStart& a, const CopyStart& b);
bool same(const CopyDone& a, const CopyDone& b);
bool same(const MemoryBeats& a, const MemoryBeats& b);
bool same(const MarkerTiming& a, const MarkerTiming& b);
bool same(const CsrRead& a, const CsrRead& b);

// The difference of two unequal events.
template <typename Event>
Mismatch difference(const Event& expected, const Event& got);
// An event that only one side gave.
Mismatch one_sided(const TimingFact& fact, bool is_expected);

// The first counter that differs, as `timing.counter`.
std::optional<Mismatch> counter_difference(const CounterValues& expected, const CounterValues& got);

}  // namespace tandem
