#include "schedule/memory/regions.hpp"

namespace tandem::schedule {
bool pins_time(const Effects& effects) { return is_barrier(effects.control) || effects.reads_time; }

std::vector<Region> regions_of(const LinearBlock& block) {
  const auto count = static_cast<std::uint32_t>(block.operations.size());
  std::vector<bool> begins(count + 1, false);
  std::vector<bool> control(count, false);
  for (std::uint32_t i = 0; i < count; ++i) {
    const LinearOperation& item = block.operations[i];
    if (item.target != no_label) begins[block.labels[item.target]] = true;
    const Effects effects = effects_of(item.operation);
    control[i] = ends_block(effects.control);
    if (control[i]) begins[i + 1] = true;
    if (pins_time(effects)) begins[i] = begins[i + 1] = true;
  }
  std::vector<Region> regions;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == 0 || begins[i]) regions.push_back({i, i, false});
    regions.back().end = i + 1;
    regions.back().ends_in_control = control[i];
  }
  return regions;
}

}  // namespace tandem::schedule
