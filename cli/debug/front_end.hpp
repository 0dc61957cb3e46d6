// Where commands come from and answers go: scripts, standard input, a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/debug/shell.hpp"

namespace tandem::debug {

struct FrontEndOptions {
  std::vector<std::string> scripts;  // files of commands
  bool json = false;                 // one object a line for each command
};

// Carries out the scripts, then what the user types; without scripts and without a terminal, what
// standard input holds. Returns the exit status: 1 after an `assert` that did not hold. Throws
// UserError for a mistake in a script, with its place.
int run_front_end(Shell& shell, const FrontEndOptions& options);

}  // namespace tandem::debug
