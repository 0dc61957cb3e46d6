#include "python/pjrt/core/worker.hpp"

#include <utility>

#include "python/pjrt/core/fork_guard.hpp"

namespace tandem::pjrt {
namespace {

const Status cancelled{PJRT_Error_Code_CANCELLED, "cancelled before it began"};

}  // namespace

std::mutex& posting_to_several() {
  static auto* const mutex = new std::mutex;  // threads may end after the process's statics
  return *mutex;
}

Worker::Worker(const runtime::DeviceOptions& options) : options_(options), device_(options) {
  thread_ = std::thread([this] { work(); });
  add_interrupt(interrupt_);
}

Worker::~Worker() { stop(); }

void Worker::post(TaskKind kind, Task task, SharedCompletion done) {
  refuse_in_forked_child();
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_) {
      jobs_.push_back({kind, std::move(task), std::move(done), interrupt_.count.load()});
      changed_.notify_one();
      return;
    }
  }
  done->finish(cancelled);
}

void Worker::begin_stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  interrupt_.raised.store(true);
  changed_.notify_all();
}

void Worker::stop() {
  begin_stop();
  if (thread_.joinable()) thread_.join();
  remove_interrupt(interrupt_);
}

void Worker::work() {
  Job job;
  while (take(job)) run(std::exchange(job, {}));
}

bool Worker::take(Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
  if (jobs_.empty()) return false;
  job = std::move(jobs_.front());
  jobs_.pop_front();
  // Lowered for this job, unless the interrupt that raised it is for this job, too.
  if (!stopping_) interrupt_.raised.store(false);
  if (job.interrupts != interrupt_.count.load()) interrupt_.raised.store(true);
  return true;
}

bool Worker::is_cancelled(const Job& job) {
  if (job.kind == TaskKind::run && job.interrupts != interrupt_.count.load()) return true;
  const std::lock_guard lock(mutex_);
  return stopping_;
}

void Worker::run(Job job) {
  Status status;
  if (is_cancelled(job)) {
    status = cancelled;
  } else {
    try {
      job.task(device_);
    } catch (...) {
      status = status_of_current_exception();
    }
  }
  job.task = nullptr;  // frees what it holds before anyone is notified
  job.done->finish(std::move(status));
}

}  // namespace tandem::pjrt
