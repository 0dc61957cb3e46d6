// Arrays on their way between the host and a device, and from device to device. Everything here
// returns immediately; completions report the outcome.
#pragma once

#include <memory>

#include "python/pjrt/arrays/buffer.hpp"
#include "python/pjrt/arrays/host_layout.hpp"

namespace tandem::pjrt {

struct HostArray {
  const std::uint8_t* first = nullptr;  // element
  Strides strides;
};

// The array of the host has been read when this returns.
std::unique_ptr<Buffer> to_device(Device& device, const Shape& shape, const HostArray& host);
SharedCompletion to_host(const Buffer& buffer, const Strides& strides, std::uint8_t* first);
// Bytes of the elements, row-major and without padding. Throws Failure beyond the end.
SharedCompletion raw_to_host(const Buffer& buffer, std::uint64_t offset, std::uint64_t size,
                             std::uint8_t* destination);
std::unique_ptr<Buffer> copy_to_device(const Buffer& buffer, Device& device);
// Contents are the device's pattern of never-written memory.
std::unique_ptr<Buffer> uninitialised(Device& device, const Shape& shape);
// Using it fails with the status.
std::unique_ptr<Buffer> failed_buffer(Device& device, const Shape& shape, Status status);

}  // namespace tandem::pjrt
