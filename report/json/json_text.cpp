#include "report/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace tandem {

std::string json_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The reader keeps a stack of its own; copies and comparisons are recursive.
nlohmann::json parse_json(std::string_view text) {
  bool is_deep = false;
  const auto look = [&is_deep](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
    is_deep = is_deep || depth > deepest_json;
    return !is_deep;
  };
  nlohmann::json json = nlohmann::json::parse(text, look, false);
  if (is_deep) json = nlohmann::json(nlohmann::json::value_t::discarded);
  return json;
}

}  // namespace tandem
