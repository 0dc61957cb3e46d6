// A thread in which the host's own functions are called, one after the other, in the order of the
// requests. It may wait for the interpreter's lock, and for a device that a function uses; so it is
// not a device's thread, and no device waits for it.
#pragma once

#include <functional>
#include <memory>

namespace tandem::pjrt {

class HostLane {
 public:
  using Job = std::function<void()>;  // throws nothing

  HostLane();
  // Posted jobs are still done: here, or by the thread alone if a function is running, which may
  // need locks that this thread holds.
  ~HostLane();
  HostLane(const HostLane&) = delete;
  HostLane& operator=(const HostLane&) = delete;

  // Any thread; the lane's own starts with the first job.
  void post(Job job);

  // Blocks until no lane has anything to do.
  static void wait_for_all();

  // The lane to use instead of `lane` from this thread. A function that runs in a lane may wait for
  // runs that it starts, so their calls are made in another one.
  static std::shared_ptr<HostLane> from_here(const std::shared_ptr<HostLane>& lane);

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;
};

}  // namespace tandem::pjrt
