#include "report/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace tandem {

std::string json_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::json parse_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace tandem
