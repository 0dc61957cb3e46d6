// Advice about lost cycles: for each place and cause the remedy, and its maximum gain.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tandem {

// Of the data of a page (report/run_data.hpp): its "counters", "lines" and "operations".
// {"busiest": {"unit", "cycles"}, "rows": [{"source", "text", "cause", "cycles", "at_most",
// "remedy"}]}: rows by `at_most`, the largest first; those below half a percent of all cycles are
// left out. "cycles" are those that the place loses to the cause; "at_most" is no more than what
// remains above the cycles that the busiest unit needs anyway. Without a line table the program as
// a whole is the place. Remedies are those of a compiled program where "operations" has rows.
nlohmann::json advice_json(const nlohmann::json& run);

}  // namespace tandem
