#include "cli/report/given_options.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tandem {
namespace {

constexpr std::array<std::string_view, 12> left_out{
    "--output", "--data",    "--compare", "--on",      "--out",      "--json",
    "--help",   "--listing", "--preset",  "--machine", "--counters", "--with-trace"};

}  // namespace

nlohmann::json given_options(Command command) {
  nlohmann::json json = nlohmann::json::object();
  for (const Option& option : command.options()) {
    const std::vector<std::string> values = option.given();
    const std::vector<std::string> names = option.names();
    if (values.empty() || option.group().starts_with("Timing")) continue;
    const bool is_output = std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return std::find(left_out.begin(), left_out.end(), name) != left_out.end();
    });
    if (is_output) continue;
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : " ") + value;
    json[names.empty() ? option.place() : names.back()] = text;
  }
  return json;
}

}  // namespace tandem
