// How a run ended, for people.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/models/runner.hpp"

namespace tandem {

struct RunResult {
  Outcome outcome = Outcome::running;  // running: the limit was met
  std::uint64_t limit = 0;             // steps allowed
  double seconds = 0;
  bool interrupted = false;  // running: not the limit ended it, but its user
};

// One or several lines, ending in '\n'.
std::string result_text(const Runner& runner, const RunResult& result, const Image& image);

}  // namespace tandem
