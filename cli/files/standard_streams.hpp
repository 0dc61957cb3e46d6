// Standard input, output and error as a command can rely on them. A closed stream does not become
// the descriptor of the next opened file; a failed write is not an exception in the middle of a run
// but an exit status at its end; and the contents of a file name or a program cannot control the
// terminal: control characters except tab and newline are shown as `?`.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tandem {

// Once, before anything is read or written.
void guard_standard_streams();
// Writes the rest. The exit status: 2 if standard output did not take everything; a command whose
// reader has gone dies of SIGPIPE, like others.
int finish_standard_streams(int status);

// The text with control characters except tab and newline as `?`.
std::string without_controls(std::string_view text);

// To standard error without that filter: overwritten lines, and colours.
void show_unfiltered(std::string_view text);
// The same to standard output, after what is on its way there: colours.
void show_output_unfiltered(std::string_view text);

// The C library's own streams, for code that needs their descriptors.
std::FILE* plain_stdout();
std::FILE* plain_stderr();

}  // namespace tandem
