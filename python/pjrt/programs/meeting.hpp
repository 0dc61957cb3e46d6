// Where the threads of several devices come together, so that one of them does for all what needs
// all devices at once.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/device/device.hpp"

namespace tandem::pjrt {

struct Run;

class Meeting {
 public:
  struct Present {
    const Run* run = nullptr;
    runtime::Device* device = nullptr;
  };

  explicit Meeting(std::size_t members) : present_(members) {}

  // The last that comes does the work, while the devices of the others are its own; they come back
  // when it is done. Throws what the work throws, in all threads' place in that one; where not all
  // come, once `goes_on` says so, Failure in those that have.
  void meet(std::size_t place, Present member,
            const std::function<void(std::span<const Present>)>& work,
            const std::function<bool()>& goes_on);

 private:
  enum class State : std::uint8_t { gathering, working, done, given_up };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Present> present_;
  std::size_t come_ = 0;
  State state_ = State::gathering;
};

}  // namespace tandem::pjrt
