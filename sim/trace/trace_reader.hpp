// Reads back from a trace when each bundle issued and why the other cycles were lost.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::trace {

// An error in a file; a message for the user.
struct ReadError {
  std::string message;
};

struct Place {
  std::string file;   // "" when the program had no line table
  std::string label;  // "loop+3"
  std::uint32_t line = 0;
};

// A bundle that issues, or adjacent cycles lost for one cause before a bundle.
struct Span {
  std::uint64_t first = 0;  // cycle
  std::uint64_t count = 0;  // cycles
  bool issued = false;
  std::uint32_t name = 0;   // of the cause, in Timeline::names; of the bundle
  std::uint32_t place = 0;  // in Timeline::places: of the bundle, or of the one that waits
};

struct Timeline {
  std::string preset;
  std::string window;  // "" is the whole run
  bool ended = false;  // the run ended while it was traced
  std::uint64_t cycles = 0;
  std::vector<Span> spans;  // in order of time
  std::vector<std::string> names;
  std::vector<Place> places;
};

// Reads the bytes of a trace that Tandem wrote. Throws ReadError for any others.
Timeline read_timeline(std::string_view file);

}  // namespace tandem::trace
