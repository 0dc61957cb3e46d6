// The issue times of the last bundles of one machine, the cycles lost before each, and its copies:
// history for the report of a difference in time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "isa/archive/archive.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

// Lost cycles and the bundle that issued after them.
struct LostRun {
  LostCycles lost;
  std::uint64_t sequence = 0;
};

struct BundleTiming {
  std::uint64_t sequence = ~std::uint64_t{0};
  std::uint64_t cycle = 0;
  std::uint32_t pc = 0;
  std::vector<LostCycles> lost;  // before it, in order
};

struct CopyTiming {
  CopyStart start;
  std::uint64_t done = ~std::uint64_t{0};  // cycle of its completion, if known
};

class TimingHistory {
 public:
  TimingHistory() : bundles_(capacity), runs_(capacity) {}

  void issued(const IssueTiming& event);
  void lost(const LostCycles& event) { runs_[ended_++ % capacity] = event; }
  void copy_started(const CopyStart& event) { copies_.push_back({event}); }
  void copy_done(const CopyDone& event);
  // Copies that were complete before this cycle may be forgotten.
  void forget(std::uint64_t cycle);

  // The number of the bundle that issues next.
  [[nodiscard]] std::uint64_t next_sequence() const { return next_; }
  // A bundle among the last, with those runs of lost cycles that are still known.
  [[nodiscard]] std::optional<BundleTiming> find(std::uint64_t sequence) const;
  // Copies that had started and were not complete in this cycle.
  [[nodiscard]] std::vector<CopyTiming> in_flight(std::uint64_t cycle) const;

  template <typename A>
  void archive(A& a) {
    a(fixed(bundles_), fixed(runs_), ended_, pending_, copies_, next_);
  }

 private:
  // More cycles than one side is ever ahead of the other. The rings pass through the host's cache,
  // between the machines' own state, so their entries are small.
  static constexpr std::size_t capacity = 4096;

  struct Issue {
    std::uint64_t sequence = ~std::uint64_t{0};
    std::uint64_t cycle = 0;
    std::uint64_t first_run = 0;  // of its lost cycles
    std::uint32_t runs = 0;
    std::uint32_t pc = 0;
  };

  std::vector<Issue> bundles_;
  std::vector<LostCycles> runs_;
  std::uint64_t ended_ = 0;    // runs so far
  std::uint64_t pending_ = 0;  // the first of them after the last bundle
  std::deque<CopyTiming> copies_;
  std::uint64_t next_ = 0;
};

}  // namespace tandem
