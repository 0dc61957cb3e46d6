// A thread that does one piece of work at a time beside the one that asks for it.
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
  // Waits for the work under way; what it throws is lost.
  ~OtherThread();
  OtherThread(const OtherThread&) = delete;
  OtherThread& operator=(const OtherThread&) = delete;

  // Begins; the work before has been waited for.
  void begin(std::function<void()> work);
  // Until the work is done, if any is under way; throws what it threw.
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
