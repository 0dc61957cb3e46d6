// The annotated listing of a report: cycles by bundle and by source line.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/run_data.hpp"

namespace tandem {

// Of every list: "step" is the cycles of a step, and "steps" of a row its cycles over time, [step,
// cycles, step, cycles, ...], where it has any. Steps are wide enough that a list is not too long.

// {"met", "text", "step", "rows": [{"pc", "place", "source", "call", "operation", "text", "cycles",
// "issues", "lost", "steps"}]}: the `hottest` bundles, by PC. "lost" has the causes that are not 0.
nlohmann::json bundles_json(const Profile& profile, const Image& image, std::size_t hottest);
// {"total", "step", "rows": [{"source", "text", "cycles", "issues", "lost", "steps"}]}: the
// `hottest` lines, in order of file and line. No rows without a line table.
nlohmann::json lines_json(const Profile& profile, const Image& image, const SourceReader& source,
                          std::size_t hottest);

// {"total", "step", "rows": [{"operation", "cycles", "issues", "lost", "steps"}]}: the `hottest` of
// the operations that the line table names ("jit(f)/dot_general"), by name. No rows if it names
// none.
nlohmann::json operations_json(const Profile& profile, const Image& image, std::size_t hottest);

}  // namespace tandem
