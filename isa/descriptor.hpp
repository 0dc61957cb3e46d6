// Copy descriptors: the layout of isa/descriptor.def, and one as a value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/parameters.hpp"

namespace tandem {

enum class DescriptorRule : std::uint8_t {
  version,
  zero,
  space,
  target,
  flag,
  chip,
  positive,
  not_zero,
  address,
  any,
  bytes,
  count,
  stride,
};

// Version 0, version 1, or both.
enum class DescriptorLayout : std::uint8_t { local, remote, both };

struct DescriptorField {
  std::string_view name;
  DescriptorLayout layout;
  std::uint8_t word;
  std::uint8_t lsb;
  std::uint8_t width;
  DescriptorRule rule;
  std::string_view meaning;

  [[nodiscard]] constexpr bool belongs_to(bool remote) const {
    return layout == DescriptorLayout::both || (layout == DescriptorLayout::remote) == remote;
  }
};

// In ascending words and bits.
inline constexpr auto descriptor_fields = std::to_array<DescriptorField>({
#define DESCRIPTOR_FIELD(name, layout, word, lsb, width, rule, meaning) \
  {#name, DescriptorLayout::layout, word, lsb, width, DescriptorRule::rule, meaning},
#include "isa/descriptor.def"
#undef DESCRIPTOR_FIELD
});

// Their places by name: descriptor_field::length.word.
namespace descriptor_field {
#define DESCRIPTOR_FIELD(name, layout, word, lsb, width, rule, meaning)               \
  inline constexpr DescriptorField name{#name, DescriptorLayout::layout, word,   lsb, \
                                        width, DescriptorRule::rule,     meaning};
#include "isa/descriptor.def"
#undef DESCRIPTOR_FIELD
}  // namespace descriptor_field

using DescriptorWords = std::array<std::uint32_t, descriptor_words>;

constexpr std::uint32_t field_mask(const DescriptorField& field) {
  return field.width == 32 ? ~0U : (1U << field.width) - 1;
}
constexpr std::uint32_t get_field(const DescriptorWords& words, const DescriptorField& field) {
  return words[field.word] >> field.lsb & field_mask(field);
}
// Bits of the value beyond the field are lost.
constexpr void set_field(DescriptorWords& words, const DescriptorField& field,
                         std::uint32_t value) {
  const std::uint32_t mask = field_mask(field) << field.lsb;
  words[field.word] = (words[field.word] & ~mask) | (value << field.lsb & mask);
}

// The memories of a descriptor, and their names in machine.inc: in_hbm, in_vmem, in_smem.
enum class MemorySpace : std::uint8_t { hbm, vmem, smem };
inline constexpr std::array<std::string_view, 3> space_names{"hbm", "vmem", "smem"};

// Strides and addresses in bytes, without the offsets that a copy's operands add.
struct CopyDescriptor {
  struct Dimension {
    std::uint32_t count = 1;
    std::int32_t source_stride = 0;
    std::int32_t destination_stride = 0;
    bool operator==(const Dimension&) const = default;
  };
  static constexpr std::size_t dimension_count = 3;
  // Of a copy to a chip of the group, version 1: flag, amount and destination are that chip's.
  struct Remote {
    std::uint32_t chip = 0;
    std::uint32_t flag_here = 0;
    std::uint32_t amount_here = 0;  // 0 to 255
    bool operator==(const Remote&) const = default;
  };

  MemorySpace source_space = MemorySpace::hbm;
  MemorySpace destination_space = MemorySpace::vmem;
  std::uint32_t flag = 0;
  std::uint32_t amount = 1;  // of a remote copy at most 65,535
  std::optional<Remote> remote = std::nullopt;
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  std::uint32_t length = 4;
  std::array<Dimension, dimension_count> dimensions{};  // innermost first; count 1 disables one

  [[nodiscard]] DescriptorWords words() const;
  bool operator==(const CopyDescriptor&) const = default;
};

// Whether the words are of version 1.
constexpr bool is_remote(const DescriptorWords& words) {
  return get_field(words, descriptor_field::version) == 1;
}

// Bytes [begin, end) that contain every run of one side of a copy. Wide enough for any descriptor.
struct BoundingBox {
  __int128 begin = 0;
  __int128 end = 0;

  [[nodiscard]] bool is_within(std::uint64_t size) const { return begin >= 0 && end <= size; }
};
// Of runs of `length` bytes from an address on, none of the counts 0; strides in bytes.
BoundingBox bounding_box(std::uint64_t address, std::uint32_t length,
                         const std::array<std::uint32_t, 3>& counts,
                         const std::array<std::int32_t, 3>& strides);

// The first word that breaks its rule in a group of so many chips, if any.
std::optional<std::uint32_t> bad_word(const DescriptorWords& words, std::uint32_t chips);

// Decodes the words, whether or not they keep the rules; versions other than 1 are treated as 0.
CopyDescriptor descriptor_of(const DescriptorWords& words);

}  // namespace tandem
