#include "python/pjrt/core/worker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/interrupts.hpp"

namespace tandem::pjrt {
namespace {

const Status cancelled{PJRT_Error_Code_CANCELLED, "cancelled before it began"};

}  // namespace

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
      jobs_.push_back({kind, std::move(task), std::move(done)});
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
  interrupt_.store(true);
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
  if (!stopping_) interrupt_.store(false);
  return true;
}

void Worker::run(Job job) {
  Status status;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) status = cancelled;
  }
  if (status.ok()) {
    try {
      job.task(device_);
    } catch (...) {
      status = status_of_current_exception();
    }
  }
  job.task = nullptr;  // what it holds goes before anybody is told
  if (job.kind == TaskKind::run && interrupt_.load()) drop_waiting_runs();
  job.done->finish(std::move(status));
}

// A run that was interrupted takes the runs that wait behind it along.
void Worker::drop_waiting_runs() {
  std::vector<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    const auto runs = std::stable_partition(
        jobs_.begin(), jobs_.end(), [](const Job& job) { return job.kind != TaskKind::run; });
    std::move(runs, jobs_.end(), std::back_inserter(dropped));
    jobs_.erase(runs, jobs_.end());
  }
  for (Job& job : dropped) job.done->finish(cancelled);
}

}  // namespace tandem::pjrt
