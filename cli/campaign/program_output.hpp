// The output of another program.
#pragma once

#include <string>
#include <vector>

namespace tandem {

struct ProgramOutput {
  int status = -1;   // -1: it could not be started or died of a signal
  std::string text;  // standard output and standard error
};

// Runs a program found in PATH, with empty input, to completion. It does not get Ctrl-C.
ProgramOutput run_program(const std::vector<std::string>& command);

}  // namespace tandem
