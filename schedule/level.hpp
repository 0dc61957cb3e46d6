// How far the operations of linear code may be moved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::schedule {

enum class Level : std::uint8_t {
  none,  // one operation a bundle, in the order written
  list,  // packed, within stretches without labels and branches
  full,  // also loops as software pipelines
};

struct LevelName {
  std::string_view name;
  Level level;
};
inline constexpr std::array<LevelName, 3> level_names{
    {{"none", Level::none}, {"list", Level::list}, {"full", Level::full}}};
inline constexpr Level default_level = Level::full;

constexpr std::optional<Level> find_level(std::string_view name) {
  for (const LevelName& row : level_names) {
    if (row.name == name) return row.level;
  }
  return std::nullopt;
}

constexpr std::string_view level_name(Level level) {
  for (const LevelName& row : level_names) {
    if (row.level == level) return row.name;
  }
  return {};
}

// All of them, for messages: "none, list, full".
inline std::string level_list() {
  std::string names;
  for (const LevelName& row : level_names) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

}  // namespace tandem::schedule
