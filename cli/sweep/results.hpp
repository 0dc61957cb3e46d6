// What is known of a study's points: a table for spreadsheets, JSON for programs and the page.
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
  const SeedRecord* record = nullptr;  // the store's; nullptr: not there yet
};

// In the order of the file: program by program, its machines in theirs.
std::vector<PointResult> point_results(const Study& study, StudyPrograms& programs,
                                       const Store& store);

// {"format", "name", "machines": {sizes: {"gates", "flip_flops", "memory_bits", "modules"}},
// "sensitivity": [...], "meanings", "points": [{"program", "machine", "sizes", "parameters",
// "area", "outcome", "cycles", "bundles", "pareto", "counters", "dearest"} or with "why" in place
// of what a point that did not halt lacks]}
nlohmann::json sweep_json(const Study& study, const std::vector<PointResult>& results);
// A line a point, its names in the first: program, machine, each size and timing, area, outcome,
// cycles, bundles, whether it is on the front, the cause that most cycles were lost to, each cause.
std::string sweep_csv(const nlohmann::json& sweep);
// For a person.
std::string sweep_text(const nlohmann::json& sweep);
// Whether every point has cycles.
bool is_complete(const std::vector<PointResult>& results);

}  // namespace tandem
