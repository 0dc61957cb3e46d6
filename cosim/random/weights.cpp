#include "cosim/random/weights.hpp"

#include <fmt/format.h>

#include "isa/analysis/effects.hpp"
#include "isa/builder/operation.hpp"

namespace tandem {
namespace {

bool matches(std::string_view pattern, std::string_view mnemonic) {
  if (!pattern.ends_with('*')) return pattern == mnemonic;
  return mnemonic.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

bool may_stand_anywhere(const Instruction& row) {
  const Effects effects = effects_of(builder::make_operation(row.op, {}));
  return effects.control == Control::none && !effects.uses_flags();
}

std::string weight_complaint(std::string_view name) {
  bool is_known = false;
  for (const Instruction& row : instructions) {
    if (!matches(name, row.mnemonic)) continue;
    if (may_stand_anywhere(row)) return {};
    is_known = true;
  }
  if (!is_known) return fmt::format("no instruction is called '{}'", name);
  return fmt::format(
      "'{}' is not drawn by weight: knobs say how often there is control flow, and copies", name);
}

const KnobRange* find_weight(const KnobChoices& choices, std::string_view mnemonic) {
  const KnobRange* found = nullptr;
  std::size_t longest = 0;
  for (auto at = choices.lower_bound(weight_prefix);
       at != choices.end() && at->first.starts_with(weight_prefix); ++at) {
    const std::string_view pattern = std::string_view(at->first).substr(weight_prefix.size());
    if (!matches(pattern, mnemonic)) continue;
    if (!pattern.ends_with('*')) return &at->second;
    if (found == nullptr || pattern.size() > longest) {
      found = &at->second;
      longest = pattern.size();
    }
  }
  return found;
}

}  // namespace tandem
