// Long comparisons of arithmetic, cut into numbered pieces: all of them together cover the promise
// of docs/verification.md, any one alone is a sample.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tandem::arithmetic {

struct Finding {
  std::uint64_t vectors = 0;
  std::uint64_t differences = 0;
  std::string first;  // of the differences
};

struct Sweep {
  std::string name;
  std::string what;
  std::uint64_t pieces = 0;
  std::function<Finding(std::uint64_t piece)> run;
};

// From now on the first result that each piece compares has its lowest bit changed: shows that a
// difference is seen.
void plant_difference();

// Verilated units are made when a piece runs.
std::vector<Sweep> sweeps();

}  // namespace tandem::arithmetic
