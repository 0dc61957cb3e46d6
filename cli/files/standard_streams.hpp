// Standard input, output and error as a command can rely on them. A stream that is closed does not
// become the descriptor of the next file that is opened; writing where nothing can be written is no
// exception in the middle of a run but an exit status at its end; and what a file name or a program
// holds cannot steer the terminal: control characters but tab and newline are shown as `?`.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tandem {

// Once, before anything is read or written.
void guard_standard_streams();
// Writes what is left. The exit status: 2 when standard output did not take everything; a command
// whose reader has gone dies of SIGPIPE as others do.
int finish_standard_streams(int status);

// The text with control characters but tab and newline as `?`.
std::string without_controls(std::string_view text);

// To standard error without that filter: lines that are overwritten, and colours.
void show_unfiltered(std::string_view text);
// The same to standard output, after what is on its way there: colours.
void show_output_unfiltered(std::string_view text);

// The C library's own streams, for what needs their descriptors.
std::FILE* plain_stdout();
std::FILE* plain_stderr();

}  // namespace tandem
