// Parts of the state, and stops, as text for people and as JSON for programs.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/debug/language/selection.hpp"
#include "cli/debug/session.hpp"

namespace tandem::debug {

// One element: "s3 = 7 (0x00000007)"; several: their shape and the numbers, 8 elements per line,
// long ones truncated with a note. Never-written elements are shown as "?".
std::string selection_text(const GoldenModel& model, const Selection& selection);
nlohmann::json selection_json(const GoldenModel& model, const Selection& selection);

// Why the program stopped, and its position.
std::string stop_text(const Session& session, const Stop& stop);
nlohmann::json stop_json(const Session& session, const Stop& stop);

// For Reply::data.
std::shared_ptr<const nlohmann::json> shared_json(nlohmann::json json);

// "bundle 120  pc 17 <loop+2>  kernel.s:40" and the bundle, in two or three lines.
std::string position_text(const Session& session);
// How the program ended, in one or several lines; "" while it runs.
std::string end_text(const Session& session);

}  // namespace tandem::debug
