#include "cosim/random/random_map.hpp"

#include "cosim/random/program.hpp"
#include "isa/descriptor.hpp"
#include "isa/image.hpp"

namespace tandem {
namespace {

using namespace random_map;

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

constexpr std::uint32_t space_number(MemorySpace space) {
  return static_cast<std::uint32_t>(space);
}

// Channel 0 below 4 GiB, channel 1 across it; elsewhere if the text is there.
std::uint64_t channel_address(const RandomKnobs& knobs, std::uint64_t behind_program) {
  switch (knobs.hbm_place) {
    case 0: return behind_program;
    case 1: return (std::uint64_t{16} << 20U) + (std::uint64_t{64} << 20U);
    case 2: return (knobs.text_place == 1 ? 6 : 4) * gib - channel_bytes - channel_bytes / 2;
    default: return 7 * gib + page;
  }
}

}  // namespace

std::uint64_t random_text_address(const RandomKnobs& knobs, std::uint64_t bundles) {
  switch (knobs.text_place) {
    case 0: return text_base;
    case 1: return (4 * gib - bundles * bundle_bytes / 2) / page * page;
    default: return 5 * gib;
  }
}

std::uint64_t HbmPlaces::address(HbmBase base) const {
  switch (base) {
    case HbmBase::none: return 0;
    case HbmBase::descriptors: return descriptors;
    case HbmBase::table: return descriptors + table_offset;
    case HbmBase::channels: return channels;
    case HbmBase::text_end: return text_end;
  }
  __builtin_unreachable();
}

HbmPlaces hbm_places(const RandomKnobs& knobs, std::uint64_t bundles) {
  const std::uint64_t bytes = bundles * bundle_bytes;
  HbmPlaces places;
  places.descriptors = (text_base + bytes + page - 1) / page * page;
  places.channels = channel_address(knobs, places.descriptors + table_offset + table_bytes);
  places.text_end = random_text_address(knobs, bundles) + bytes;
  return places;
}

MemoryRegion MemoryRegion::part(std::uint32_t number, std::uint32_t count) const {
  return {space, first + number * (words / count), words / count, base};
}

std::uint32_t channel_rows(const Parameters& parameters) { return parameters.vmem_rows() / 8; }

std::uint32_t channel_row(const Parameters& parameters, std::uint32_t number) {
  return parameters.vmem_rows() / 2 + number * channel_rows(parameters);
}

MemoryRegion table_region() {
  return {space_number(MemorySpace::hbm), 0, table_bytes / 4, HbmBase::table};
}

MemoryRegion channel_half(std::uint32_t number, std::uint32_t half) {
  constexpr std::uint32_t words = channel_bytes / 8;
  return {space_number(MemorySpace::hbm), (2 * number + half) * std::uint64_t{words}, words,
          HbmBase::channels};
}

MemoryRegion channel_region(const Parameters& parameters, std::uint32_t number, std::uint32_t space,
                            bool is_destination) {
  const std::uint32_t half = is_destination ? 1 : 0;
  if (space == space_number(MemorySpace::vmem)) {
    const std::uint32_t rows = channel_rows(parameters) / 2;
    const std::uint32_t row = channel_row(parameters, number) + half * rows;
    return {space, std::uint64_t{row} * parameters.lanes, rows * parameters.lanes};
  }
  if (space == space_number(MemorySpace::smem)) {
    constexpr std::uint32_t words = smem_channel_words / 2;
    return {space, smem_channels + number * smem_channel_words + half * words, words};
  }
  return is_destination ? channel_half(number, 1) : table_region();
}

}  // namespace tandem
