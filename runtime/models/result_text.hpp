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
  bool interrupted = false;  // running: ended by the user, not by the limit
};

// "PC 5 (k.s:3)", with the operation in the slot if it has its own line.
std::string pc_text(const Image& image, std::uint32_t pc);
std::string pc_text(const Image& image, std::uint32_t pc, Slot slot);
// The bundle as text, on a line by itself; "" outside the program's text.
std::string bundle_line(const Image& image, std::uint32_t pc);

// One or several lines, ending in '\n'.
std::string result_text(const Runner& runner, const RunResult& result, const Image& image);

}  // namespace tandem
