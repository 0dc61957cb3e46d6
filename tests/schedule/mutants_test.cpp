// Faults of the scheduler, judged by the validator alone: every sixth of tests/schedule/mutants.cpp
// at each commit, all nightly.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/schedule/mutants_judge.hpp"

namespace tandem::test {

TEST_CASE("the validator finds faults of the scheduler") {
  const std::vector<JudgedProgram> some = judged_programs(30'000, 60);
  const std::vector<Mutant> all = all_mutants();
  std::uint32_t changing = 0;
  std::uint32_t caught = 0;
  for (std::size_t i = 0; i < all.size(); i += 6) {
    const Judged result = judged(all[i], some, 1);
    if (result.changed == 0) continue;
    ++changing;
    caught += result.refused != 0 ? 1U : 0U;
    if (result.refused == 0) UNSCOPED_INFO("not caught: " << result.name);
  }
  // A dependence that others imply changes how urgent operations are, and so the schedule, but
  // nothing that matters.
  CHECK(10 * caught >= 9 * changing);
  CHECK(changing > 25);
}

// Writes its table to the file that TANDEM_MUTANTS_TABLE names.
TEST_CASE("the validator finds every fault of the scheduler that matters", "[.nightly]") {
  const std::vector<JudgedProgram> programs = judged_programs(31'000, 240);
  std::vector<Judged> results;
  for (const Mutant& mutant : all_mutants()) results.push_back(judged(mutant, programs, 3));
  const std::string table = judged_table(results);
  if (const char* path = std::getenv("TANDEM_MUTANTS_TABLE")) {  // NOLINT: one thread
    std::ofstream(path) << "# Faults of the scheduler, judged by its validator\n\n"
                           "Written by `TANDEM_MUTANTS_TABLE=benchmarks/schedule_mutants.md "
                           "build/test_schedule \"the validator finds every*\"`; do not edit.\n\n"
                        << table;
  }
  std::uint32_t changing = 0;
  std::uint32_t caught = 0;
  for (const Judged& result : results) {
    changing += result.changed != 0 ? 1U : 0U;
    caught += result.refused != 0 ? 1U : 0U;
    if (result.changed != 0 && result.refused == 0) UNSCOPED_INFO("not caught: " << result.name);
    if (result.seconds > 10) std::cout << result.name << ": " << result.seconds << " s\n";
  }
  CHECK(changing >= 200);
  CHECK(100 * caught >= 95 * changing);
}

}  // namespace tandem::test
