#include "cosim/checker/core_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {
namespace {

constexpr auto part_texts = std::to_array<std::string_view>({
#define PART(name, number, text) text,
#include "cosim/checker/core_parts.def"
#undef PART
});

constexpr std::array<std::string_view, 3> level_names{"all", "copies", "final"};

}  // namespace

std::string_view core_part_text(CorePart part) {
  return part_texts[static_cast<std::size_t>(part)];
}

std::string_view level_name(CheckLevel level) {
  return level_names[static_cast<std::size_t>(level)];
}

std::optional<CheckLevel> find_level(std::string_view name) {
  const auto* const found = std::find(level_names.begin(), level_names.end(), name);
  if (found == level_names.end()) return std::nullopt;
  return static_cast<CheckLevel>(found - level_names.begin());
}

std::vector<std::string> not_compared(const CoreTerms& terms) {
  std::vector<std::string> list;
  if (terms.level != CheckLevel::all) list.emplace_back("bundles and what each writes");
  if (terms.level == CheckLevel::final) list.emplace_back("copies");
  if (terms.untold_copies != 0) {
    list.push_back(fmt::format("the bytes of {} of {} copies", terms.untold_copies, terms.copies));
  }
  for (std::size_t part = 0; part < core_part_count; ++part) {
    if (!terms.parts[part]) list.emplace_back(part_texts[part]);
  }
  if (terms.tells(CorePart::hbm) && !terms.told_of_hbm.empty()) {
    list.push_back(fmt::format("HBM at the end but for {}", terms.told_of_hbm));
  }
  return list;
}

}  // namespace tandem
