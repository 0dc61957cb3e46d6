// Ctrl-C and SIGTERM end a run in the same way as its limit: the verdict, counters, JSON and all
// files are written, and the exit status tells which it was, 130 or 143. A second request, half a
// second later or more, ends the process immediately.
#pragma once

namespace tandem {

// From now on the first SIGINT or SIGTERM is only recorded, as are those that follow within half a
// second.
void note_interruptions();
// Both signals end the process immediately again, as before.
void forget_interruptions();
// The recorded signal, SIGPIPE when standard output has no reader any more, or 0.
int interruption();
void note_broken_pipe();
// The exit status of a command that was interrupted; `status` itself when it was not.
int interrupted_status(int status);

}  // namespace tandem
