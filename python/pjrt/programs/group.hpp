// The runs of one program on several devices, which are one run to the caller.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "python/pjrt/core/status.hpp"
#include "python/pjrt/programs/meeting.hpp"

namespace tandem::pjrt {

class Group {
 public:
  // The numbers of the devices, partition by partition.
  explicit Group(std::vector<int> devices)
      : devices_(std::move(devices)), meeting_(devices_.size()) {}

  // Does the work of one partition, in the thread of its device. Throws Failure when that throws,
  // and then the others need not continue; if another one has failed, the failure of that one. The
  // message names the device.
  void perform(std::size_t partition, const std::function<void()>& work);
  // Throws Failure: this partition has failed, by `status` if no other has before.
  [[noreturn]] void fail(std::size_t partition, Status status);
  // The same for one that could not begin, because of a failure that has been reported elsewhere.
  void end(Status status);
  // Where runs that send to each other come together.
  [[nodiscard]] Meeting& meeting() { return meeting_; }
  // For running work: whether to give up.
  [[nodiscard]] bool has_failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  // The first failure of the group, which this is if there was none.
  Status note(std::size_t partition, Status status);

  const std::vector<int> devices_;
  Meeting meeting_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Status first_;
};

}  // namespace tandem::pjrt
