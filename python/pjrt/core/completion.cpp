#include "python/pjrt/core/completion.hpp"

#include <utility>

#include "python/pjrt/core/fork_guard.hpp"

namespace tandem::pjrt {

void Completion::finish(Status status) {
  std::vector<Reader> readers;
  {
    const std::lock_guard lock(mutex_);
    if (ready_) return;
    status_ = std::move(status);
    ready_ = true;
    readers.swap(readers_);
  }
  changed_.notify_all();
  for (const Reader& reader : readers) reader(status_);
}

bool Completion::is_ready() const {
  refuse_in_forked_child();
  const std::lock_guard lock(mutex_);
  return ready_;
}

const Status& Completion::wait() const {
  refuse_in_forked_child();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_; });
  return status_;
}

void Completion::then(Reader reader) {
  refuse_in_forked_child();
  {
    const std::lock_guard lock(mutex_);
    if (!ready_) {
      readers_.push_back(std::move(reader));
      return;
    }
  }
  reader(status_);
}

SharedCompletion finished(Status status) {
  auto completion = std::make_shared<Completion>();
  completion->finish(std::move(status));
  return completion;
}

}  // namespace tandem::pjrt
