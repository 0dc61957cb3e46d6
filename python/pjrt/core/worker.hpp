// One device and the thread that drives it. Everybody else posts tasks, which run one after the
// other in the order they were posted; different devices run at the same time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "python/pjrt/core/completion.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// What Ctrl-C does to a task that waits: a run is cancelled, a transfer is not, or arrays that
// nobody asked to stop would be lost.
enum class TaskKind : std::uint8_t { transfer, run };

class Worker {
 public:
  using Task = std::function<void(runtime::Device&)>;

  // Throws runtime::Error when there is no such device.
  explicit Worker(const runtime::DeviceOptions& options);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `done` finishes when the task has returned, with the status of what it threw; CANCELLED when
  // it does not run any more. Returns at once. Throws Failure in a forked child.
  void post(TaskKind kind, Task task, SharedCompletion done);
  [[nodiscard]] runtime::MemoryUse memory() const { return device_.memory(); }
  // Ends the run at hand and what waits, by CANCELLED; returns at once.
  void begin_stop();
  // The same, and the thread has ended.
  void stop();

  [[nodiscard]] const runtime::DeviceOptions& options() const { return options_; }
  [[nodiscard]] const Parameters& parameters() const { return device_.parameters(); }
  // For the launch at hand. True: give up.
  [[nodiscard]] std::atomic<bool>& interrupt() { return interrupt_; }

 private:
  struct Job {
    TaskKind kind;
    Task task;
    SharedCompletion done;
  };
  void work();
  void run(Job job);
  bool take(Job& job);  // false: stopped
  void drop_waiting_runs();

  const runtime::DeviceOptions options_;
  runtime::Device device_;  // driven by the thread
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  std::atomic<bool> interrupt_{false};
  std::thread thread_;
};

}  // namespace tandem::pjrt
