// Something that will have happened: a transfer, a run. Shared between the thread that does it, the
// buffers that it makes and the events that the framework holds.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

// Any thread may call any member. In a forked child they throw Failure.
class Completion {
 public:
  using Reader = std::function<void(const Status&)>;

  void finish(Status status);  // once; later calls change nothing
  [[nodiscard]] bool is_ready() const;
  // Blocks until finish().
  [[nodiscard]] const Status& wait() const;
  // Calls the reader with the status: now if ready, else from the thread that calls finish().
  void then(Reader reader);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ready_ = false;
  Status status_;  // constant once ready
  std::vector<Reader> readers_;
};

using SharedCompletion = std::shared_ptr<Completion>;
SharedCompletion finished(Status status = {});

// PJRT_Event: one holder of a completion.
class Event {
 public:
  explicit Event(SharedCompletion completion) : completion_(std::move(completion)) {}
  [[nodiscard]] Completion& completion() const { return *completion_; }

 private:
  SharedCompletion completion_;
};

}  // namespace tandem::pjrt
