// Ctrl-C while a run or a compilation goes on. Python's own handler only notes the signal and looks
// at it when the interpreter goes on, which it does not while it waits for a result; so a handler
// before it tells the devices to give up, and the wait ends.
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem::pjrt {

// Puts the handler before the one in place, unless that is the system's own (no interpreter).
// Before each run and compilation, as others replace handlers and put Python's own back.
void handle_interrupts();

// What Ctrl-C tells those who want to know.
struct InterruptState {
  std::atomic<std::uint64_t> count{0};  // of all: what was asked for before one is told by this
  std::atomic<bool> raised{false};      // since somebody has lowered it
};

// `state` is told from now to remove_interrupt(). Not more than 256 at a time are: 64 devices and
// whoever compiles.
void add_interrupt(InterruptState& state);
void remove_interrupt(InterruptState& state);

// A state that is told as long as it exists.
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
