#include "runtime/group/named_group.hpp"

namespace tandem::runtime {

NamedGroup::NamedGroup(const DeviceOptions& options, const Image& image,
                       const std::vector<std::map<std::string, TensorData>>& bound) {
  std::vector<Device*> devices;
  for (const auto& of_chip : bound) {
    chips_.push_back(std::make_unique<NamedLaunch>(options, image, of_chip));
    devices.push_back(&chips_.back()->device());
  }
  group_ = std::make_unique<Group>(std::move(devices));
}

GroupResult NamedGroup::launch(const LaunchOptions& options) {
  std::vector<GroupMember> members;
  members.reserve(chips_.size());
  for (const auto& chip : chips_) members.push_back({chip->program(), chip->tensors()});
  return group_->launch(members, options);
}

}  // namespace tandem::runtime
