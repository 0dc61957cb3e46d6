// Issues and lost cycles, kept as runs of words (sim/events/issue_run.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/events/timing_events.hpp"

namespace tandem {

// Takes either events, in order of cycle, or runs.
class TimingLog {
 public:
  void issued(const IssueTiming& event);
  // They become part of a run with the bundle after them, ...
  void lost(const LostCycles& event);
  // ...or now.
  void close();
  void add(const IssueRun& run);

  [[nodiscard]] std::size_t words() const { return words_.size(); }
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }
  // Its words are valid until the next change.
  [[nodiscard]] IssueRun run(std::size_t number) const;
  // The cycle up to which runs are complete when events are complete up to this one.
  [[nodiscard]] std::uint64_t complete(std::uint64_t cycle) const {
    return lost_ == 0 ? cycle : std::min(cycle, end_ - lost_);
  }
  // Forgets that many runs; of the one after them only `rest`, its last words, remains.
  void drop(std::size_t runs, const IssueRun& rest);
  // Forgets the runs, but not lost cycles that are not part of one; keeps its memory.
  void clear();
  // The same, with the result in an empty log.
  void move_runs(TimingLog& empty);

 private:
  struct Run {
    IssueRun run;           // but for its words
    std::size_t first = 0;  // of words_
  };

  void begin_run(std::uint64_t cycle, std::uint64_t sequence);
  void push(const IssueWord& word);

  std::vector<IssueWord> words_;
  std::vector<Run> runs_;
  bool open_ = false;           // adjacent events extend the last run
  std::uint64_t end_ = 0;       // after the last event
  std::uint64_t sequence_ = 0;  // of the bundle that comes next
  std::uint64_t lost_ = 0;      // of the last event, as long as they are not part of a run
  StallCause cause_{};
};

}  // namespace tandem
