#include "isa/descriptor.hpp"

namespace tandem {
namespace {

namespace field = descriptor_field;

struct DimensionFields {
  DescriptorField count;
  DescriptorField source_stride;
  DescriptorField destination_stride;
};
constexpr std::array<DimensionFields, CopyDescriptor::dimension_count> dimension_fields{{
    {field::inner, field::inner_source_stride, field::inner_target_stride},
    {field::middle, field::middle_source_stride, field::middle_target_stride},
    {field::outer, field::outer_source_stride, field::outer_target_stride},
}};

void set_pair(DescriptorWords& words, const DescriptorField& low, const DescriptorField& high,
              std::uint64_t value) {
  set_field(words, low, static_cast<std::uint32_t>(value));
  set_field(words, high, static_cast<std::uint32_t>(value >> 32U));
}

std::uint64_t get_pair(const DescriptorWords& words, const DescriptorField& low,
                       const DescriptorField& high) {
  return get_field(words, low) | std::uint64_t{get_field(words, high)} << 32U;
}

// Evaluated by the compiler: every bit of the 16 words belongs to one field of a layout.
constexpr bool covers_every_bit_once(bool remote) {
  DescriptorWords seen{};
  for (const DescriptorField& row : descriptor_fields) {
    if (!row.belongs_to(remote)) continue;
    const std::uint32_t mask = field_mask(row) << row.lsb;
    if ((seen[row.word] & mask) != 0) return false;
    seen[row.word] |= mask;
  }
  for (const std::uint32_t word : seen) {
    if (word != ~0U) return false;
  }
  return true;
}
static_assert(covers_every_bit_once(false) && covers_every_bit_once(true));

}  // namespace

DescriptorWords CopyDescriptor::words() const {
  DescriptorWords words{};
  set_field(words, field::source_space, static_cast<std::uint32_t>(source_space));
  set_field(words, field::destination_space, static_cast<std::uint32_t>(destination_space));
  set_field(words, field::flag, flag);
  if (remote) {
    set_field(words, field::version, 1);
    set_field(words, field::chip, remote->chip);
    set_field(words, field::amount_there, amount);
    set_field(words, field::flag_here, remote->flag_here);
    set_field(words, field::amount_here, remote->amount_here);
  } else {
    set_field(words, field::amount, amount);
  }
  set_pair(words, field::source, field::source_high, source);
  set_pair(words, field::target, field::target_high, destination);
  set_field(words, field::length, length);
  for (std::size_t i = 0; i < dimension_count; ++i) {
    const Dimension& of = dimensions[i];
    set_field(words, dimension_fields[i].count, of.count);
    set_field(words, dimension_fields[i].source_stride,
              static_cast<std::uint32_t>(of.source_stride));
    set_field(words, dimension_fields[i].destination_stride,
              static_cast<std::uint32_t>(of.destination_stride));
  }
  return words;
}

CopyDescriptor descriptor_of(const DescriptorWords& words) {
  CopyDescriptor copy;
  copy.source_space = static_cast<MemorySpace>(get_field(words, field::source_space));
  copy.destination_space = static_cast<MemorySpace>(get_field(words, field::destination_space));
  copy.flag = get_field(words, field::flag);
  copy.amount = get_field(words, field::amount);
  if (is_remote(words)) {
    copy.amount = get_field(words, field::amount_there);
    copy.remote = {get_field(words, field::chip), get_field(words, field::flag_here),
                   get_field(words, field::amount_here)};
  }
  copy.source = get_pair(words, field::source, field::source_high);
  copy.destination = get_pair(words, field::target, field::target_high);
  copy.length = get_field(words, field::length);
  for (std::size_t i = 0; i < CopyDescriptor::dimension_count; ++i) {
    copy.dimensions[i] = {
        get_field(words, dimension_fields[i].count),
        static_cast<std::int32_t>(get_field(words, dimension_fields[i].source_stride)),
        static_cast<std::int32_t>(get_field(words, dimension_fields[i].destination_stride))};
  }
  return copy;
}

}  // namespace tandem
