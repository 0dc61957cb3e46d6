// Chips of a group that are machines: the RTL, alone or in lockstep. Each runs for a little less
// than a link's latency, then the next: the effects of others within that time cannot be seen yet.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/group/group_driver.hpp"
#include "runtime/models/group_links.hpp"

namespace tandem::runtime {

class MachineDriver final : public GroupDriver {
 public:
  // Throws Error if a machine has no links.
  MachineDriver(std::span<Device* const> devices, const std::vector<std::unique_ptr<Run>>& runs);

  GroupStatus run(std::uint64_t steps) override;
  GroupStatus status() const override { return status_; }
  std::optional<std::uint32_t> ended_by() const override { return ended_by_; }
  Outcome outcome_of(std::uint32_t chip) const override { return outcomes_[chip]; }
  bool has_halted(std::uint32_t chip) const override;
  std::optional<GroupWait> wait_of(std::uint32_t chip) const override;

 private:
  struct Chip {
    Runner* runner = nullptr;
    std::vector<Machine*> machines;
    GoldenModel* golden = nullptr;  // beside them
  };
  void run_window();
  void look(std::uint32_t chip);
  void finish();
  [[nodiscard]] bool all_still() const;
  [[nodiscard]] bool any_runs() const;
  [[nodiscard]] std::uint64_t bundles() const;

  std::vector<Chip> chips_;
  GroupLinks links_;
  std::uint64_t window_;
  // The golden models next to the machines, and those inside cycle-exact ones, are linked too.
  std::optional<GoldenGroup> golden_;
  std::optional<GoldenGroup> timed_;
  std::vector<Outcome> outcomes_;
  std::optional<std::uint32_t> ended_by_;
  std::uint64_t bundles_ = 0;  // before the last window
  GroupStatus status_ = GroupStatus::running;
};

}  // namespace tandem::runtime
