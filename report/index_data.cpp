#include "report/index_data.hpp"

#include <nlohmann/json.hpp>

namespace tandem {

std::optional<nlohmann::json> index_row(const nlohmann::json& run, const std::string& page) try {
  const nlohmann::json& counters = run.at("counters");
  nlohmann::json row{{"page", page},
                     {"program", run.at("program").get<std::string>()},
                     {"file", run.value("file", std::string())},
                     {"preset", run.at("preset").at("name").get<std::string>()},
                     {"model", run.at("model").get<std::string>()},
                     {"outcome", run.at("outcome").get<std::string>()},
                     {"cycles", counters.at("cycles").get<std::uint64_t>()},
                     {"busiest", nullptr}};
  for (const auto& [name, count] : counters.at("causes").items()) {
    row["causes"][name] = count.get<std::uint64_t>();
  }
  if (run.contains("advice")) row["busiest"] = run.at("advice").at("busiest");
  return row;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

}  // namespace tandem
