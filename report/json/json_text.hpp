// JSON from and to text. The reader and the writer are large templates, which are instantiated in
// json_text.cpp only.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tandem {

// As printed: in names that are not UTF-8 (a file may have any name) U+FFFD replaces invalid bytes.
// `indent` -1: all on one line.
std::string json_text(const nlohmann::json& json, int indent = 2);
// Values inside of each other.
inline constexpr int deepest_json = 100;
// is_discarded() when the text is not JSON, or is deeper.
nlohmann::json parse_json(std::string_view text);

}  // namespace tandem
