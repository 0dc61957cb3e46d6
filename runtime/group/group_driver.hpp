// Runs the chips of a group together, on whichever model; each has been started by its device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isa/group/golden_group.hpp"
#include "runtime/device/device.hpp"

namespace tandem::runtime {

class GroupDriver {
 public:
  virtual ~GroupDriver() = default;
  // For so many steps more: bundles of each chip on golden, else cycles.
  virtual GroupStatus run(std::uint64_t steps) = 0;
  // Before the first run: what has ended at once.
  [[nodiscard]] virtual GroupStatus status() const = 0;

  // The chip that ended all, and how.
  [[nodiscard]] virtual std::optional<std::uint32_t> ended_by() const = 0;
  [[nodiscard]] virtual Outcome outcome_of(std::uint32_t chip) const = 0;
  [[nodiscard]] virtual bool has_halted(std::uint32_t chip) const = 0;
  // What it waits for, where the model knows.
  [[nodiscard]] virtual std::optional<GroupWait> wait_of(std::uint32_t chip) const = 0;
};

// Chip by chip, of one model.
std::unique_ptr<GroupDriver> make_group_driver(std::span<Device* const> devices,
                                               const std::vector<std::unique_ptr<Run>>& runs);

}  // namespace tandem::runtime
