// One device and the thread that drives it. All other threads post tasks, which run one after the
// other in the order they were posted; different devices run at the same time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "python/pjrt/core/completion.hpp"
#include "python/pjrt/core/interrupts.hpp"
#include "runtime/device/device.hpp"

namespace tandem::pjrt {

// Ctrl-C ends the current run and cancels those that wait, at any time. It does not affect
// transfers, as arrays would be lost otherwise, nor tasks posted after it.
enum class TaskKind : std::uint8_t { transfer, run };

// Held while tasks that wait for each other are posted to several devices: so all devices have the
// tasks of several callers in the same order, and none waits for one that is queued after the task
// that waits for it.
std::mutex& posting_to_several();

class Worker {
 public:
  using Task = std::function<void(runtime::Device&)>;

  // Throws runtime::Error when there is no such device.
  explicit Worker(const runtime::DeviceOptions& options);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `done` finishes when the task has returned, with the status of what it threw; CANCELLED when it
  // does not run any more. Returns immediately. Throws Failure in a forked child.
  void post(TaskKind kind, Task task, SharedCompletion done);
  [[nodiscard]] runtime::MemoryUse memory() const { return device_.memory(); }
  // Ends the current run and waiting tasks with CANCELLED; returns immediately.
  void begin_stop();
  // The same, and waits for the end of the thread.
  void stop();

  [[nodiscard]] const runtime::DeviceOptions& options() const { return options_; }
  [[nodiscard]] const Parameters& parameters() const { return device_.parameters(); }
  // For the current launch. True: give up.
  [[nodiscard]] std::atomic<bool>& interrupt() { return interrupt_.raised; }

 private:
  struct Job {
    TaskKind kind;
    Task task;
    SharedCompletion done;
    std::uint64_t interrupts = 0;  // that had come when it was posted
  };
  void work();
  void run(Job job);
  bool take(Job& job);  // false: stopped
  [[nodiscard]] bool is_cancelled(const Job& job);

  const runtime::DeviceOptions options_;
  runtime::Device device_;  // driven by the thread
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  InterruptState interrupt_;
  std::thread thread_;
};

}  // namespace tandem::pjrt
