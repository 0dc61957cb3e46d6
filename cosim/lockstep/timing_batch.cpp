#include "cosim/lockstep/timing_batch.hpp"

namespace tandem {

void TimingBatch::flush() {
  std::size_t given = 0;
  const auto give_issues = [&](std::size_t end) {
    while (given < end) reader_.issued(issues_[given++]);
  };
  for (const Lost& lost : lost_) {
    give_issues(lost.issues);
    reader_.lost(lost.event);
  }
  give_issues(issues_.size());
  issues_.clear();
  lost_.clear();
}

}  // namespace tandem
