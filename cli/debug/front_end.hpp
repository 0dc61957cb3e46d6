// Where commands come from and answers go: scripts, standard input, a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/debug/shell.hpp"

namespace tandem::debug {

struct FrontEndOptions {
  std::vector<std::string> scripts;  // files of commands
  bool json = false;                 // one object per line for each command
};

// Executes the scripts, then the user's input; without scripts and without a terminal, the contents
// of standard input. Returns the exit status: 1 after a failed `assert`. Throws UserError for an
// error in a script, with its place.
int run_front_end(Shell& shell, const FrontEndOptions& options);

}  // namespace tandem::debug
