// The bytes of a copy, run by run (docs/reference.md section 5).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/state/retire.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

enum class CopySpace : std::uint8_t { hbm, vmem, smem };

CopySpace copy_source_space(const CopyIssue& copy);
CopySpace copy_destination_space(const CopyIssue& copy);
std::uint32_t copy_flag(const CopyIssue& copy);
std::uint32_t copy_amount(const CopyIssue& copy);
// Whether it goes from this chip to another one, whose memory it writes.
bool copy_leaves(const CopyIssue& copy, std::uint32_t chip);
// "HBM 0x1000", "VMEM byte 0x40 (row 1)": an address in words.
std::string copy_address_text(CopySpace space, std::uint64_t address, const Parameters& parameters);

// Copies words of the machine's memory from this address in bytes on; false if it does not have
// that many.
bool read_memory(const Machine& machine, CopySpace space, std::uint64_t address,
                 std::span<std::uint32_t> words);

// Calls f(destination address, bytes) for every run until f returns false.
template <typename F>
void for_each_destination_run(const CopyIssue& copy, F f) {
  const auto& d = copy.descriptor;
  const std::uint32_t length = d[6];
  if (length == 0) return;
  const auto stride = [&d](std::size_t word) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>(d[word])));
  };
  for (std::uint32_t i3 = 0; i3 < d[13]; ++i3) {
    for (std::uint32_t i2 = 0; i2 < d[10]; ++i2) {
      for (std::uint32_t i1 = 0; i1 < d[7]; ++i1) {
        const std::uint64_t address =
            copy.destination + i1 * stride(9) + i2 * stride(12) + i3 * stride(15);
        if (!f(address, length)) return;
      }
    }
  }
}

// Reads into `words` the data that a copy has written, run by run, from the machine's memory; false
// if it is too much to keep, or out of range.
bool read_copy_words(const Machine& machine, const CopyIssue& copy,
                     std::vector<std::uint32_t>& words);
// How many words it writes.
inline std::uint64_t copy_words(const CopyIssue& copy) {
  const auto& d = copy.descriptor;
  return std::uint64_t{d[6]} / 4 * d[7] * d[10] * d[13];
}

}  // namespace tandem
