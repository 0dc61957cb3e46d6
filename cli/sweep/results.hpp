// The results of a study's points: a table for spreadsheets, JSON for programs and the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/sweep/programs.hpp"
#include "cli/sweep/study.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct PointResult {
  StudyPoint point;
  const SeedRecord* record = nullptr;  // from the store; nullptr: not there yet
};

// In file order: program by program, and within each its machines.
std::vector<PointResult> point_results(const Study& study, StudyPrograms& programs,
                                       const Store& store);

// {"format", "name", "machines": {sizes: {"gates", "flip_flops", "memory_bits", "modules"}},
// "sensitivity": [...], "meanings", "points": [{"program", "machine", "sizes", "parameters",
// "area", "outcome", "cycles", "bundles", "pareto", "counters", "dearest"} or with "why" in place
// of the missing data of a point that did not halt]}
nlohmann::json sweep_json(const Study& study, const std::vector<PointResult>& results);
// One line per point, with names in the first line: program, machine, each size and timing, area,
// outcome, cycles, bundles, whether it is Pareto-optimal, the cause that most cycles were lost to,
// each cause.
std::string sweep_csv(const nlohmann::json& sweep);
// For a person.
std::string sweep_text(const nlohmann::json& sweep);
// Whether every point has cycles.
bool is_complete(const std::vector<PointResult>& results);

}  // namespace tandem
