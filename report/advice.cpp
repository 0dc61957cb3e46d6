#include "report/advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tandem {
namespace {

struct Remedy {
  std::string_view cause;
  std::string_view of_kernel;
  std::string_view of_compiled;
};
constexpr std::array remedies{
#define REMEDY(cause, kernel, compiled) Remedy{#cause, kernel, compiled},
#include "report/remedies.def"
#undef REMEDY
};

const Remedy* find_remedy(std::string_view cause) {
  const auto* const found = std::find_if(remedies.begin(), remedies.end(),
                                         [&](const Remedy& row) { return row.cause == cause; });
  return found == remedies.end() ? nullptr : found;
}

struct Busiest {
  std::string unit = "none";
  std::uint64_t cycles = 0;
};

// The cycles that the work takes on the busiest unit at its full rate.
Busiest busiest_unit(const nlohmann::json& counters) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> units{
      {{"mxu_use", "matrix unit"},
       {"valu_use", "vector ALUs"},
       {"memory_read_use", "memory in"},
       {"memory_write_use", "memory out"}}};
  const auto cycles = counters.at("cycles").get<double>();
  Busiest busiest;
  for (const auto& [figure, name] : units) {
    const double use = counters.at("figures").at(std::string(figure)).get<double>();
    const auto needed = static_cast<std::uint64_t>(std::llround(use * cycles));
    if (needed > busiest.cycles) busiest = {std::string(name), needed};
  }
  return busiest;
}

// The places with their lost cycles; the whole program if it has no lines.
nlohmann::json places(const nlohmann::json& run) {
  const nlohmann::json& rows = run.at("lines").at("rows");
  if (!rows.empty()) return rows;
  return nlohmann::json::array(
      {{{"source", ""}, {"text", ""}, {"lost", run.at("counters").at("causes")}}});
}

}  // namespace

nlohmann::json advice_json(const nlohmann::json& run) {
  const nlohmann::json& counters = run.at("counters");
  const auto cycles = counters.at("cycles").get<std::uint64_t>();
  const Busiest busiest = busiest_unit(counters);
  const std::uint64_t above = cycles - std::min(cycles, busiest.cycles);
  const bool is_compiled = !run.at("operations").at("rows").empty();
  nlohmann::json rows = nlohmann::json::array();
  for (const nlohmann::json& place : places(run)) {
    for (const auto& [cause, lost] : place.at("lost").items()) {
      const Remedy* const remedy = find_remedy(cause);
      const auto count = lost.get<std::uint64_t>();
      const std::uint64_t at_most = std::min(count, above);
      if (remedy == nullptr || 200 * at_most < cycles || at_most == 0) continue;
      rows.push_back({{"source", place.at("source")},
                      {"text", place.at("text")},
                      {"cause", cause},
                      {"cycles", count},
                      {"at_most", at_most},
                      {"remedy", is_compiled ? remedy->of_compiled : remedy->of_kernel}});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const nlohmann::json& a, const nlohmann::json& b) {
    return a.at("at_most").get<std::uint64_t>() > b.at("at_most").get<std::uint64_t>();
  });
  return {{"busiest", {{"unit", busiest.unit}, {"cycles", busiest.cycles}}},
          {"rows", std::move(rows)}};
}

}  // namespace tandem
