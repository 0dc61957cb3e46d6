// Work shared by many processes: the units, in the order in which they are distributed, and the
// code that executes them. A plan follows from a file alone, so that any process can work on any
// part of it. Its results are in a Store; docs/campaigns.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cosim/campaign/record.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

// Consecutive seeds of one configuration.
struct Unit {
  std::size_t configuration = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// Runs one seed of a configuration. The record's build is left to the caller.
using SeedRun = std::function<SeedRecord(std::uint64_t seed)>;

struct Plan {
  std::string name;
  std::string noun = "seeds";     // the name of this plan's seeds for people
  std::uint64_t timeout = 600;    // seconds for one seed before it counts as hanging
  std::vector<std::string> keys;  // of the configurations: the keys of their results
  std::vector<Unit> units;
  // Called in the process that does the work; it is reused for other seeds of the configuration.
  std::function<SeedRun(std::size_t configuration)> begin;

  [[nodiscard]] const std::string& key(const Unit& unit) const { return keys[unit.configuration]; }
};

// Seeds of the unit that have no result yet.
std::uint64_t missing_seeds(const Plan& plan, const Unit& unit, const Store& store);

}  // namespace tandem
