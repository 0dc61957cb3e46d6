// Another program's words.
#pragma once

#include <string>
#include <vector>

namespace tandem {

struct ProgramOutput {
  int status = -1;   // -1: it could not be started or died of a signal
  std::string text;  // standard output and standard error
};

// Runs a program found by PATH, which reads nothing, to its end. Ctrl-C is not for it.
ProgramOutput run_program(const std::vector<std::string>& command);

}  // namespace tandem
