// PJRT_Client: the devices, and the way to programs for them.
#pragma once

#include <memory>
#include <vector>

#include "python/pjrt/core/options.hpp"
#include "python/pjrt/devices/device.hpp"
#include "python/pjrt/devices/topology.hpp"
#include "python/pjrt/programs/compiler.hpp"
#include "python/pjrt/programs/partitioner.hpp"

namespace tandem::pjrt {

class Client {
 public:
  explicit Client(const ClientOptions& options);
  // Ends what runs.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] const std::vector<PJRT_Device*>& devices() const { return handles_; }
  [[nodiscard]] const std::vector<PJRT_Memory*>& memories() const { return memories_; }
  [[nodiscard]] Topology& topology() { return topology_; }
  [[nodiscard]] Compiler& compiler() { return compiler_; }
  [[nodiscard]] Partitioner& partitioner() { return partitioner_; }
  [[nodiscard]] const ClientOptions& options() const { return options_; }
  // Throws Failure when there is none of that number.
  [[nodiscard]] Device& device(std::int64_t id) const;

 private:
  const ClientOptions options_;
  Compiler compiler_;
  Partitioner partitioner_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<PJRT_Device*> handles_;
  std::vector<PJRT_Memory*> memories_;
  Topology topology_;
};

}  // namespace tandem::pjrt
