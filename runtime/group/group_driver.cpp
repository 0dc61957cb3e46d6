#include "runtime/group/group_driver.hpp"

#include "runtime/group/machine_driver.hpp"
#include "sim/time/cycle_group.hpp"

namespace tandem::runtime {
namespace {

// Shared by the models with golden's semantics.
class ModelDriver : public GroupDriver {
 public:
  std::optional<std::uint32_t> ended_by() const override { return golden().ended_by(); }
  Outcome outcome_of(std::uint32_t chip) const override {
    return run_outcome(golden().status_of(chip), runs_[chip]->runner().finding());
  }
  bool has_halted(std::uint32_t chip) const override {
    return golden().status_of(chip) == RunStatus::halted;
  }
  std::optional<GroupWait> wait_of(std::uint32_t chip) const override {
    return golden().wait_of(chip);
  }
  GroupStatus status() const override { return golden().status(); }

 protected:
  explicit ModelDriver(const std::vector<std::unique_ptr<Run>>& runs) : runs_(runs) {}
  [[nodiscard]] virtual const GoldenGroup& golden() const = 0;

 private:
  const std::vector<std::unique_ptr<Run>>& runs_;
};

class GoldenDriver final : public ModelDriver {
 public:
  GoldenDriver(std::vector<GoldenModel*> chips, const std::vector<std::unique_ptr<Run>>& runs)
      : ModelDriver(runs), group_(std::move(chips)) {}

  GroupStatus run(std::uint64_t steps) override { return group_.run(steps); }

 private:
  const GoldenGroup& golden() const override { return group_; }

  GoldenGroup group_;
};

class CycleDriver final : public ModelDriver {
 public:
  CycleDriver(std::vector<CycleModel*> chips, const MemoryTimingParameters& timing,
              const std::vector<std::unique_ptr<Run>>& runs)
      : ModelDriver(runs), group_(std::move(chips), timing) {}

  GroupStatus run(std::uint64_t steps) override { return group_.run(steps); }

 private:
  const GoldenGroup& golden() const override { return group_.golden(); }

  CycleGroup group_;
};

}  // namespace

std::unique_ptr<GroupDriver> make_group_driver(std::span<Device* const> devices,
                                               const std::vector<std::unique_ptr<Run>>& runs) {
  const DeviceOptions& options = devices[0]->options();
  switch (options.model) {
    case Model::golden: {
      std::vector<GoldenModel*> chips;
      chips.reserve(devices.size());
      for (Device* device : devices) chips.push_back(device->golden_model());
      return std::make_unique<GoldenDriver>(std::move(chips), runs);
    }
    case Model::cycle: {
      std::vector<CycleModel*> chips;
      chips.reserve(devices.size());
      for (Device* device : devices) chips.push_back(device->cycle_model());
      return std::make_unique<CycleDriver>(std::move(chips), options.machine.memory, runs);
    }
    case Model::rtl:
    case Model::lockstep: break;
  }
  return std::make_unique<MachineDriver>(devices, runs);
}

}  // namespace tandem::runtime
