#include "sim/memory/copy_engine.hpp"

#include <algorithm>

namespace tandem {

void CopyEngine::push(std::uint64_t cycle, std::uint64_t sequence, const CopyIssue& copy) {
  CopyTask& task = queue_.push();
  task = CopyTask(sequence, copy);
  task.ready = cycle + timing::copy_start;
  ++outstanding_;
}

void CopyEngine::push_arguments(const CopyIssue& copy) {
  queue_.push() = CopyTask(0, copy);
  ++outstanding_;
}

// The oldest copy goes from the queue to the reader.
void CopyEngine::take() {
  const CopyTask& task = queue_.front();
  Tag& tag = moving_.push();
  tag.sequence = task.sequence;
  tag.flag = task.flag;
  tag.amount = task.amount;
  reader_.begin(task);
  queue_.pop();
}

std::uint64_t CopyEngine::stretch(std::uint64_t cycle) const {
  if (!flows()) return 0;
  std::uint64_t rest = CopyRead::never;
  if (reader_.active()) {
    rest = reader_.rests(mover_.runs_full());
  } else if (!queue_.empty() && !moving_.full()) {
    rest = queue_.front().ready - std::min(queue_.front().ready, cycle);
  }
  return std::min<std::uint64_t>(mover_.flow(), rest);
}

std::uint64_t CopyEngine::next_event(std::uint64_t cycle) const {
  std::uint64_t next = ~std::uint64_t{0};
  if (!queue_.empty() && queue_.front().ready >= cycle) next = queue_.front().ready;
  if (writer_.waiting()) next = std::min(next, writer_.due());
  return next;
}

}  // namespace tandem
