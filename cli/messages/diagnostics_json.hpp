// Diagnostics for programs: as our own JSON, and as SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), which editors and code hosts show.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "isa/object/diagnostic.hpp"

namespace tandem {

// {"diagnostics": [{"severity": "error", "code": "E040", "file": "k.s", "line": 3, "column": 14,
// "length": 9, "message": ..., "hint": ..., "notes": [{"message", "file", "line", ...}]}]}: `code`
// of a warning is its name, as after -W. Lines and columns (bytes) count from 1; a place that is a
// whole file has none of them.
nlohmann::json diagnostics_json(const std::vector<Diagnostic>& diagnostics);

// A log of one run. Columns count characters.
nlohmann::json diagnostics_sarif(const std::vector<Diagnostic>& diagnostics);

}  // namespace tandem
