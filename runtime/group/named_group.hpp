// A group for one program and its tensors by name: for launches by the command line. Tensors are at
// consecutive addresses on every chip, so results have equal addresses if the inputs before them
// have equal sizes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/named_launch.hpp"
#include "runtime/group/group.hpp"

namespace tandem::runtime {

class NamedGroup {
 public:
  // `bound`: the bindings of each chip, chip by chip. Throws as NamedLaunch and Group do.
  NamedGroup(const DeviceOptions& options, const Image& image,
             const std::vector<std::map<std::string, TensorData>>& bound);

  GroupResult launch(const LaunchOptions& options);
  [[nodiscard]] const NamedLaunch& chip(std::size_t number) const { return *chips_[number]; }
  [[nodiscard]] std::size_t chips() const { return chips_.size(); }

 private:
  std::vector<std::unique_ptr<NamedLaunch>> chips_;
  std::unique_ptr<Group> group_;
};

}  // namespace tandem::runtime
