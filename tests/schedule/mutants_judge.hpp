// Judging faults of the scheduler by its validator alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"
#include "tests/schedule/mutants.hpp"

namespace tandem::test {

struct JudgedProgram {
  schedule::LinearBlock block;
  schedule::Result right;
};

// The linear blocks of random programs.
std::vector<JudgedProgram> judged_programs(std::uint64_t first_seed, std::uint64_t count);

struct Judged {
  std::string name;
  std::uint32_t changed = 0;  // schedules that the fault has changed
  std::uint32_t refused = 0;  // and that the validator refuses
  std::string first;          // its first message
  double seconds = 0;
};

// Goes through the programs until `enough` schedules have been refused.
Judged judged(const Mutant& mutant, const std::vector<JudgedProgram>& programs,
              std::uint32_t enough);

// As Markdown: figures, then one row for each fault that has changed something.
std::string judged_table(const std::vector<Judged>& all);

}  // namespace tandem::test
