#include "cosim/checker/copies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {
namespace {

// For a copy that is kept: as many as in the largest VMEM.
constexpr std::size_t most_copy_words = std::size_t{4} << 20U;

}  // namespace

CopySpace copy_source_space(const CopyIssue& copy) {
  return static_cast<CopySpace>((copy.descriptor[0] >> 8U) & 3U);
}

CopySpace copy_destination_space(const CopyIssue& copy) {
  return static_cast<CopySpace>((copy.descriptor[0] >> 10U) & 3U);
}

std::uint32_t copy_flag(const CopyIssue& copy) { return (copy.descriptor[0] >> 16U) & 0xffU; }

std::uint32_t copy_amount(const CopyIssue& copy) {
  const bool two_flags = (copy.descriptor[0] & 0xffU) == 1;
  return two_flags ? copy.descriptor[1] & 0xffffU : copy.descriptor[1];
}

bool copy_leaves(const CopyIssue& copy, std::uint32_t chip) {
  return (copy.descriptor[0] & 0xffU) == 1 && copy.descriptor[0] >> 24U != chip;
}

std::string copy_address_text(CopySpace space, std::uint64_t address,
                              const Parameters& parameters) {
  switch (space) {
    case CopySpace::hbm: return fmt::format("HBM {:#x}", address);
    case CopySpace::vmem:
      return fmt::format("VMEM row {} lane {}", address / parameters.row_bytes(),
                         address % parameters.row_bytes() / 4);
    case CopySpace::smem: return fmt::format("SMEM word {:#x}", address / 4);
  }
  return fmt::format("{:#x}", address);
}

bool read_memory(const Machine& machine, CopySpace space, std::uint64_t address,
                 std::span<std::uint32_t> words) {
  const Parameters& parameters = machine.parameters();
  const std::uint64_t size = space == CopySpace::vmem   ? parameters.vmem_bytes
                             : space == CopySpace::smem ? parameters.smem_bytes
                                                        : machine.hbm().size();
  if (address > size || words.size_bytes() > size - address) return false;
  if (space == CopySpace::hbm) {
    machine.hbm().read_words(address, words);
    return true;
  }
  const std::uint64_t first = address / 4;
  const std::uint32_t* from = space == CopySpace::vmem
                                  ? machine.vmem() + first
                                  : machine.smem(static_cast<std::uint32_t>(first),
                                                 static_cast<std::uint32_t>(words.size()));
  std::copy_n(from, words.size(), words.data());
  return true;
}

bool read_copy_words(const Machine& machine, const CopyIssue& copy,
                     std::vector<std::uint32_t>& words) {
  const CopySpace space = copy_destination_space(copy);
  words.clear();
  bool fits = true;
  for_each_destination_run(copy, [&](std::uint64_t address, std::uint32_t bytes) {
    const std::size_t first = words.size();
    const std::size_t count = bytes / 4;
    fits = count <= most_copy_words - first;
    if (!fits) return false;
    words.resize(first + count);
    fits = read_memory(machine, space, address, std::span(words).subspan(first));
    return fits;
  });
  return fits;
}

}  // namespace tandem
