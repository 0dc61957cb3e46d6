// A run's data (report/run_data.hpp) as a text: the first part of a page, for a terminal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tandem {

// Cycles and their bound, causes, the lines with most cycles and the causes of their losses, and
// remedies. At most `rows` lines and remedies.
std::string explanation_text(const nlohmann::json& run, std::size_t rows);

// The same as data: {"program", "preset", "cycles", "issued", "busiest", "causes", "lines",
// "operations", "advice"}.
nlohmann::json explanation_json(const nlohmann::json& run);

}  // namespace tandem
