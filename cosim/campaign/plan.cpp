#include "cosim/campaign/plan.hpp"

namespace tandem {

std::uint64_t missing_seeds(const Plan& plan, const Unit& unit, const Store& store) {
  std::uint64_t missing = 0;
  for (std::uint64_t seed = unit.first; seed < unit.first + unit.count; ++seed) {
    missing += store.has(plan.key(unit), seed) ? 0 : 1;
  }
  return missing;
}

}  // namespace tandem
