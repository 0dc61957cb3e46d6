// The scheduler's report on linear blocks, as JSON: `tandem asm --report` and the page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "assembler/linear/block_report.hpp"

namespace tandem {

// {"name", "source", "schedule", "operations", "bundles", "slots": {name: bundles}, "spills":
// {"constants", "words", "row_slots"}, "predicated": [place], "loops": [{"head", "branch",
// "pipelined", "interval", "minimum", "bound": {"by", "resources", "recurrence", "lines"},
// "stages", "unrolled", "bundles", "registers": {file: n}, "reason", "culprit", "text"}]}. Places
// are "file:line". `interval`, `stages` and `unrolled` are null if there is no pipeline, `minimum`
// and `bound` if no bound is known, `reason` if there is a pipeline, `culprit` if no operation is
// to blame.
nlohmann::json schedule_json(const BlockReport& report);

}  // namespace tandem
