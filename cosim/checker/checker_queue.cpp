#include "cosim/checker/checker_queue.hpp"

#include <span>

#include "cosim/checker/copies.hpp"

namespace tandem {
namespace {

// Of a copy that is kept: as many as the largest VMEM has.
constexpr std::size_t most_copy_words = std::size_t{4} << 20U;

}  // namespace

void CheckerQueue::copy_issue(const CopyIssueEvent& event) {
  copies_[event.sequence] = event.copy;
  batch_.copy_issue(event);
}

void CheckerQueue::copy_done(const CopyDoneEvent& event) {
  const auto copy = copies_.find(event.sequence);
  if (copy != copies_.end() && copy_leaves(copy->second, chip_)) {
    batch_.copy_done(event);
    copies_.erase(copy);
    return;
  }
  if (copy != copies_.end() && read_destination(copy->second)) {
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

// Into words_; false when they are too many, or lie nowhere.
bool CheckerQueue::read_destination(const CopyIssue& copy) {
  const CopySpace space = copy_destination_space(copy);
  words_.clear();
  bool fits = true;
  for_each_destination_run(copy, [&](std::uint64_t address, std::uint32_t bytes) {
    const std::size_t first = words_.size();
    const std::size_t count = bytes / 4;
    fits = count <= most_copy_words - first;
    if (!fits) return false;
    words_.resize(first + count);
    fits = read_memory(machine_, space, address, std::span(words_).subspan(first));
    return fits;
  });
  return fits;
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
