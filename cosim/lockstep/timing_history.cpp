#include "cosim/lockstep/timing_history.hpp"

#include <algorithm>
#include <utility>

namespace tandem {

void TimingHistory::issued(const IssueTiming& event) {
  BundleTiming& bundle = ring_[event.sequence % capacity];
  bundle.sequence = event.sequence;
  bundle.cycle = event.cycle;
  bundle.pc = event.pc;
  std::swap(bundle.lost, pending_);
  pending_.clear();
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

const BundleTiming* TimingHistory::find(std::uint64_t sequence) const {
  const BundleTiming& bundle = ring_[sequence % capacity];
  return bundle.sequence == sequence ? &bundle : nullptr;
}

std::vector<CopyTiming> TimingHistory::in_flight(std::uint64_t cycle) const {
  std::vector<CopyTiming> result;
  for (const CopyTiming& copy : copies_) {
    if (copy.start.cycle < cycle && copy.done >= cycle) result.push_back(copy);
  }
  return result;
}

}  // namespace tandem
