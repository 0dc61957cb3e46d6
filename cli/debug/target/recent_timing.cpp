#include "cli/debug/target/recent_timing.hpp"

#include <algorithm>

namespace tandem::debug {

void TimingHistory::issued(const IssueTiming& event) {
  issues_[issue_count_++ % issues_kept] = event;
  if (flights_.empty()) return;
  for (Flight& flight : flights_) {
    if (flight.start.sequence == event.sequence) flight.pc = event.pc;
  }
}

// Copies completed before the newest bundle have ended for a position after it.
void TimingHistory::copy_started(const CopyStart& event) {
  std::erase_if(flights_, [&event](const Flight& flight) {
    return flight.done && *flight.done < event.cycle;
  });
  flights_.push_back({event, std::nullopt, std::nullopt});
}

void TimingHistory::copy_done(const CopyDone& event) {
  for (Flight& flight : flights_) {
    if (flight.start.sequence == event.sequence) flight.done = event.cycle;
  }
}

std::vector<IssueTime> TimingHistory::last_issues() const {
  std::vector<IssueTime> result;
  const std::uint64_t count = std::min<std::uint64_t>(issue_count_, issues_kept);
  std::uint64_t after = 0;  // the first cycle after the previous bundle
  for (std::uint64_t i = issue_count_ - count; i < issue_count_; ++i) {
    IssueTime time{issues_[i % issues_kept], {}};
    const std::uint64_t losses = std::min<std::uint64_t>(lost_count_, losses_kept);
    for (std::uint64_t j = lost_count_ - losses; j < lost_count_; ++j) {
      const LostCycles& run = losses_[j % losses_kept];
      if (run.first >= after && run.first < time.issue.cycle) time.lost.push_back(run);
    }
    after = time.issue.cycle + 1;
    result.push_back(std::move(time));
  }
  // The beginning of the oldest one's losses is unknown once bundles have been forgotten.
  if (issue_count_ > issues_kept) result.erase(result.begin());
  return result;
}

std::vector<TimingHistory::Flight> TimingHistory::in_flight(std::uint64_t cycle) const {
  std::vector<Flight> result;
  std::copy_if(flights_.begin(), flights_.end(), std::back_inserter(result),
               [cycle](const Flight& flight) {
                 return flight.start.cycle < cycle && (!flight.done || *flight.done >= cycle);
               });
  return result;
}

}  // namespace tandem::debug
