// Runs the chips of a group together, on whichever model; each has been started by its device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "isa/group/golden_group.hpp"
#include "runtime/device/device.hpp"

namespace tandem::runtime {

class GroupDriver {
 public:
  virtual ~GroupDriver() = default;
  // For so many steps more: bundles of each chip on golden, else cycles.
  virtual GroupStatus run(std::uint64_t steps) = 0;
  // What the chips do, without time.
  [[nodiscard]] virtual const GoldenGroup& golden() const = 0;
};

// Whether devices of this model can be the chips of a group.
bool has_links(Model model);

// Chip by chip, of one model that has links.
std::unique_ptr<GroupDriver> make_group_driver(std::span<Device* const> devices);

}  // namespace tandem::runtime
