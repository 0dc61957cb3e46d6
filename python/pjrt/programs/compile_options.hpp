// The few fields of XLA's CompileOptionsProto that mean something here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::pjrt {

struct CompileOptions {
  std::uint64_t replicas = 1;
  std::uint64_t partitions = 1;
  std::vector<std::int64_t> devices;  // numbers, replica by replica; empty: the default
  std::vector<bool> free_results;     // results for which the caller accepts any sharding
};

// Throws Failure for bytes that are not a protocol buffer, and for named options, as there are
// none.
CompileOptions read_compile_options(std::string_view proto);
// DeviceAssignmentProto of one replica, whose partitions are on these devices.
std::string device_assignment_of(std::span<const std::int64_t> devices);

}  // namespace tandem::pjrt
