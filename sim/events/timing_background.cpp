#include "sim/events/timing_background.hpp"

#include <utility>

namespace tandem {

BackgroundTiming::BackgroundTiming(TimingSink& next)
    : next_(next), thread_([this] { read_batches(); }) {}

BackgroundTiming::~BackgroundTiming() { stop(); }

void BackgroundTiming::progress(std::uint64_t cycle) {
  batch_.others.progress(batch_.log.complete(cycle));
  if (batch_.log.words() >= batch_words) send();
}

void BackgroundTiming::ended(std::uint64_t cycles) {
  batch_.log.close();
  batch_.others.ended(cycles);
  send();
}

void BackgroundTiming::finish() {
  send();
  stop();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Lost cycles whose bundle is still to come are kept.
void BackgroundTiming::send() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < waiting_batches; });
  Batch batch;
  if (!used_.empty()) {
    batch = std::move(used_.back());
    used_.pop_back();
  }
  batch_.log.move_runs(batch.log);
  std::swap(batch_.others, batch.others);
  waiting_.push_back(std::move(batch));
  changed_.notify_all();
}

void BackgroundTiming::stop() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void BackgroundTiming::read_batches() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Batch batch = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    if (failure_) continue;  // the simulation continues; finish() reports it
    lock.unlock();
    std::exception_ptr failure;
    try {
      replay(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    batch.log.clear();
    batch.others.clear();
    lock.lock();
    failure_ = failure;
    used_.push_back(std::move(batch));
  }
}

void BackgroundTiming::replay(Batch& batch) {
  for (std::size_t i = 0; i < batch.log.runs(); ++i) next_.issue_run(batch.log.run(i));
  batch.others.give_others(next_);
}

}  // namespace tandem
