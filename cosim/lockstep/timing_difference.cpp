#include "cosim/lockstep/timing_difference.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {
namespace {

std::string cycles_text(std::uint64_t first, std::uint64_t count) {
  if (count == 1) return fmt::format("cycle {}", first);
  return fmt::format("cycles {}..{}", first, first + count - 1);
}

std::string_view path_name(MemoryPath path) {
  switch (path) {
    case MemoryPath::fetch: return "fetch";
    case MemoryPath::copy_read: return "copy read";
    case MemoryPath::copy_write: return "copy write";
  }
  __builtin_unreachable();
}

std::string_view cause_name(StallCause cause) {
  return stall_causes()[static_cast<std::size_t>(cause)].name;
}

// Two runs of cycles: the first cycle that only one of them has, or their first if they are the
// same cycles.
std::uint64_t runs_part(std::uint64_t first_a, std::uint64_t count_a, std::uint64_t first_b,
                        std::uint64_t count_b) {
  if (first_a != first_b || count_a == count_b) return std::min(first_a, first_b);
  return first_a + std::min(count_a, count_b);
}

template <typename Event>
std::uint64_t part(const Event& a, const Event& b) {
  return std::min(a.cycle, b.cycle);
}
std::uint64_t part(const LostRun& a, const LostRun& b) {
  if (a.lost.cause != b.lost.cause) return std::min(a.lost.first, b.lost.first);
  return runs_part(a.lost.first, a.lost.count, b.lost.first, b.lost.count);
}
std::uint64_t part(const MemoryBeats& a, const MemoryBeats& b) {
  return runs_part(a.first, a.count, b.first, b.count);
}

struct NamedCounter {
  std::string name;
  std::uint64_t expected = 0;
  std::uint64_t got = 0;
};

std::optional<NamedCounter> first_counter(const CounterValues& expected, const CounterValues& got) {
  for (const CounterRow& row : stall_causes()) {
    const std::uint64_t a = expected.causes[row.number];
    const std::uint64_t b = got.causes[row.number];
    if (a != b) return NamedCounter{"cause_" + std::string(row.name), a, b};
  }
  for (const CounterRow& row : counted_events()) {
    const std::uint64_t a = expected.events[row.number];
    const std::uint64_t b = got.events[row.number];
    if (a != b) return NamedCounter{"event_" + std::string(row.name), a, b};
  }
  if (expected.cycles == got.cycles) return std::nullopt;
  return NamedCounter{"cycles", expected.cycles, got.cycles};
}

template <typename Event>
void add_detail(Mismatch&, const Event&, const Event&) {}

// The PCs of the RTL are compared with golden, so a difference is the model's fault.
void add_detail(Mismatch& mismatch, const IssueTiming& expected, const IssueTiming& got) {
  if (expected.cycle != got.cycle || expected.sequence != got.sequence) return;
  const auto text = [](const IssueTiming& issue) {
    return fmt::format(", pc {}, next pc {}, enabled {:#x}, trap {}", issue.pc, issue.next_pc,
                       issue.enabled, trap_name(issue.trap.cause));
  };
  mismatch.expected_text += text(expected);
  mismatch.got_text += text(got);
}

void add_detail(Mismatch& mismatch, const MarkerTiming& expected, const MarkerTiming& got) {
  const auto counter = first_counter(expected.counters, got.counters);
  if (!counter) return;
  mismatch.place = counter->name;
  mismatch.expected_text += fmt::format(", {} {}", counter->name, counter->expected);
  mismatch.got_text += fmt::format(", {} {}", counter->name, counter->got);
}

}  // namespace

TimingFact fact(const IssueTiming& event) {
  return {CompareField::timing_issue, event.sequence, event.cycle,
          fmt::format("bundle {} in cycle {}", event.sequence, event.cycle)};
}

TimingFact fact(const LostRun& event) {
  return {CompareField::timing_cause, event.sequence, event.lost.first,
          fmt::format("{} lost to {}", cycles_text(event.lost.first, event.lost.count),
                      cause_name(event.lost.cause))};
}

TimingFact fact(const CopyStart& event) {
  return {CompareField::timing_copy_start, event.sequence, event.cycle,
          fmt::format("copy of bundle {} in cycle {}", event.sequence, event.cycle)};
}

TimingFact fact(const CopyDone& event) {
  return {CompareField::timing_copy_done, event.sequence, event.cycle,
          fmt::format("copy of bundle {} in cycle {}", event.sequence, event.cycle)};
}

TimingFact fact(const MemoryBeats& event) {
  return {
      CompareField::timing_beats, std::nullopt, event.first,
      fmt::format("{} beats in {}", path_name(event.path), cycles_text(event.first, event.count))};
}

TimingFact fact(const MarkerTiming& event) {
  return {CompareField::timing_marker, event.sequence, event.cycle,
          fmt::format("marker {} in cycle {}", event.code, event.cycle)};
}

TimingFact fact(const CsrRead& event) {
  return {CompareField::timing_csr, event.sequence, event.cycle, fmt::format("{}", event.value)};
}

bool same(const CopyStart& a, const CopyStart& b) {
  return a.cycle == b.cycle && a.sequence == b.sequence;
}
bool same(const CopyDone& a, const CopyDone& b) {
  return a.cycle == b.cycle && a.sequence == b.sequence;
}
bool same(const MemoryBeats& a, const MemoryBeats& b) {
  return a.first == b.first && a.count == b.count;
}
bool same(const MarkerTiming& a, const MarkerTiming& b) {
  return a.cycle == b.cycle && a.sequence == b.sequence && a.code == b.code &&
         a.counters == b.counters;
}
bool same(const CsrRead& a, const CsrRead& b) {
  return a.sequence == b.sequence && a.value == b.value;
}

template <typename Event>
Mismatch difference(const Event& expected, const Event& got) {
  const TimingFact fact_expected = fact(expected);
  Mismatch mismatch;
  mismatch.field = fact_expected.field;
  mismatch.sequence = fact_expected.sequence;
  mismatch.cycle = part(expected, got);
  mismatch.expected_text = fact_expected.text;
  mismatch.got_text = fact(got).text;
  add_detail(mismatch, expected, got);
  return mismatch;
}

template Mismatch difference(const IssueTiming&, const IssueTiming&);
template Mismatch difference(const LostRun&, const LostRun&);
template Mismatch difference(const CopyStart&, const CopyStart&);
template Mismatch difference(const CopyDone&, const CopyDone&);
template Mismatch difference(const MemoryBeats&, const MemoryBeats&);
template Mismatch difference(const MarkerTiming&, const MarkerTiming&);
template Mismatch difference(const CsrRead&, const CsrRead&);

Mismatch one_sided(const TimingFact& fact, bool is_expected) {
  Mismatch mismatch;
  mismatch.field = fact.field;
  mismatch.sequence = fact.sequence;
  mismatch.cycle = fact.cycle;
  mismatch.expected_text = is_expected ? fact.text : "nothing";
  mismatch.got_text = is_expected ? "nothing" : fact.text;
  return mismatch;
}

std::optional<Mismatch> counter_difference(const CounterValues& expected,
                                           const CounterValues& got) {
  const auto counter = first_counter(expected, got);
  if (!counter) return std::nullopt;
  Mismatch mismatch;
  mismatch.field = CompareField::timing_counter;
  mismatch.place = counter->name;
  mismatch.cycle = std::min(expected.cycles, got.cycles);
  mismatch.expected_text = fmt::format("{}", counter->expected);
  mismatch.got_text = fmt::format("{}", counter->got);
  return mismatch;
}

}  // namespace tandem
