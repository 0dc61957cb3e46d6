#include "cosim/lockstep/timing_batch.hpp"

#include <utility>

namespace tandem {

void TimingBatch::set_aside(TimingBatch& empty) {
  empty.events_.complete = events_.complete;
  std::swap(*this, empty);
}

void TimingBatch::give(TimingSink& reader) {
  std::size_t given = 0;
  const auto give_issues = [&](std::size_t end) {
    while (given < end) reader.issued(events_.issues[given++]);
  };
  for (std::size_t i = 0; i < before_lost_.size(); ++i) {
    give_issues(before_lost_[i]);
    reader.lost(events_.losses[i]);
  }
  give_issues(events_.issues.size());
  events_.give_others(reader);
  events_.clear();
  before_lost_.clear();
}

}  // namespace tandem
