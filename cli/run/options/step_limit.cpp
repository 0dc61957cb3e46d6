#include "cli/run/options/step_limit.hpp"

namespace tandem {

std::uint64_t default_limit(runtime::Model model) {
  return is_fast(model) ? 5'000'000'000 : 200'000'000;
}

std::uint64_t step_limit(std::uint64_t asked, runtime::Model model) {
  return asked != 0 ? asked : default_limit(model);
}

}  // namespace tandem
