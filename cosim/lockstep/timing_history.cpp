#include "cosim/lockstep/timing_history.hpp"

#include <algorithm>
#include <utility>

namespace tandem {

void TimingHistory::issued(const IssueTiming& event) {
  const auto runs = static_cast<std::uint32_t>(ended_ - pending_);
  bundles_[event.sequence % capacity] = {event.sequence, event.cycle, pending_, runs, event.pc};
  pending_ = ended_;
  next_ = event.sequence + 1;
}

void TimingHistory::copy_done(const CopyDone& event) {
  const auto copy = std::find_if(copies_.begin(), copies_.end(), [&event](const CopyTiming& item) {
    return item.start.sequence == event.sequence;
  });
  if (copy != copies_.end()) copy->done = event.cycle;
}

void TimingHistory::forget(std::uint64_t cycle) {
  while (!copies_.empty() && copies_.front().done < cycle) copies_.pop_front();
}

std::optional<BundleTiming> TimingHistory::find(std::uint64_t sequence) const {
  const Issue& issue = bundles_[sequence % capacity];
  if (issue.sequence != sequence) return std::nullopt;
  BundleTiming bundle{sequence, issue.cycle, issue.pc, {}};
  std::uint64_t run = issue.first_run;
  if (ended_ > capacity) run = std::max(run, ended_ - capacity);  // others are written over
  for (; run < issue.first_run + issue.runs; ++run) bundle.lost.push_back(runs_[run % capacity]);
  return bundle;
}

std::vector<CopyTiming> TimingHistory::in_flight(std::uint64_t cycle) const {
  std::vector<CopyTiming> result;
  for (const CopyTiming& copy : copies_) {
    if (copy.start.cycle < cycle && copy.done >= cycle) result.push_back(copy);
  }
  return result;
}

}  // namespace tandem
