#include "sim/events/timing_log.hpp"

#include <utility>

namespace tandem {

void TimingLog::begin_run(std::uint64_t cycle, std::uint64_t sequence) {
  runs_.push_back({{}, words_.size()});
  runs_.back().run.cycle = cycle;
  runs_.back().run.sequence = sequence;
  open_ = true;
}

// A word for cycles up to end_, which adjoin the last run if it is open.
void TimingLog::push(const IssueWord& word) {
  if (!open_) begin_run(end_ - word.lost(), sequence_);
  words_.push_back(word);
  runs_.back().run.end = end_;
}

void TimingLog::close() {
  if (lost_ != 0) push(IssueWord::loss(std::exchange(lost_, 0), cause_));
}

void TimingLog::lost(const LostCycles& event) {
  close();
  if (event.first != end_) open_ = false;
  end_ = event.first + event.count;
  lost_ = event.count;
  cause_ = event.cause;
  if (lost_ > IssueWord::most_lost_before) close();
}

void TimingLog::issued(const IssueTiming& event) {
  if (event.cycle != end_ || event.sequence != sequence_) {
    close();
    open_ = false;
    end_ = event.cycle;
    sequence_ = event.sequence;
  }
  push(IssueWord::bundle(event.pc, event.enabled, std::exchange(lost_, 0), cause_));
  if (!event.trap) ++end_;
  ++sequence_;
  IssueRun& run = runs_.back().run;
  run.end = end_;
  run.next_pc = event.next_pc;
  run.halted = event.halted;
  run.trap = event.trap;
  if (event.halted || event.trap) open_ = false;
}

void TimingLog::add(const IssueRun& run) {
  close();
  open_ = false;
  runs_.push_back({run, words_.size()});
  words_.insert(words_.end(), run.words.begin(), run.words.end());
  end_ = run.end;
}

IssueRun TimingLog::run(std::size_t number) const {
  const std::size_t first = runs_[number].first;
  const std::size_t end = number + 1 < runs_.size() ? runs_[number + 1].first : words_.size();
  IssueRun run = runs_[number].run;
  run.words = std::span(words_).subspan(first, end - first);
  return run;
}

void TimingLog::drop(std::size_t runs, const IssueRun& rest) {
  if (runs == runs_.size()) return clear();
  const std::size_t words = run(runs).words.size() - rest.words.size();
  const std::size_t first = runs_[runs].first + words;
  runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(runs));
  runs_.front() = {rest, first};
  for (Run& run : runs_) run.first -= first;
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(first));
}

void TimingLog::move_runs(TimingLog& empty) {
  words_.swap(empty.words_);
  runs_.swap(empty.runs_);
  clear();
}

void TimingLog::clear() {
  words_.clear();
  runs_.clear();
  open_ = false;
}

}  // namespace tandem
