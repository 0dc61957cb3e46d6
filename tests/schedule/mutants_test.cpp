// Faults of the scheduler, judged by the validator alone: every sixth of
// tests/schedule/mutants.cpp.
#include <catch2/catch.hpp>

#include "assembler/assembler.hpp"
#include "schedule/proof/validate.hpp"
#include "tests/schedule/mutants.hpp"
#include "tests/schedule/random_linear.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

struct Program {
  LinearBlock block;
  Result right;
};

std::vector<Program> programs(std::uint64_t first, std::uint64_t count) {
  std::vector<Program> found;
  AssembleOptions options;
  options.preset = "small";
  options.on_block = [&](const SourceSpan&, const LinearBlock& block, const Result& result) {
    found.push_back({block, result});
  };
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const SourceText source{"random.s", random_linear_program(seed, random_linear_knobs(seed))};
    REQUIRE(build({&source, 1}, options).diagnostics.empty());
  }
  return found;
}

bool differ(const Result& a, const Result& b) {
  if (a.bundles != b.bundles || a.issues.size() != b.issues.size() || a.labels != b.labels) {
    return true;
  }
  for (std::size_t i = 0; i < a.issues.size(); ++i) {
    const Issue& x = a.issues[i];
    const Issue& y = b.issues[i];
    const bool same = x.operation == y.operation && x.slot == y.slot && x.bundle == y.bundle &&
                      x.target == y.target;
    if (!same) return true;
  }
  return false;
}

struct Judged {
  std::uint32_t tried = 0;   // schedules that the fault has changed
  std::uint32_t caught = 0;  // and that the validator refuses
};

// Until it is caught often enough, or has been tried on all.
Judged judged(const Mutant& mutant, const std::vector<Program>& programs, std::uint32_t enough) {
  Judged result;
  for (const Program& program : programs) {
    const Result wrong =
        schedule_block(program.block, {Level::full, find_preset("small"), &mutant.faults});
    if (!wrong.ok() || wrong.cuts.empty() || !differ(wrong, program.right)) continue;
    ++result.tried;
    result.caught += validate(program.block, wrong).empty() ? 0U : 1U;
    if (result.caught >= enough) break;
  }
  return result;
}

}  // namespace

TEST_CASE("the validator finds faults of the scheduler") {
  const std::vector<Program> some = programs(30'000, 12);
  const std::vector<Mutant> all = all_mutants();
  std::uint32_t tried = 0;
  std::uint32_t caught = 0;
  for (std::size_t i = 0; i < all.size(); i += 6) {
    const Judged result = judged(all[i], some, 1);
    if (result.tried == 0) continue;
    ++tried;
    caught += result.caught != 0 ? 1U : 0U;
    if (result.caught == 0) UNSCOPED_INFO("not caught: " << all[i].name);
  }
  CHECK(tried > 25);
  CHECK(caught + 2 >= tried);  // some change nothing that matters in so few programs
}

}  // namespace tandem::test
