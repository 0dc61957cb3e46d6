#include "runtime/group/group_driver.hpp"

#include <vector>

#include "sim/time/cycle_group.hpp"

namespace tandem::runtime {
namespace {

class GoldenDriver final : public GroupDriver {
 public:
  explicit GoldenDriver(std::vector<GoldenModel*> chips) : group_(std::move(chips)) {}

  GroupStatus run(std::uint64_t steps) override { return group_.run(steps); }
  const GoldenGroup& golden() const override { return group_; }

 private:
  GoldenGroup group_;
};

class CycleDriver final : public GroupDriver {
 public:
  CycleDriver(std::vector<CycleModel*> chips, const MemoryTimingParameters& timing)
      : group_(std::move(chips), timing) {}

  GroupStatus run(std::uint64_t steps) override { return group_.run(steps); }
  const GoldenGroup& golden() const override { return group_.golden(); }

 private:
  CycleGroup group_;
};

}  // namespace

bool has_links(Model model) { return model == Model::golden || model == Model::cycle; }

std::unique_ptr<GroupDriver> make_group_driver(std::span<Device* const> devices) {
  if (devices[0]->options().model == Model::cycle) {
    std::vector<CycleModel*> chips;
    chips.reserve(devices.size());
    for (Device* device : devices) chips.push_back(device->cycle_model());
    return std::make_unique<CycleDriver>(std::move(chips), devices[0]->options().machine.memory);
  }
  std::vector<GoldenModel*> chips;
  chips.reserve(devices.size());
  for (Device* device : devices) chips.push_back(device->golden_model());
  return std::make_unique<GoldenDriver>(std::move(chips));
}

}  // namespace tandem::runtime
