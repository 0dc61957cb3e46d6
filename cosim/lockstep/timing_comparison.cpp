#include "cosim/lockstep/timing_comparison.hpp"

#include <algorithm>

namespace tandem {
namespace {

constexpr std::uint64_t for_ever = ~std::uint64_t{0};

}  // namespace

// ---- input ----

void TimingComparison::Sink::issued(const IssueTiming& event) {
  comparison_.state(side_).history.issued(event);
  comparison_.meet(comparison_.issues_, side_, event);
}

void TimingComparison::Sink::lost(const LostCycles& event) {
  TimingHistory& history = comparison_.state(side_).history;
  const std::uint64_t sequence = history.next_sequence();
  history.lost(event);
  comparison_.meet(comparison_.lost_, side_, LostRun{event, sequence});
}

void TimingComparison::Sink::copy_started(const CopyStart& event) {
  comparison_.state(side_).history.copy_started(event);
  comparison_.meet(comparison_.copy_starts_, side_, event);
}

void TimingComparison::Sink::copy_done(const CopyDone& event) {
  comparison_.state(side_).history.copy_done(event);
  comparison_.meet(comparison_.copy_dones_, side_, event);
}

void TimingComparison::Sink::beats(const MemoryBeats& event) {
  comparison_.meet(comparison_.beats_[static_cast<std::size_t>(event.path)], side_, event);
}

void TimingComparison::Sink::marked(const MarkerTiming& event) {
  comparison_.meet(comparison_.markers_, side_, event);
}

void TimingComparison::Sink::progress(std::uint64_t cycle) {
  SideState& state = comparison_.state(side_);
  state.complete = cycle;
  state.issues = std::max(state.issues, cycle);
  comparison_.note_all_missing(side_);
  for (SideState& either : comparison_.sides_) {
    either.history.forget(std::min(comparison_.sides_[0].complete, comparison_.sides_[1].complete));
  }
}

void TimingComparison::Sink::ended(std::uint64_t) { progress(for_ever); }

void TimingComparison::csr_read(Side side, std::uint64_t sequence, std::uint32_t value) {
  const std::optional<BundleTiming> bundle = history(side).find(sequence);
  const std::uint64_t cycle = bundle ? bundle->cycle : state(side).issues;
  meet(csr_reads_, side, CsrRead{cycle, sequence, value});
}

void TimingComparison::issues_given(Side side, std::uint64_t cycle) {
  state(side).issues = std::max(state(side).issues, cycle);
  note_missing_issues(side);
}

// ---- pairs ----

template <typename Event>
void TimingComparison::meet(Pairing<Event>& pairing, Side side, const Event& event) {
  pairing.meet(side, event, [&](const Event& partner) {
    if (same(event, partner)) {
      ++compared_;
    } else {
      note(side == Side::expected ? difference(event, partner) : difference(partner, event));
    }
  });
}

// Of differences in one cycle the first one found is kept, but an issue has priority: it names the
// bundle, and the cause of its lost cycle is the same difference.
void TimingComparison::note(Mismatch mismatch) {
  const bool is_issue = mismatch.field == CompareField::timing_issue;
  if (!first_ || *mismatch.cycle < *first_->cycle ||
      (*mismatch.cycle == *first_->cycle && is_issue)) {
    first_ = std::move(mismatch);
  }
}

// ---- missing events ----

template <typename Event>
void TimingComparison::note_missing(const Pairing<Event>& pairing, Side lacking,
                                    std::uint64_t before) {
  const Event* event = pairing.waiting(other(lacking));
  if (event == nullptr) return;
  const TimingFact known = fact(*event);
  if (known.cycle < before) note(one_sided(known, lacking == Side::got));
}

void TimingComparison::note_missing_issues(Side lacking) {
  note_missing(issues_, lacking, state(lacking).issues);
}

void TimingComparison::note_all_missing(Side lacking) {
  const std::uint64_t before = state(lacking).complete;
  note_missing_issues(lacking);
  note_missing(lost_, lacking, before);
  note_missing(copy_starts_, lacking, before);
  note_missing(copy_dones_, lacking, before);
  for (const auto& path : beats_) note_missing(path, lacking, before);
  note_missing(markers_, lacking, before);
}

void TimingComparison::finish() {
  for (const Side side : {Side::expected, Side::got}) {
    state(side).issues = for_ever;
    state(side).complete = for_ever;
    note_all_missing(side);
    note_missing(csr_reads_, side, for_ever);
  }
}

// ---- output ----

void TimingComparison::compare_counters(const CounterValues& expected, const CounterValues& got) {
  if (first_) return;
  first_ = counter_difference(expected, got);
}

bool TimingComparison::settled() const {
  return first_ && std::all_of(sides_.begin(), sides_.end(), [this](const SideState& side) {
           return side.complete > *first_->cycle;
         });
}

}  // namespace tandem
