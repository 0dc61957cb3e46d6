#include "cosim/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cosim/campaign/toml_reader.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/session/model_list.hpp"
#include "isa/machine.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t most_seeds = std::uint64_t{1} << 40U;

class Reader {
 public:
  explicit Reader(std::string file) : toml_(std::move(file)) {}

  Campaign read(const std::string& text) {
    const toml::table table = toml_.parse(text);
    toml_.only(table, {"name", "first_seed", "seeds", "pack", "timeout", "models", "plant",
                       "presets", "knobs"});
    Campaign campaign;
    campaign.name = toml_.text(table, "name", toml_.file());
    campaign.first_seed = toml_.number(table, "first_seed", campaign.first_seed, 0, most_seeds);
    campaign.seeds = toml_.number(table, "seeds", campaign.seeds, 1, most_seeds);
    campaign.pack = toml_.number(table, "pack", campaign.pack, 1, 1'000'000);
    campaign.timeout = toml_.number(table, "timeout", campaign.timeout, 1, 1'000'000);
    models_ = models(table);
    plant_ = toml_.text(table, "plant", "");
    if (!plant_.empty()) toml_.checked(table["plant"].node(), [&] { parse_fault(plant_); });
    for (const Parameters* preset : presets_of(table)) {
      for (const KnobSet& knobs : knob_sets(table)) {
        campaign.configurations.push_back(configuration(*preset, knobs));
      }
    }
    return campaign;
  }

 private:
  struct KnobSet {
    std::string name = "default";
    KnobChoices values;
  };

  std::vector<const Parameters*> presets_of(const toml::table& table) const {
    std::vector<const Parameters*> presets;
    toml_.each_text(table, "presets", [&](const toml::node& entry, const std::string& name) {
      const FoundMachine found = find_sizes(name);
      const Parameters* const preset = found.machine;
      if (preset == nullptr) toml_.refuse(&entry, found.complaint);
      if (std::find(presets.begin(), presets.end(), preset) != presets.end()) {
        toml_.refuse(&entry, "this preset is listed twice");
      }
      presets.push_back(preset);
    });
    if (presets.empty()) {
      toml_.refuse(table.get("presets"),
                   R"(presets is a list of names, as presets = ["nano", "small"])");
    }
    return presets;
  }

  std::vector<KnobSet> knob_sets(const toml::table& table) const {
    if (table.get("knobs") == nullptr) return {KnobSet{}};
    std::vector<KnobSet> sets;
    std::set<std::string> names;
    toml_.each_table(table, "knobs", "sets of knobs", [&](const toml::table& values) {
      sets.push_back(knob_set(values));
      if (!names.insert(sets.back().name).second) {
        toml_.refuse(&values, fmt::format("a second set of knobs called {}", sets.back().name));
      }
    });
    return sets;
  }

  KnobSet knob_set(const toml::table& table) const {
    KnobSet set;
    set.name = toml_.text(table, "name", set.name);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name") continue;
      const std::string assignment = name + "=" + value_text(node);
      toml_.checked(&node, [&] { choose_knob(set.values, assignment); });
    }
    return set;
  }

  std::string value_text(const toml::node& node) const {
    if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
    if (const auto value = node.value_exact<bool>()) return *value ? "1" : "0";
    if (const auto value = node.value_exact<std::string>()) return *value;
    toml_.refuse(&node, "a knob is a number, true, false or \"LOW..HIGH\"");
  }

  runtime::LockstepModels models(const toml::table& table) const {
    const std::string list = toml_.text(table, "models", "rtl,golden,cycle");
    if (const auto found = find_models(list)) return *found;
    toml_.refuse(table.get("models"), models_refusal(list));
  }

  Configuration configuration(const Parameters& preset, const KnobSet& knobs) const {
    Configuration result{&preset, models_, knobs.name, knobs.values, toml_.file(), plant_, {}};
    result.key = fmt::format("{} {}", preset.name, models_text(result.models));
    result.key += knob_options(knobs.values);
    if (!plant_.empty()) result.key += " plant " + plant_;
    return result;
  }

  TomlReader toml_;
  runtime::LockstepModels models_;
  std::string plant_;
};

}  // namespace

std::string Configuration::title() const { return fmt::format("{}/{}", preset->name, knobs_name); }

std::string Configuration::repeat(std::uint64_t seed) const {
  return fmt::format("tandem regress {} --repeat {}/{}", file, title(), seed);
}

Campaign parse_campaign(const std::string& text, const std::string& file) {
  return Reader(file).read(text);
}

std::vector<Unit> campaign_units(const Campaign& campaign) {
  std::vector<Unit> units;
  for (std::uint64_t done = 0; done < campaign.seeds; done += campaign.pack) {
    const std::uint64_t count = std::min(campaign.pack, campaign.seeds - done);
    for (std::size_t i = 0; i < campaign.configurations.size(); ++i) {
      units.push_back({i, campaign.first_seed + done, count});
    }
  }
  return units;
}

}  // namespace tandem
