// Copies that a start begins, before the first bundle: from a tensor in HBM to VMEM. The host puts
// their descriptors into the queue of copies by the register `start_copy`, so the data does not
// wait for the text and the argument block. Each adds to a flag like any other copy, and the
// program waits for it: docs/reference.md section 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "isa/descriptor.hpp"

namespace tandem {

// The queue of copies holds these and that of the argument block.
inline constexpr std::size_t most_start_copies = 7;

struct StartCopy {
  std::uint32_t tensor = 0;  // in the order of declaration
  std::uint32_t buffer = 0;  // of the buffer table, that it writes; 0: none is named
  DescriptorWords words{};   // the source is a byte of the tensor
  bool operator==(const StartCopy&) const = default;
};

// What keeps the words from being a start copy's: "" or a clause ("it does not go from HBM to
// VMEM").
std::string start_copy_trouble(const DescriptorWords& words);
// Whether the copy reads only the first bytes of HBM, or of its tensor, and writes only those of
// VMEM. The words have no trouble.
bool start_copy_fits(const DescriptorWords& words, std::uint64_t hbm_bytes,
                     std::uint64_t vmem_bytes);
// What `.start_copy` has to give after the tensor: ", flag=1, length=8".
std::string given_fields(const StartCopy& copy);
// The words with the tensor's address added to the source.
DescriptorWords placed_start_copy(const DescriptorWords& words, std::uint64_t tensor_address);

}  // namespace tandem
