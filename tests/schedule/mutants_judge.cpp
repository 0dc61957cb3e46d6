#include "tests/schedule/mutants_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>

#include "assembler/assembler.hpp"
#include "schedule/proof/validate.hpp"
#include "tests/schedule/random_linear.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

bool differ(const Result& a, const Result& b) {
  if (a.bundles != b.bundles || a.issues.size() != b.issues.size() || a.labels != b.labels) {
    return true;
  }
  if (a.converted != b.converted) return true;
  for (std::size_t i = 0; i < a.issues.size(); ++i) {
    const Issue& x = a.issues[i];
    const Issue& y = b.issues[i];
    const bool same = x.operation == y.operation && x.slot == y.slot && x.bundle == y.bundle &&
                      x.target == y.target;
    if (!same) return true;
  }
  return false;
}

}  // namespace

std::vector<JudgedProgram> judged_programs(std::uint64_t first_seed, std::uint64_t count) {
  std::vector<JudgedProgram> found;
  AssembleOptions options;
  options.preset = "small";
  options.on_block = [&](const SourceSpan&, const LinearBlock& block, const Result& result) {
    found.push_back({block, result});
  };
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const SourceText source{"random.s", random_linear_program(seed, random_linear_knobs(seed))};
    REQUIRE(build({&source, 1}, options).diagnostics.empty());
  }
  return found;
}

Judged judged(const Mutant& mutant, const std::vector<JudgedProgram>& programs,
              std::uint32_t enough) {
  Judged result{mutant.name, 0, 0, "", 0};
  const auto begin = std::chrono::steady_clock::now();
  for (const JudgedProgram& program : programs) {
    const Result wrong =
        schedule_block(program.block, {Level::full, find_preset("small"), &mutant.faults});
    if (!wrong.ok() || wrong.cuts.empty() || !differ(wrong, program.right)) continue;
    ++result.changed;
    const std::string trouble = validate(program.block, wrong);
    if (trouble.empty()) continue;
    ++result.refused;
    if (result.first.empty()) result.first = trouble;
    if (result.refused >= enough) break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::string judged_table(const std::vector<Judged>& all) {
  std::uint32_t changing = 0;
  std::uint32_t caught = 0;
  std::string rows;
  for (const Judged& mutant : all) {
    if (mutant.changed == 0) continue;
    ++changing;
    caught += mutant.refused != 0 ? 1U : 0U;
    rows += fmt::format("| {} | {} | {} | {} |\n", mutant.name, mutant.changed, mutant.refused,
                        mutant.first.empty() ? "**not caught**" : mutant.first);
  }
  return fmt::format(
             "{} faults; {} of them change a schedule; the validator refuses a schedule of {} "
             "({:.1f}%).\n\n"
             "| fault | schedules changed | refused | the first is refused because |\n"
             "|---|---:|---:|---|\n",
             all.size(), changing, caught, changing == 0 ? 0.0 : 100.0 * caught / changing) +
         rows;
}

}  // namespace tandem::test
