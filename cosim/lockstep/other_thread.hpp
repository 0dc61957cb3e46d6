// A thread that does one piece of work at a time, in parallel with its caller.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tandem {

class OtherThread {
 public:
  OtherThread() : thread_([this] { serve(); }) {}
  // Waits for the current work; its exceptions are lost.
  ~OtherThread();
  OtherThread(const OtherThread&) = delete;
  OtherThread& operator=(const OtherThread&) = delete;

  // Begins; the previous work must have been waited for.
  void begin(std::function<void()> work);
  // Waits until the current work, if any, is done; rethrows its exception.
  void wait();

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;  // none: idle
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tandem
