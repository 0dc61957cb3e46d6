// Ctrl-C and SIGTERM end a run as its limit would: the verdict, counters, JSON and all files are
// written, and the exit status says which it was, 130 or 143. A second request, half a second later
// or more, ends the process at once.
#pragma once

namespace tandem {

// From now on the first SIGINT or SIGTERM is only noted, and what follows it within half a second.
void note_interruptions();
// Both signals end the process at once again, as before.
void forget_interruptions();
// The signal that was noted, SIGPIPE when nobody reads standard output any more, or 0.
int interruption();
void note_broken_pipe();
// The exit status of a command that was interrupted; `status` itself when it was not.
int interrupted_status(int status);

}  // namespace tandem
