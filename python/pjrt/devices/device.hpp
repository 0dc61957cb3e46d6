// PJRT_Device: one machine, with its memory, its description and the thread that drives it.
#pragma once

#include <memory>
#include <string>

#include "python/pjrt/core/host_lane.hpp"
#include "python/pjrt/core/named_values.hpp"
#include "python/pjrt/core/worker.hpp"
#include "python/pjrt/devices/memory.hpp"

namespace tandem::pjrt {

class Client;

// PJRT_DeviceDescription: the properties of a device, available without the device.
class DeviceDescription {
 public:
  DeviceDescription(int id, const runtime::DeviceOptions& options, const Parameters& parameters);

  [[nodiscard]] int id() const { return id_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& debug_text() const { return debug_text_; }
  [[nodiscard]] const NamedValues& attributes() const { return attributes_; }

 private:
  int id_;
  std::string kind_;
  std::string text_;
  std::string debug_text_;
  NamedValues attributes_;
};

class Device {
 public:
  // Throws runtime::Error when there is no such machine.
  Device(int id, const runtime::DeviceOptions& options);

  [[nodiscard]] int id() const { return description_.id(); }
  [[nodiscard]] DeviceDescription& description() { return description_; }
  [[nodiscard]] Memory& memory() { return memory_; }
  [[nodiscard]] PJRT_Memory* const* memories() const { return &memory_handle_; }
  // Shared with everything in the device's memory, which may outlive the client.
  [[nodiscard]] const std::shared_ptr<Worker>& worker() const { return worker_; }
  // The lane in which the calls of the device's runs are made.
  [[nodiscard]] const std::shared_ptr<HostLane>& lane() const { return lane_; }

 private:
  std::shared_ptr<Worker> worker_;
  std::shared_ptr<HostLane> lane_ = std::make_shared<HostLane>();
  DeviceDescription description_;
  Memory memory_;
  PJRT_Memory* memory_handle_;
};

}  // namespace tandem::pjrt
