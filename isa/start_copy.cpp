#include "isa/start_copy.hpp"

#include <fmt/format.h>

#include "isa/timing.hpp"

namespace tandem {
namespace {

static_assert(most_start_copies == timing::copy_queue - 1);

// The bytes that one side touches, relative to its memory.
struct Range {
  __int128 begin = 0;
  __int128 end = 0;

  [[nodiscard]] bool is_within(std::uint64_t size) const { return begin >= 0 && end <= size; }
};

Range range_of(std::uint64_t address, const CopyDescriptor& copy,
               std::int32_t CopyDescriptor::Dimension::*stride) {
  Range range{address, static_cast<__int128>(address) + copy.length};
  for (const CopyDescriptor::Dimension& dimension : copy.dimensions) {
    const __int128 reach = static_cast<__int128>(dimension.count - 1) * (dimension.*stride);
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

bool moves_nothing(const CopyDescriptor& copy) {
  bool nothing = copy.length == 0;
  for (const CopyDescriptor::Dimension& dimension : copy.dimensions)
    nothing |= dimension.count == 0;
  return nothing;
}

}  // namespace

std::string start_copy_trouble(const DescriptorWords& words) {
  if (const auto word = bad_word(words, 1)) return fmt::format("word {} breaks its rule", *word);
  const CopyDescriptor copy = descriptor_of(words);
  const bool is_load = !copy.remote && copy.source_space == MemorySpace::hbm &&
                       copy.destination_space == MemorySpace::vmem;
  return is_load ? "" : "it does not go from HBM to VMEM of this chip";
}

bool start_copy_fits(const DescriptorWords& words, std::uint64_t tensor_bytes,
                     std::uint64_t vmem_bytes) {
  using Dimension = CopyDescriptor::Dimension;
  const CopyDescriptor copy = descriptor_of(words);
  if (moves_nothing(copy)) return true;
  return range_of(copy.source, copy, &Dimension::source_stride).is_within(tensor_bytes) &&
         range_of(copy.destination, copy, &Dimension::destination_stride).is_within(vmem_bytes);
}

std::vector<std::pair<std::string_view, std::int64_t>> given_fields(const StartCopy& copy) {
  namespace field = descriptor_field;
  std::vector<std::pair<std::string_view, std::int64_t>> fields;
  if (copy.buffer != 0) fields.emplace_back("buffer", copy.buffer);
  for (const DescriptorField& row : descriptor_fields) {
    if (!row.belongs_to(false) || row.rule == DescriptorRule::target) continue;
    if (row.name == field::source_high.name || row.name == field::target_high.name) continue;
    const std::uint32_t value = get_field(copy.words, row);
    const bool is_count = row.rule == DescriptorRule::count || row.name == field::amount.name;
    if (value == (is_count ? 1U : 0U) && row.name != field::length.name) continue;
    fields.emplace_back(row.name, row.rule == DescriptorRule::stride
                                      ? std::int64_t{static_cast<std::int32_t>(value)}
                                      : std::int64_t{value});
  }
  return fields;
}

DescriptorWords placed_start_copy(const DescriptorWords& words, std::uint64_t tensor_address) {
  CopyDescriptor copy = descriptor_of(words);
  copy.source += tensor_address;
  return copy.words();
}

}  // namespace tandem
