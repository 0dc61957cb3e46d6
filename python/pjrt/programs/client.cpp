#include "python/pjrt/programs/client.hpp"

#include <fmt/format.h>

#include "python/pjrt/core/handles.hpp"

namespace tandem::pjrt {

Client::Client(const ClientOptions& options)
    : options_(options), compiler_(options), partitioner_(options) {
  for (std::uint32_t id = 0; id < options.devices; ++id) {
    Device& device =
        *devices_.emplace_back(std::make_unique<Device>(static_cast<int>(id), options.device));
    handles_.push_back(handle_of(device));
    memories_.push_back(&device.memory());
    topology_.add(device);
  }
}

Client::~Client() {
  // All at the same time, as one device may wait for another.
  for (const auto& device : devices_) device->worker()->begin_stop();
  for (const auto& device : devices_) device->worker()->stop();
}

Device& Client::device(std::int64_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= devices_.size()) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT,
         fmt::format("there is no device {}; there are {} (plugin option `devices`)", id,
                     devices_.size()));
  }
  return *devices_[static_cast<std::size_t>(id)];
}

}  // namespace tandem::pjrt
