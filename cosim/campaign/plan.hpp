// Work that many processes share: what is to be done, in the order in which it is handed out, and
// what does it. A plan follows from a file alone, so that any process can work on any part of it.
// Its results stand in a Store; docs/campaigns.md.
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
  std::string noun = "seeds";     // what people call the seeds of this plan
  std::uint64_t timeout = 600;    // seconds for one seed before it counts as hanging
  std::vector<std::string> keys;  // of the configurations: what their results are filed under
  std::vector<Unit> units;
  // Called in the process that does the work, which runs other seeds of the configuration with it.
  std::function<SeedRun(std::size_t configuration)> begin;

  [[nodiscard]] const std::string& key(const Unit& unit) const { return keys[unit.configuration]; }
};

// Seeds of the unit that have no result yet.
std::uint64_t missing_seeds(const Plan& plan, const Unit& unit, const Store& store);

}  // namespace tandem
