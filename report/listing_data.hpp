// The annotated listing of a report: cycles by bundle and by source line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "report/run_data.hpp"

namespace tandem {

// {"met", "text", "rows": [{"pc", "place", "source", "call", "operation", "text", "cycles",
// "issues", "lost"}]}: the `hottest` bundles, by PC. "lost" has the causes that are not 0.
nlohmann::json bundles_json(std::span<const BundleProfile> bundles, const Image& image,
                            std::size_t hottest);
// {"total", "rows": [{"source", "text", "cycles", "issues", "lost"}]}: the `hottest` lines, in
// order of file and line. No rows without a line table.
nlohmann::json lines_json(std::span<const BundleProfile> bundles, const Image& image,
                          const SourceReader& source, std::size_t hottest);

// {"total", "rows": [{"operation", "cycles", "issues", "lost"}]}: the `hottest` of the operations
// that the line table names ("jit(f)/dot_general"), by name. No rows if it names none.
nlohmann::json operations_json(std::span<const BundleProfile> bundles, const Image& image,
                               std::size_t hottest);

}  // namespace tandem
