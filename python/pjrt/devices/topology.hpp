// PJRT_TopologyDescription: the devices of a client as a list of descriptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python/pjrt/core/named_values.hpp"
#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

class Device;

inline constexpr std::string_view platform_name = "tandem";
// Of this project, as told to users.
std::string_view platform_version();

class Topology {
 public:
  void add(Device& device);

  [[nodiscard]] const std::vector<PJRT_DeviceDescription*>& descriptions() const {
    return descriptions_;
  }
  [[nodiscard]] const NamedValues& attributes() const { return attributes_; }
  // Equal for equal devices in any process.
  [[nodiscard]] const std::string& serialized() const { return serialized_; }
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  std::vector<PJRT_DeviceDescription*> descriptions_;  // the devices own them
  NamedValues attributes_;
  std::string serialized_;
};

}  // namespace tandem::pjrt
