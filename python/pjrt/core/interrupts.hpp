// Ctrl-C while a run or a compilation goes on. Python's own handler only notes the signal and looks
// at it when the interpreter goes on, which it does not while it waits for a result; so a handler
// before it tells the devices to give up, and the wait ends.
#pragma once

#include <atomic>

namespace tandem::pjrt {

// Puts the handler before the one in place, unless that is the system's own (no interpreter).
// Before each run and compilation, as others replace handlers and put Python's own back.
void handle_interrupts();

// `flag` becomes true at Ctrl-C, from now to remove_interrupt(). Not more than 64 flags at a time
// are served.
void add_interrupt(std::atomic<bool>& flag);
void remove_interrupt(std::atomic<bool>& flag);

// A flag that is served as long as it exists.
class Interrupt {
 public:
  Interrupt() {
    handle_interrupts();
    add_interrupt(flag_);
  }
  ~Interrupt() { remove_interrupt(flag_); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool seen() const { return flag_.load(); }

 private:
  std::atomic<bool> flag_{false};
};

}  // namespace tandem::pjrt
