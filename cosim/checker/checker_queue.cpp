#include "cosim/checker/checker_queue.hpp"

#include "cosim/checker/copies.hpp"

namespace tandem {
void CheckerQueue::copy_issue(const CopyIssueEvent& event) {
  if (open_) copies_[event.sequence] = event.copy;
  batch_.copy_issue(event);
}

void CheckerQueue::copy_done(const CopyDoneEvent& event) {
  if (!open_) return batch_.copy_done(event);
  const auto copy = copies_.find(event.sequence);
  if (copy != copies_.end() && copy_leaves(copy->second, chip_)) {
    batch_.copy_done(event);
    copies_.erase(copy);
    return;
  }
  if (copy != copies_.end() && read_copy_words(machine_, copy->second, words_)) {
    batch_.copy_done({event.sequence, words_});
  } else {
    batch_.copy_done(event);
    give_now_();
    asks_ = true;
  }
  if (copy != copies_.end()) copies_.erase(copy);
}

void CheckerQueue::write(const WriteEvent& event) {
  batch_.write(event);
  if (!asks_ || !event.volatile_csr) return;
  give_now_();
  asks_ = false;
}

void CheckerQueue::set_aside() {
  given_ += batch_.events();
  std::swap(batch_, aside_);
}

void CheckerQueue::give(Checker& checker, EventBatch& batch) {
  if (&batch == &batch_) given_ += batch.events();
  if (checker.ended()) return batch.clear();
  const std::uint64_t cycle = batch.give(checker, [&checker] { return checker.ended(); });
  if (checker.ended()) end_cycle_ = cycle;
}

}  // namespace tandem
