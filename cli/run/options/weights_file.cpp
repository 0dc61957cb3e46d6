#include "cli/run/options/weights_file.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cosim/campaign/toml_reader.hpp"
#include "cosim/random/weights.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t largest_file = 1U << 20U;

class WeightsFile {
 public:
  explicit WeightsFile(const std::string& file)
      : toml_(file), table_(toml_.parse(read_text(file, largest_file))) {
    toml_.only(table_, {"weights", "mix"});
  }

  void add(KnobChoices& choices) const { add_table(choices, table_.get("weights")); }

  // Whether the mix is in this file.
  bool add_mix(KnobChoices& choices, const std::string& name, std::set<std::string>& known) const {
    const toml::node* const mixes = table_.get("mix");
    if (mixes == nullptr) return false;
    if (!mixes->is_table()) toml_.refuse(mixes, "mixes are tables: [mix.NAME]");
    for (const auto& [key, node] : *mixes->as_table()) known.insert(std::string(key.str()));
    const toml::node* const mix = mixes->as_table()->get(name);
    add_table(choices, mix);
    return mix != nullptr;
  }

 private:
  void add_table(KnobChoices& choices, const toml::node* node) const {
    if (node == nullptr) return;
    if (!node->is_table()) toml_.refuse(node, "weights are a table: \"NAME\" = WEIGHT");
    for (const auto& [key, value] : *node->as_table()) {
      const std::string assignment =
          fmt::format("{}{}={}", weight_prefix, key.str(), value_text(value));
      toml_.checked(&value, [&choices, &assignment] { choose_knob(choices, assignment); });
    }
  }

  [[nodiscard]] std::string value_text(const toml::node& node) const {
    if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
    if (const auto value = node.value_exact<std::string>()) return *value;
    toml_.refuse(&node, "a weight is a number or \"LOW..HIGH\"; names with dots are in quotes");
  }

  TomlReader toml_;
  toml::table table_;
};

}  // namespace

void add_weights(KnobChoices& choices, const std::vector<std::string>& files,
                 const std::string& mix) {
  std::set<std::string> known;
  bool is_found = mix.empty();
  std::vector<WeightsFile> read;
  read.reserve(files.size());
  for (const std::string& file : files) read.emplace_back(file);
  for (const WeightsFile& file : read) file.add(choices);
  for (const WeightsFile& file : read) {
    if (!mix.empty() && file.add_mix(choices, mix, known)) is_found = true;
  }
  if (is_found) return;
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  throw UserError{fmt::format(message::no_mix, mix, names.empty() ? "none" : names)};
}

}  // namespace tandem
