// One compilation from bytes to bytes.
#pragma once

#include <string>

#include "compiler/levels.hpp"

namespace tandem::compiler {

struct Job {
  std::string name;           // of the input, for diagnostics
  std::string input;          // its bytes
  std::optional<Level> from;  // otherwise as the input says
  Level emit = Level::elf;
  const Parameters* machine = nullptr;
};

struct Outcome {
  std::string output;    // meaningful when there are no errors
  std::string messages;  // for people: errors, remarks
  bool ok = false;
};

// Never throws and never ends the process on bad input.
Outcome compile(const Job& job);

}  // namespace tandem::compiler
