// Where the threads of several devices come together, so that one of them does the work that needs
// all devices at the same time.
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

  // The last thread to arrive does the work and owns the devices of the others meanwhile; they
  // return when it is done. An exception of the work is thrown in that thread only. If not all
  // arrive, Failure is thrown in the others as soon as `goes_on` says so.
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
