// JSON from and to text. What reads it and what writes it are large templates, which json_text.cpp
// alone makes code of.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tandem {

// As it is printed: names that are no UTF-8 (a file may be called anything) with U+FFFD for what
// cannot be said. `indent` -1: all in one line.
std::string json_text(const nlohmann::json& json, int indent = 2);
// is_discarded() when the text is no JSON.
nlohmann::json parse_json(std::string_view text);

}  // namespace tandem
