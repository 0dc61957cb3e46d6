// Ctrl-C during a run or a compilation. Python's own handler only notes the signal and processes it
// when the interpreter continues, which it does not while it waits for a result; so a handler
// before it tells the devices to give up, and the wait ends.
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem::pjrt {

// Puts the handler before the one in place, unless that is the system's own (no interpreter).
// Before each run and compilation, because others replace handlers and restore Python's own.
void handle_interrupts();

// The interrupt state of an object that wants to know of Ctrl-C.
struct InterruptState {
  std::atomic<std::uint64_t> count{0};  // of all interrupts: orders them and requests
  std::atomic<bool> raised{false};      // since it was last lowered
};

// `state` is notified from now to remove_interrupt(). There are at most 256 at a time: 64 devices
// and the compiling threads.
void add_interrupt(InterruptState& state);
void remove_interrupt(InterruptState& state);

// A state that is notified as long as it exists.
class Interrupt {
 public:
  Interrupt() {
    handle_interrupts();
    add_interrupt(state_);
  }
  ~Interrupt() { remove_interrupt(state_); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool seen() const { return state_.raised.load(); }

 private:
  InterruptState state_;
};

}  // namespace tandem::pjrt
