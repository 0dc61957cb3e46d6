#include "sim/timing_background.hpp"

#include <utility>

namespace tandem {
namespace {

void clear(TimingRecording& batch) {
  batch.issues.clear();
  batch.losses.clear();
  batch.copy_starts.clear();
  batch.copy_dones.clear();
  batch.beat_runs.clear();
  batch.markers.clear();
  batch.cycles.reset();
}

}  // namespace

BackgroundTiming::BackgroundTiming(TimingSink& next)
    : next_(next), thread_([this] { read_batches(); }) {}

BackgroundTiming::~BackgroundTiming() { stop(); }

void BackgroundTiming::progress(std::uint64_t cycle) {
  batch_.progress(cycle);
  if (batch_.issues.size() >= batch_issues) send();
}

void BackgroundTiming::ended(std::uint64_t cycles) {
  batch_.ended(cycles);
  send();
}

void BackgroundTiming::finish() {
  send();
  stop();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void BackgroundTiming::send() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < waiting_batches; });
  waiting_.push_back(std::move(batch_));
  batch_ = {};
  if (!used_.empty()) {
    batch_ = std::move(used_.back());
    used_.pop_back();
  }
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
    TimingRecording batch = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    if (failure_) continue;  // the simulation goes on; finish() tells
    lock.unlock();
    std::exception_ptr failure;
    try {
      replay(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    clear(batch);
    lock.lock();
    failure_ = failure;
    used_.push_back(std::move(batch));
  }
}

void BackgroundTiming::replay(const TimingRecording& batch) {
  for (const IssueTiming& event : batch.issues) next_.issued(event);
  for (const LostCycles& event : batch.losses) next_.lost(event);
  for (const CopyStart& event : batch.copy_starts) next_.copy_started(event);
  for (const CopyDone& event : batch.copy_dones) next_.copy_done(event);
  for (const MemoryBeats& event : batch.beat_runs) next_.beats(event);
  next_.progress(batch.complete);
  if (batch.cycles) next_.ended(*batch.cycles);
}

}  // namespace tandem
