#include "cosim/campaign/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tandem {
namespace {

constexpr std::size_t most_others = 20;
constexpr double microseconds_per_second = 1e6;

class Summariser {
 public:
  Summariser(const Campaign& campaign, const Store& store) : campaign_(campaign), store_(store) {
    summary_.configurations.resize(campaign.configurations.size());
    summary_.units.resize(campaign.configurations.size());
    for (std::size_t i = 0; i < campaign.configurations.size(); ++i) {
      summary_.configurations[i].title = campaign.configurations[i].title();
    }
  }

  CampaignSummary run() {
    summary_.name = campaign_.name;
    summary_.wanted = campaign_.seeds * campaign_.configurations.size();
    for (const Unit& unit : campaign_units(campaign_)) add_unit(unit);
    std::stable_sort(summary_.kinds.begin(), summary_.kinds.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (const auto& [key, seed] : store_.contradictions()) {
      summary_.contradictions.push_back(fmt::format("{}, seed {}", key, seed));
    }
    summary_.duplicates = store_.duplicates();
    summary_.of_other_builds = store_.of_other_builds();
    summary_.damaged = store_.damaged();
    summary_.torn = store_.torn();
    return std::move(summary_);
  }

 private:
  void add_unit(const Unit& unit) {
    UnitSummary result;
    result.name = fmt::format("seeds {} to {}", unit.first, unit.first + unit.count - 1);
    const auto found = store_.results().find(campaign_.configurations[unit.configuration].key);
    for (std::uint64_t seed = unit.first; seed < unit.first + unit.count; ++seed) {
      const SeedRecord* record = nullptr;
      if (found != store_.results().end()) {
        const auto of_seed = found->second.find(seed);
        if (of_seed != found->second.end()) record = &of_seed->second;
      }
      if (record == nullptr) {
        ++result.missing;
      } else {
        add_record(unit.configuration, *record, result);
      }
    }
    summary_.units[unit.configuration].push_back(std::move(result));
  }

  void add_record(std::size_t configuration, const SeedRecord& record, UnitSummary& unit) {
    ConfigurationSummary& sums = summary_.configurations[configuration];
    ++summary_.done;
    ++sums.done;
    sums.halted += record.outcome == "halted" ? 1 : 0;
    sums.trapped += record.outcome == "trapped" ? 1 : 0;
    sums.bundles += record.bundles;
    sums.cycles += record.cycles;
    sums.microseconds += record.microseconds;
    unit.microseconds += record.microseconds;
    if (record.passed) return;
    ++sums.failed;
    ++summary_.failed;
    const std::string where = fmt::format("{}/{}", sums.title, record.seed);
    unit.failures.push_back(fmt::format("{}: {}", where, record.signature));
    add_failure(where, record);
  }

  void add_failure(const std::string& where, const SeedRecord& record) {
    const auto kind =
        std::find_if(summary_.kinds.begin(), summary_.kinds.end(),
                     [&](const FailureKind& k) { return k.signature == record.signature; });
    if (kind == summary_.kinds.end()) {
      summary_.kinds.push_back({record.signature, 1, where, {}, record.report});
      return;
    }
    ++kind->count;
    if (kind->others.size() < most_others) kind->others.push_back(where);
  }

  const Campaign& campaign_;
  const Store& store_;
  CampaignSummary summary_;
};

std::string rate(const ConfigurationSummary& sums) {
  if (sums.microseconds == 0) return "";
  return fmt::format("{:.0f} bundles/s a core", static_cast<double>(sums.bundles) *
                                                    microseconds_per_second /
                                                    static_cast<double>(sums.microseconds));
}

// Information for readers besides the verdicts.
std::string notes(const CampaignSummary& summary) {
  std::string text;
  for (const std::string& seed : summary.contradictions) {
    text += fmt::format("two different results: {}\n", seed);
  }
  const auto note = [&text](std::uint64_t count, const char* what) {
    if (count != 0) text += fmt::format("{} {}\n", count, what);
  };
  note(summary.duplicates, "results came twice and count once");
  note(summary.torn, "files end in a torn line, which is not counted");
  note(summary.damaged, "lines are damaged: their checksums are wrong");
  note(summary.of_other_builds, "results of other builds are not counted");
  return text;
}

}  // namespace

CampaignSummary summarise(const Campaign& campaign, const Store& store, const std::string& build) {
  CampaignSummary summary = Summariser(campaign, store).run();
  summary.build = build;
  return summary;
}

std::string summary_text(const CampaignSummary& summary, const std::string& file) {
  std::string text = fmt::format("campaign {}: {} of {} seeds, {} failed ({} kinds), {} missing\n",
                                 summary.name, summary.done, summary.wanted, summary.failed,
                                 summary.kinds.size(), summary.wanted - summary.done);
  for (const ConfigurationSummary& sums : summary.configurations) {
    text +=
        fmt::format("  {:20} {:8} halted {:6} trapped {:6} failed {:12} bundles  {}\n", sums.title,
                    sums.halted, sums.trapped, sums.failed, sums.bundles, rate(sums));
  }
  for (const FailureKind& kind : summary.kinds) {
    text += fmt::format("  {} x {}\n      tandem regress {} --repeat {}\n", kind.count,
                        kind.signature, file, kind.first);
  }
  return text + notes(summary);
}

nlohmann::json summary_json(const CampaignSummary& summary) {
  nlohmann::json json{{"name", summary.name},
                      {"build", summary.build},
                      {"wanted", summary.wanted},
                      {"done", summary.done},
                      {"failed", summary.failed},
                      {"passed", summary.passed()},
                      {"duplicates", summary.duplicates},
                      {"torn", summary.torn},
                      {"damaged", summary.damaged},
                      {"of_other_builds", summary.of_other_builds},
                      {"contradictions", summary.contradictions}};
  json["configurations"] = nlohmann::json::array();
  for (const ConfigurationSummary& sums : summary.configurations) {
    json["configurations"].push_back({{"title", sums.title},
                                      {"done", sums.done},
                                      {"halted", sums.halted},
                                      {"trapped", sums.trapped},
                                      {"failed", sums.failed},
                                      {"bundles", sums.bundles},
                                      {"cycles", sums.cycles},
                                      {"microseconds", sums.microseconds}});
  }
  json["kinds"] = nlohmann::json::array();
  for (const FailureKind& kind : summary.kinds) {
    json["kinds"].push_back({{"signature", kind.signature},
                             {"count", kind.count},
                             {"first", kind.first},
                             {"others", kind.others},
                             {"report", kind.report}});
  }
  return json;
}

}  // namespace tandem
