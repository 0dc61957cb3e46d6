#include "cosim/checker/checker_queue.hpp"

namespace tandem {
namespace {

// Some hundred cycles' events of a small machine; no more than stays in the host's cache.
constexpr std::size_t most_data_words = 32 * 1024;

}  // namespace

void CheckerQueue::copy_done(const CopyDoneEvent& event) {
  batch_.copy_done(event);
  flush();
}

void CheckerQueue::issue(const IssueEvent& event) {
  if (batch_.data_words() >= most_data_words) flush();
  batch_.issue(event);
}

void CheckerQueue::copy_issue(const CopyIssueEvent& event) { batch_.copy_issue(event); }

void CheckerQueue::write(const WriteEvent& event) {
  batch_.write(event);
  if (event.volatile_csr) flush();
}

void CheckerQueue::flush() {
  if (checker_.ended()) return;
  const std::uint64_t cycle = batch_.give(checker_, [this] { return checker_.ended(); });
  if (checker_.ended()) end_cycle_ = cycle;
}

}  // namespace tandem
