#include "python/pjrt/programs/group.hpp"

#include <fmt/format.h>

#include <utility>

namespace tandem::pjrt {

void Group::perform(std::size_t partition, const std::function<void()>& work) {
  Status status;
  if (has_failed()) {
    status = {PJRT_Error_Code_CANCELLED, "another device has failed"};
  } else {
    try {
      work();
      return;
    } catch (...) {
      status = status_of_current_exception();
    }
  }
  throw Failure{note(partition, std::move(status))};
}

void Group::fail(std::size_t partition, Status status) {
  throw Failure{note(partition, std::move(status))};
}

void Group::end(Status status) {
  const std::lock_guard lock(mutex_);
  if (first_.ok()) first_ = std::move(status);
  failed_.store(true, std::memory_order_relaxed);
}

Status Group::note(std::size_t partition, Status status) {
  const std::lock_guard lock(mutex_);
  if (first_.ok()) {
    first_ = std::move(status);
    first_.message = fmt::format("on device {} (partition {} of {}): {}", devices_[partition],
                                 partition, devices_.size(), first_.message);
    failed_.store(true, std::memory_order_relaxed);
  }
  return first_;
}

}  // namespace tandem::pjrt
