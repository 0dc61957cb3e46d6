#include "python/pjrt/programs/meeting.hpp"

#include <chrono>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

// The interval of checks whether to continue: an event that ends a wait early may not notify
// anyone.
constexpr std::chrono::milliseconds patience{20};

[[noreturn]] void give_up() {
  throw Failure{{PJRT_Error_Code_CANCELLED, "the run was interrupted"}};
}

}  // namespace

void Meeting::meet(std::size_t place, Present member,
                   const std::function<void(std::span<const Present>)>& work,
                   const std::function<bool()>& goes_on) {
  std::unique_lock lock(mutex_);
  if (state_ == State::given_up) give_up();
  present_[place] = member;
  if (++come_ != present_.size()) {
    while (state_ == State::gathering || state_ == State::working) {
      changed_.wait_for(lock, patience);
      if (state_ == State::gathering && !goes_on()) state_ = State::given_up;
    }
    if (state_ == State::given_up) give_up();
    return;
  }
  state_ = State::working;
  lock.unlock();
  const auto finish = [&](State state) {
    lock.lock();
    state_ = state;
    changed_.notify_all();
  };
  try {
    work(present_);
  } catch (...) {
    finish(State::given_up);
    throw;
  }
  finish(State::done);
}

}  // namespace tandem::pjrt
