// One point of a study after the other on the cycle-exact model, and all of them as a plan.
#pragma once

#include "cli/sweep/programs.hpp"
#include "cli/sweep/study.hpp"
#include "cosim/campaign/plan.hpp"

namespace tandem {

// For a point that could not be built or started for its machine; its record's report holds the
// reason.
inline constexpr const char* outcome_refused = "refused";
inline constexpr const char* outcome_limit = "limit";

// The key of a point's results.
std::string point_key(const Study& study, StudyPrograms& programs, const StudyPoint& point);

// The points in order, one unit each; the seed is that of the memory's timing, 1. A record's data
// are the counters (report/counters.hpp) of all launches together. Study and programs must outlive
// the plan.
Plan sweep_plan(const Study& study, StudyPrograms& programs);

}  // namespace tandem
