#include "python/pjrt/core/variables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "host/nearest_name.hpp"
#include "python/pjrt/core/options.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

constexpr std::string_view prefix = "TANDEM_";

// Beside those of options: of the package and the tools, of building, and of tests.
constexpr std::array others{"TANDEM_PLUGIN",   "TANDEM_EXECUTABLE",      "TANDEM_JAX_PYTHON",
                            "TANDEM_RTL_PATH", "TANDEM_BUILD",           "TANDEM_FUZZ_BUILD",
                            "TANDEM_PRESETS",  "TANDEM_PYTHON",          "TANDEM_NIGHTLY",
                            "TANDEM_MUTANT",   "TANDEM_MATMUL_PRECISION"};

std::vector<std::string_view> known_variables() {
  std::vector<std::string_view> known = option_variables();
  known.insert(known.end(), others.begin(), others.end());
  return known;
}

// "" when none is near.
std::string nearest_to(std::string_view name, const std::vector<std::string_view>& known) {
  NearestName nearest(name.substr(prefix.size()));
  for (const std::string_view other : known) nearest.consider(other.substr(prefix.size()));
  return nearest.name().empty() ? "" : fmt::format("{}{}", prefix, nearest.name());
}

}  // namespace

std::string check_variables(const char* const* variables) {
  const std::vector<std::string_view> known = known_variables();
  std::string unknown;
  for (; *variables != nullptr; ++variables) {
    std::string_view name = *variables;
    name = name.substr(0, name.find('='));
    if (!name.starts_with(prefix)) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (const std::string meant = nearest_to(name, known); !meant.empty()) {
      fail(PJRT_Error_Code_INVALID_ARGUMENT,
           fmt::format("there is no variable `{}`: did you mean `{}`?", name, meant));
    }
    unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", name);
  }
  if (unknown.empty()) return "";
  return fmt::format(
      "tandem: warning: nothing here reads {} in the environment; what is read is {}", unknown,
      fmt::join(option_variables(), ", "));
}

}  // namespace tandem::pjrt
