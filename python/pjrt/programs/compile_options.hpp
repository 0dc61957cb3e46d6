// The few fields of XLA's CompileOptionsProto that mean something here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tandem::pjrt {

struct CompileOptions {
  std::uint64_t replicas = 1;
  std::uint64_t partitions = 1;
  std::vector<std::int64_t> devices;  // numbers, replica by replica; empty: the default
};

// Throws Failure for bytes that are no protocol buffer, and for options by name: none are known.
CompileOptions read_compile_options(std::string_view proto);
// DeviceAssignmentProto of one replica and one partition.
std::string device_assignment_of(std::int64_t device);

}  // namespace tandem::pjrt
