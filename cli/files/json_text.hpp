// JSON as it is printed: names that are no UTF-8 (a file may be called anything) with U+FFFD for
// what cannot be said.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tandem {

inline std::string json_text(const nlohmann::json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tandem
