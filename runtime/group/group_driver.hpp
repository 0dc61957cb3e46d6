// Runs the chips of a group together, on any model; each has been started by its device.
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
  // For this many more steps: bundles of each chip on golden, else cycles.
  virtual GroupStatus run(std::uint64_t steps) = 0;
  // Before the first run: handles chips that have ended immediately.
  [[nodiscard]] virtual GroupStatus status() const = 0;

  // The chip that ended the group, and how.
  [[nodiscard]] virtual std::optional<std::uint32_t> ended_by() const = 0;
  [[nodiscard]] virtual Outcome outcome_of(std::uint32_t chip) const = 0;
  [[nodiscard]] virtual bool has_halted(std::uint32_t chip) const = 0;
  // The flag that it waits for, if the model knows.
  [[nodiscard]] virtual std::optional<GroupWait> wait_of(std::uint32_t chip) const = 0;
};

// Chip by chip, all of one model.
std::unique_ptr<GroupDriver> make_group_driver(std::span<Device* const> devices,
                                               const std::vector<std::unique_ptr<Run>>& runs);

}  // namespace tandem::runtime
