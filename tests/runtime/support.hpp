// Programs and values for tests of devices.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/device/device.hpp"

namespace tandem::test {

// The ELF file of a text.
std::vector<std::uint8_t> assembled(const std::string& text, const std::string& preset = "nano");

// y = x + 1 for s32 tensors x and y of [8, LANES].
std::string add_one_program();
// Leaves something in registers, masks, flags, SMEM, VMEM and weights.
std::string rubbish_program();
// Traps unless it finds the state that a start clears to.
std::string clean_program();

template <typename T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> contents(const runtime::Device& device, const runtime::DeviceTensor& tensor,
                        std::size_t count) {
  std::vector<std::uint8_t> bytes(count * sizeof(T));
  device.read(tensor, bytes);
  std::vector<T> values(count);
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Whether the RTL library of the preset is there.
bool has_rtl(const std::string& preset);

}  // namespace tandem::test
