#include "cosim/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cosim/faults/fault.hpp"
#include "cosim/session/model_list.hpp"
#include "host/toml.hpp"
#include "isa/machine.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t most_seeds = std::uint64_t{1} << 40U;

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Campaign read(const toml::table& table) {
    only(table,
         {"name", "first_seed", "seeds", "pack", "timeout", "models", "plant", "presets", "knobs"});
    Campaign campaign;
    campaign.name = text(table, "name", file_);
    campaign.first_seed = number(table, "first_seed", campaign.first_seed, 0, most_seeds);
    campaign.seeds = number(table, "seeds", campaign.seeds, 1, most_seeds);
    campaign.pack = number(table, "pack", campaign.pack, 1, 1'000'000);
    campaign.timeout = number(table, "timeout", campaign.timeout, 1, 1'000'000);
    models_ = models(table);
    plant_ = text(table, "plant", "");
    if (!plant_.empty()) checked(table["plant"].node(), [&] { parse_fault(plant_); });
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

  [[noreturn]] void refuse(const toml::node* node, const std::string& message) const {
    const std::size_t line = node == nullptr ? 0 : node->source().begin.line;
    const std::string place = line == 0 ? file_ : fmt::format("{}:{}", file_, line);
    throw runtime::Error{runtime::ErrorCode::invalid_argument, place + ": " + message};
  }

  // What others refuse, with the place in this file.
  template <typename Action>
  void checked(const toml::node* node, const Action& action) const {
    try {
      action();
    } catch (const runtime::Error& error) {
      refuse(node, error.message);
    }
  }

  void only(const toml::table& table, const std::set<std::string>& names) const {
    for (const auto& [key, node] : table) {
      if (names.count(std::string(key.str())) == 0) {
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
        refuse(&node, fmt::format("there is no '{}' here; there are {}", key.str(), list));
      }
    }
  }

  std::string text(const toml::table& table, const char* name, const std::string& otherwise) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return otherwise;
    if (!node->is_string()) refuse(node, fmt::format("{} is a string", name));
    return *node->value<std::string>();
  }

  std::uint64_t number(const toml::table& table, const char* name, std::uint64_t otherwise,
                       std::uint64_t least, std::uint64_t most) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return otherwise;
    const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
    if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < least ||
        static_cast<std::uint64_t>(*value) > most) {
      refuse(node, fmt::format("{} is a whole number from {} to {}", name, least, most));
    }
    return static_cast<std::uint64_t>(*value);
  }

  std::vector<const Parameters*> presets_of(const toml::table& table) const {
    const toml::node* const node = table.get("presets");
    const toml::array* const list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr || list->empty()) {
      refuse(node, R"(presets is a list of names, as presets = ["nano", "small"])");
    }
    std::vector<const Parameters*> presets;
    for (const toml::node& entry : *list) {
      const FoundMachine found = find_sizes(entry.value_or(std::string()));
      const Parameters* const preset = found.machine;
      if (preset == nullptr) refuse(&entry, found.complaint);
      if (std::find(presets.begin(), presets.end(), preset) != presets.end()) {
        refuse(&entry, "this preset stands here twice");
      }
      presets.push_back(preset);
    }
    return presets;
  }

  std::vector<KnobSet> knob_sets(const toml::table& table) const {
    const toml::node* const node = table.get("knobs");
    if (node == nullptr) return {KnobSet{}};
    const toml::array* const list = node->as_array();
    if (list == nullptr) refuse(node, "sets of knobs are written as [[knobs]]");
    std::vector<KnobSet> sets;
    std::set<std::string> names;
    for (const toml::node& entry : *list) {
      const toml::table* const values = entry.as_table();
      if (values == nullptr) refuse(&entry, "sets of knobs are written as [[knobs]]");
      sets.push_back(knob_set(*values));
      if (!names.insert(sets.back().name).second) {
        refuse(&entry, fmt::format("a second set of knobs called {}", sets.back().name));
      }
    }
    return sets;
  }

  KnobSet knob_set(const toml::table& table) const {
    KnobSet set;
    set.name = text(table, "name", set.name);
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name") continue;
      const std::string assignment = name + "=" + value_text(node);
      checked(&node, [&] { choose_knob(set.values, assignment); });
    }
    return set;
  }

  std::string value_text(const toml::node& node) const {
    if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
    if (const auto value = node.value_exact<bool>()) return *value ? "1" : "0";
    if (const auto value = node.value_exact<std::string>()) return *value;
    refuse(&node, "a knob is a number, true, false or \"LOW..HIGH\"");
  }

  runtime::LockstepModels models(const toml::table& table) const {
    const std::string list = text(table, "models", "rtl,golden,cycle");
    if (const auto found = find_models(list)) return *found;
    refuse(table.get("models"), models_refusal(list));
  }

  Configuration configuration(const Parameters& preset, const KnobSet& knobs) const {
    Configuration result{&preset, models_, knobs.name, knobs.values, file_, plant_, {}};
    result.key = fmt::format("{} {}", preset.name, models_text(result.models));
    result.key += knob_options(knobs.values);
    if (!plant_.empty()) result.key += " plant " + plant_;
    return result;
  }

  std::string file_;
  runtime::LockstepModels models_;
  std::string plant_;
};

// toml++ 3.3 has undefined behaviour on letters from U+00A1 to U+0499 behind a value.
void refuse_beyond_ascii(std::string_view text, const std::string& file) {
  const auto* const found =
      std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  if (found == text.end()) return;
  throw runtime::Error{runtime::ErrorCode::invalid_argument,
                       fmt::format("{}:{}: not ASCII, which campaign files are to be", file,
                                   1 + std::count(text.begin(), found, '\n'))};
}

}  // namespace

std::string Configuration::title() const { return fmt::format("{}/{}", preset->name, knobs_name); }

std::string Configuration::repeat(std::uint64_t seed) const {
  return fmt::format("tandem regress {} --repeat {}/{}", file, title(), seed);
}

Campaign parse_campaign(const std::string& text, const std::string& file) {
  refuse_beyond_ascii(text, file);
  try {
    return Reader(file).read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    throw runtime::Error{
        runtime::ErrorCode::invalid_argument,
        fmt::format("{}:{}: {}", file, error.source().begin.line, error.description())};
  } catch (const std::logic_error&) {
    throw runtime::Error{runtime::ErrorCode::invalid_argument, file + ": this is no TOML"};
  }
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
