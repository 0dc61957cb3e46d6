#include "python/pjrt/core/behind.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace tandem::pjrt {
namespace {

using Step = std::function<void()>;

// Runs the step, or leaves it to the caller that runs one in this thread: otherwise a long chain of
// results that wait for each other would need an equally deep stack.
void run_flat(Step step) {
  thread_local std::deque<Step>* waiting = nullptr;
  if (waiting != nullptr) {
    waiting->push_back(std::move(step));
    return;
  }
  std::deque<Step> steps{std::move(step)};
  waiting = &steps;
  while (!steps.empty()) {
    const Step next = std::move(steps.front());
    steps.pop_front();
    next();
  }
  waiting = nullptr;
}

struct Wait {
  std::vector<SharedCompletion> needs;
  SharedCompletion done;
};

void wait_for(const std::shared_ptr<Wait>& wait, std::size_t next) {
  if (next == wait->needs.size()) {
    wait->done->finish({});
    return;
  }
  wait->needs[next]->then([wait, next](const Status& status) {
    run_flat([wait, next, status] {
      if (status.ok()) return wait_for(wait, next + 1);
      wait->done->finish(status);
    });
  });
}

bool has_ended_well(const SharedCompletion& completion) {
  return completion->is_ready() && completion->wait().ok();
}

}  // namespace

SharedCompletion behind(std::vector<SharedCompletion> needs, SharedCompletion done) {
  needs.erase(std::remove_if(needs.begin(), needs.end(), has_ended_well), needs.end());
  if (needs.empty()) return done;
  auto own = std::make_shared<Completion>();
  const auto wait = std::make_shared<Wait>(Wait{std::move(needs), std::move(done)});
  own->then([wait](const Status& status) {
    if (status.ok()) return wait_for(wait, 0);
    wait->done->finish(status);
  });
  return own;
}

}  // namespace tandem::pjrt
