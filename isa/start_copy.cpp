#include "isa/start_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/timing.hpp"

namespace tandem {

static_assert(most_start_copies == timing::copy_queue - 1);

std::string start_copy_trouble(const DescriptorWords& words) {
  if (const auto word = bad_word(words, 1)) return fmt::format("word {} breaks its rule", *word);
  const CopyDescriptor copy = descriptor_of(words);
  const bool is_load = !copy.remote && copy.source_space == MemorySpace::hbm &&
                       copy.destination_space == MemorySpace::vmem;
  return is_load ? "" : "it does not go from HBM to VMEM of this chip";
}

bool start_copy_fits(const DescriptorWords& words, std::uint64_t hbm_bytes,
                     std::uint64_t vmem_bytes) {
  const CopyDescriptor copy = descriptor_of(words);
  std::array<std::uint32_t, CopyDescriptor::dimension_count> counts{};
  std::array<std::int32_t, CopyDescriptor::dimension_count> from{};
  std::array<std::int32_t, CopyDescriptor::dimension_count> to{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = copy.dimensions[i].count;
    from[i] = copy.dimensions[i].source_stride;
    to[i] = copy.dimensions[i].destination_stride;
  }
  const bool moves_nothing =
      copy.length == 0 || std::find(counts.begin(), counts.end(), 0U) != counts.end();
  return moves_nothing ||
         (bounding_box(copy.source, copy.length, counts, from).is_within(hbm_bytes) &&
          bounding_box(copy.destination, copy.length, counts, to).is_within(vmem_bytes));
}

std::string given_fields(const StartCopy& copy) {
  namespace field = descriptor_field;
  std::string text;
  const auto add = [&text](std::string_view name, std::int64_t value) {
    text += fmt::format(", {}={}", name, value);
  };
  if (copy.buffer != 0) add("buffer", copy.buffer);
  for (const DescriptorField& row : descriptor_fields) {
    if (!row.belongs_to(false) || row.rule == DescriptorRule::target) continue;
    if (row.name == field::source_high.name || row.name == field::target_high.name) continue;
    const std::uint32_t value = get_field(copy.words, row);
    const bool is_count = row.rule == DescriptorRule::count || row.name == field::amount.name;
    if (value == (is_count ? 1U : 0U) && row.name != field::length.name) continue;
    add(row.name, row.rule == DescriptorRule::stride
                      ? std::int64_t{static_cast<std::int32_t>(value)}
                      : std::int64_t{value});
  }
  return text;
}

DescriptorWords placed_start_copy(const DescriptorWords& words, std::uint64_t tensor_address) {
  CopyDescriptor copy = descriptor_of(words);
  copy.source += tensor_address;
  return copy.words();
}

}  // namespace tandem
