// Ctrl-C while a run goes on. Python's own handler only notes the signal and looks at it when the
// interpreter goes on, which it does not while it waits for a result; so a handler before it tells
// the devices to give up, and the wait ends.
#pragma once

#include <atomic>

namespace tandem::pjrt {

// Puts the handler before the one in place, unless that is the system's own (no interpreter).
// Before each run, as others replace handlers and put Python's own back.
void handle_interrupts();

// `flag` becomes true at Ctrl-C, from now to remove_interrupt(). Not more than 64 flags at a time
// are served.
void add_interrupt(std::atomic<bool>& flag);
void remove_interrupt(std::atomic<bool>& flag);

}  // namespace tandem::pjrt
