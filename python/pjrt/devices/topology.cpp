#include "python/pjrt/devices/topology.hpp"

#include <cstring>
#include <string>

#include "isa/version.hpp"
#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/devices/device.hpp"

namespace tandem::pjrt {

std::string_view platform_version() {
  static const std::string text = std::string("tandem ") + version;
  return text;
}

void Topology::add(Device& device) {
  descriptions_.push_back(handle_of(device.description()));
  serialized_ += device.description().debug_text() + "\n";
}

std::uint64_t Topology::fingerprint() const {
  const Digest digest = sha256({serialized_});
  std::uint64_t first = 0;
  std::memcpy(&first, digest.data(), sizeof(first));
  return first;
}

}  // namespace tandem::pjrt
