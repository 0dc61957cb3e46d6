#include "isa/descriptor.hpp"

#include <algorithm>

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

constexpr std::uint32_t spaces = 3;

// Whether a field breaks its rule (isa/descriptor.def); `remote`: in version 1.
bool is_bad(DescriptorRule rule, std::uint32_t value, bool remote, std::uint32_t chips) {
  const bool negative = (value >> 31U) != 0;
  const bool unaligned = (value & 3U) != 0;
  switch (rule) {
    case DescriptorRule::version: return value > 1;
    case DescriptorRule::zero: return value != 0;
    case DescriptorRule::space: return value >= spaces;
    case DescriptorRule::target:
      return value >= (remote ? static_cast<std::uint32_t>(MemorySpace::smem) : spaces);
    case DescriptorRule::flag: return value >= sync_flags;
    case DescriptorRule::chip: return value >= (remote ? chips : 1);
    case DescriptorRule::positive: return value == 0 || negative;
    case DescriptorRule::not_zero: return value == 0;
    case DescriptorRule::address:
    case DescriptorRule::stride: return unaligned;
    case DescriptorRule::any: return false;
    case DescriptorRule::bytes: return unaligned || negative;
    case DescriptorRule::count: return negative;
  }
  return true;
}

// The rows of a layout.
template <bool remote>
constexpr auto fields_of_layout() {
  constexpr auto count = static_cast<std::size_t>(
      std::count_if(descriptor_fields.begin(), descriptor_fields.end(),
                    [](const DescriptorField& field) { return field.belongs_to(remote); }));
  std::array<DescriptorField, count> fields{};
  std::copy_if(descriptor_fields.begin(), descriptor_fields.end(), fields.begin(),
               [](const DescriptorField& field) { return field.belongs_to(remote); });
  return fields;
}

// The first word with an error, if any.
template <bool remote>
std::optional<std::uint32_t> bad_word_of(const DescriptorWords& words, std::uint32_t chips) {
  static constexpr auto fields = fields_of_layout<remote>();
  for (const DescriptorField& field : fields) {
    if (is_bad(field.rule, get_field(words, field), remote, chips)) return field.word;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> bad_word(const DescriptorWords& words, std::uint32_t chips) {
  return is_remote(words) ? bad_word_of<true>(words, chips) : bad_word_of<false>(words, chips);
}

BoundingBox bounding_box(std::uint64_t address, std::uint32_t length,
                         const std::array<std::uint32_t, 3>& counts,
                         const std::array<std::int32_t, 3>& strides) {
  BoundingBox box{address, static_cast<__int128>(address) + length};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const __int128 reach = static_cast<__int128>(counts[i] - 1) * strides[i];
    (reach < 0 ? box.begin : box.end) += reach;
  }
  return box;
}

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
