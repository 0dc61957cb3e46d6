// The memory layout of random programs.
//
// HBM: text; descriptors and a read-only table after it; destinations of copies, 16 KiB per
// channel, after that or far away (knob hbm_place); and the gap between the end of the text and the
// descriptors. VMEM: the lower half is shared by loads and stores, the upper half belongs to the
// channels. SMEM: descriptors, channels, and at its end the part shared by sld and sst.
#pragma once

#include <cstdint>

#include "cosim/random/knobs.hpp"
#include "isa/parameters.hpp"

namespace tandem {

namespace random_map {
inline constexpr std::uint32_t descriptor_count = 24;  // SMEM words 0 .. 383
inline constexpr std::uint32_t smem_channels = 1024;   // SMEM word of channel 0
inline constexpr std::uint32_t smem_channel_words = 256;
inline constexpr std::uint32_t most_channels = 4;
inline constexpr std::uint32_t table_bytes = 0x8000;
inline constexpr std::uint32_t table_offset = 0x1000;  // after the descriptors
inline constexpr std::uint32_t channel_bytes = 0x4000;
inline constexpr std::uint32_t text_gap_words = 512;  // at least, between text and descriptors
}  // namespace random_map

// The base of a place in HBM; known once the text is complete.
enum class HbmBase : std::uint8_t { none, descriptors, table, channels, text_end };

struct HbmPlaces {
  std::uint64_t descriptors = 0;
  std::uint64_t channels = 0;
  std::uint64_t text_end = 0;

  [[nodiscard]] std::uint64_t address(HbmBase base) const;
};
// For a program of this many bundles, including the gap at their end.
HbmPlaces hbm_places(const RandomKnobs& knobs, std::uint64_t bundles);

// A piece of one space, in words; in HBM from a base.
struct MemoryRegion {
  std::uint32_t space = 0;
  std::uint64_t first = 0;
  std::uint32_t words = 0;
  HbmBase base = HbmBase::none;

  // Piece `number` of `count` equal ones.
  [[nodiscard]] MemoryRegion part(std::uint32_t number, std::uint32_t count) const;
};

std::uint32_t channel_rows(const Parameters& parameters);
// First VMEM row of a channel.
std::uint32_t channel_row(const Parameters& parameters, std::uint32_t number);
// The source or destination half of a channel's memory in a space. A source in HBM is the table.
MemoryRegion channel_region(const Parameters& parameters, std::uint32_t number, std::uint32_t space,
                            bool is_destination);
MemoryRegion table_region();
// Half 0 or 1 of a channel's memory in HBM.
MemoryRegion channel_half(std::uint32_t number, std::uint32_t half);

}  // namespace tandem
