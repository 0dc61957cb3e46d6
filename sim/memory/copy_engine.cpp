#include "sim/memory/copy_engine.hpp"

#include <algorithm>

namespace tandem {

void CopyEngine::push(std::uint64_t cycle, std::uint64_t vmem_free, std::uint64_t sequence,
                      const CopyIssue& copy) {
  CopyTask& task = queue_.push();
  task = CopyTask(sequence, copy);
  task.ready = std::max(cycle + timing::copy_start, vmem_free + 1);
  if (links_ != nullptr && task.remote && task.chip != links_->chip()) {
    task.send(links_->way_to(task.chip));
  }
  ++outstanding_;
}

void CopyEngine::push_at_start(const CopyIssue& copy) {
  CopyTask& task = queue_.push();
  task = CopyTask(0, copy);
  task.at_start = true;
  ++outstanding_;
}

// The tag of the queue's oldest copy, with its tickets.
void CopyEngine::tag_of(const CopyTask& task, CopyTag& tag) {
  tag.sequence = task.sequence;
  tag.flag = task.flag;
  tag.amount = task.amount;
  tag.flag_here = task.flag_here;
  tag.amount_here = task.amount_here;
  tag.alone = task.alone;
  tag.leaves = task.leaves;
  tag.at_start = task.at_start;
  tag.counts = task.amount != 0 || !task.leaves;
  if (!tag.counts) return;
  tag.ticket = started_of_[tag.flag]++;
  tag.ticket_here = tag.flag_here == tag.flag ? tag.ticket : started_of_[tag.flag_here]++;
}

// The oldest copy goes from the queue to a reader.
void CopyEngine::take(Side& side) {
  const CopyTask& task = queue_.front();
  tag_of(task, side.moving.push());
  alone_ += task.alone ? 1 : 0;
  side.reader.begin(task);
  queue_.pop();
}

// While one streams in, another may be taken only by the reader to HBM, and streaming then ends.
std::uint64_t CopyEngine::stretch(std::uint64_t cycle) const {
  if (!flows()) return 0;
  std::uint64_t rest = CopyRead::never;
  if (in_.reader.active()) rest = in_.reader.rests(in_.mover.runs_full());
  if (!queue_.empty() && may_take(queue_.front()) &&
      (queue_.front().goes_out || queue_.front().leaves || !in_.reader.active())) {
    rest = std::min(rest, queue_.front().ready - std::min(queue_.front().ready, cycle));
  }
  return std::min<std::uint64_t>(in_.mover.flow(), rest);
}

std::uint64_t CopyEngine::next_event(std::uint64_t cycle) const {
  std::uint64_t next = ~std::uint64_t{0};
  if (!queue_.empty() && queue_.front().ready >= cycle) next = queue_.front().ready;
  return std::min(next, writer_.next_event());
}

}  // namespace tandem
