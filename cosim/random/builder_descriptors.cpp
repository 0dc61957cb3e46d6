// Descriptors of random programs, and the data they and the prologue read.
#include <algorithm>
#include <cstring>

#include "cosim/random/builder.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

using namespace random_map;

constexpr std::uint32_t prologue_flag = 31;
constexpr std::uint32_t prologue_words = 2048;  // of VMEM; the rest keeps its pattern
constexpr std::uint32_t hbm_fill_words = 512;   // of each half of a channel
constexpr std::uint32_t offset_slack = 8;       // words that a copy's scalar offset may add

PlannedCopy between(const MemoryRegion& from, const MemoryRegion& to) {
  PlannedCopy planned;
  planned.copy.source_space = static_cast<MemorySpace>(from.space);
  planned.copy.destination_space = static_cast<MemorySpace>(to.space);
  planned.source_base = from.base;
  planned.target_base = to.base;
  return planned;
}

PlannedCopy simple_copy(const MemoryRegion& from, const MemoryRegion& to, std::uint32_t words) {
  PlannedCopy planned = between(from, to);
  planned.copy.flag = prologue_flag;
  planned.copy.source = from.first * 4;
  planned.copy.destination = to.first * 4;
  planned.copy.length = words * 4;
  return planned;
}

// `count` runs of `words`, one after the other in the source, `stride` words apart at `to`.
PlannedCopy spread_copy(const MemoryRegion& from, const MemoryRegion& to, std::uint32_t words,
                        std::uint32_t count, std::uint32_t stride) {
  PlannedCopy planned = simple_copy(from, to, words);
  planned.copy.dimensions[0] = {count, static_cast<std::int32_t>(words * 4),
                                static_cast<std::int32_t>(stride * 4)};
  return planned;
}

// Three dimensions over a region, in words: strides and the lowest and highest run offset.
struct Walk {
  std::array<std::int32_t, 3> strides{};
  std::int32_t lowest = 0;
  std::int32_t highest = 0;
};

Walk make_walk(const std::array<std::int32_t, 3>& strides,
               const std::array<std::uint32_t, 3>& counts) {
  Walk walk{strides, 0, 0};
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    const std::int32_t reach =
        strides[dimension] * (static_cast<std::int32_t>(counts[dimension]) - 1);
    (reach < 0 ? walk.lowest : walk.highest) += reach;
  }
  return walk;
}

std::uint32_t space_number(MemorySpace space) { return static_cast<std::uint32_t>(space); }

}  // namespace

DescriptorWords PlannedCopy::words(const HbmPlaces& places) const {
  CopyDescriptor placed = copy;
  placed.source += places.address(source_base) - std::uint64_t{4} * far_source;
  placed.destination += places.address(target_base) - std::uint64_t{4} * far_target;
  return placed.words();
}

// Strides of a destination, whose runs must not overlap: each leaves room for all inner
// dimensions. Counts that would leave the region become 1.
std::array<std::int32_t, 3> ProgramBuilder::disjoint_strides(std::int32_t length, std::int32_t room,
                                                             std::array<std::uint32_t, 3>& counts) {
  std::array<std::int32_t, 3> strides{};
  std::int32_t extent = length;
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    const std::int32_t stride = extent + (rng_.chance(60) ? 0 : rng_.between(0, 5));
    const auto turns = [&] { return static_cast<std::int32_t>(counts[dimension]) - 1; };
    if (extent + stride * turns() > room) counts[dimension] = 1;
    strides[dimension] = rng_.chance(15) ? -stride : stride;
    extent += stride * turns();
  }
  return strides;
}

// The space after the text belongs to the first channel. With one copy at a time a channel may also
// read in HBM what it wrote there; `half` is the half that a copy within HBM reads; it writes the
// other one.
MemoryRegion ProgramBuilder::random_source(const Channel& channel, std::uint32_t half) {
  const std::uint32_t space = rng_.below(3);
  const MemoryRegion usual = channel_region(parameters_, channel.number, space, false);
  if (space != space_number(MemorySpace::hbm)) return usual;
  if (channel.number == 0 && rng_.chance(knobs_.text_end)) {
    return {space, 0, text_gap_words, HbmBase::text_end};
  }
  return knobs_.burst == 1 && rng_.chance(40) ? channel_half(channel.number, half) : usual;
}

MemoryRegion ProgramBuilder::random_target(const Channel& channel, std::uint32_t half) {
  const std::uint32_t space = rng_.below(3);
  if (space != space_number(MemorySpace::hbm)) {
    return channel_region(parameters_, channel.number, space, true);
  }
  if (channel.number == 0 && knobs_.burst == 1 && rng_.chance(knobs_.text_end)) {
    return {space, 0, text_gap_words, HbmBase::text_end};
  }
  return channel_half(channel.number, 1 - half);
}

// Words: any number, often about 2^30, with which the sum in bytes leaves 32 bits.
std::uint32_t ProgramBuilder::far_offset() {
  const std::uint32_t bases[] = {1U << 30U, 3U << 30U, 1U << 31U, rng_.next()};
  return rng_.pick(bases) + rng_.below(64);
}

// Words of a run: about a row, or anything that fits.
std::int32_t ProgramBuilder::random_length(std::uint32_t room) {
  const std::uint32_t lengths[] = {1,
                                   2,
                                   3,
                                   5,
                                   parameters_.lanes,
                                   2 * parameters_.lanes,
                                   parameters_.lanes + 1,
                                   1 + rng_.below(room)};
  return static_cast<std::int32_t>(std::min(rng_.pick(lengths), room));
}

// Any strides, or none when they would leave the region.
std::array<std::int32_t, 3> ProgramBuilder::source_strides(
    std::int32_t length, std::uint32_t words, const std::array<std::uint32_t, 3>& counts) {
  std::array<std::int32_t, 3> strides{};
  for (std::int32_t& stride : strides) {
    const std::int32_t choices[] = {0, length, length, 1, 2 * length, -length, rng_.between(0, 40)};
    stride = rng_.pick(choices);
  }
  const Walk walk = make_walk(strides, counts);
  const bool leaves = walk.highest - walk.lowest + length > static_cast<std::int32_t>(words) - 8;
  return leaves ? std::array<std::int32_t, 3>{} : strides;
}

// In bytes: where the first run begins, so that all stay in the region.
std::uint64_t ProgramBuilder::random_place(const MemoryRegion& region,
                                           const std::array<std::int32_t, 3>& strides,
                                           const std::array<std::uint32_t, 3>& counts,
                                           std::int32_t length) {
  const Walk walk = make_walk(strides, counts);
  const std::int32_t used = walk.highest - walk.lowest + length;
  const std::int32_t free = static_cast<std::int32_t>(region.words - offset_slack) - used;
  // Near the region's beginning, where copies meet each other, or anywhere, including ends of
  // pages.
  const std::int32_t reach = rng_.chance(50) ? std::min(free, 24) : free;
  const std::int32_t begin = region.base == HbmBase::text_end ? 0 : rng_.between(0, reach);
  return (region.first + static_cast<std::uint64_t>(begin) -
          static_cast<std::uint64_t>(static_cast<std::int64_t>(walk.lowest))) *
         4;
}

// Runs in three dimensions, from anywhere to anywhere in two regions. The flag is the caller's.
CopyDescriptor ProgramBuilder::random_move(const MemoryRegion& from, const MemoryRegion& to) {
  const std::uint32_t room = std::min(from.words, to.words) - offset_slack;
  const std::int32_t length = random_length(room);
  std::array<std::uint32_t, 3> counts{};
  for (std::uint32_t& count : counts) count = rng_.chance(40) ? 1 : 1 + rng_.below(5);
  const auto target = disjoint_strides(length, static_cast<std::int32_t>(room), counts);
  const auto source = source_strides(length, from.words, counts);

  CopyDescriptor copy = between(from, to).copy;
  copy.amount = 1 + rng_.below(1000);
  copy.source = random_place(from, source, counts, length);
  copy.destination = random_place(to, target, counts, length);
  copy.length = static_cast<std::uint32_t>(length) * 4;
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    copy.dimensions[dimension] = {counts[dimension], source[dimension] * 4, target[dimension] * 4};
  }
  // It moves nothing, but adds to its flag.
  if (rng_.chance(4)) copy.dimensions[rng_.below(3)].count = 0;
  return copy;
}

PlannedCopy ProgramBuilder::random_descriptor(const Channel& channel, std::uint32_t stripe) {
  const std::uint32_t half = rng_.below(2);
  const MemoryRegion from = random_source(channel, half);
  MemoryRegion to = random_target(channel, half);
  if (from.base == HbmBase::text_end && to.base == from.base) to = channel_half(0, half);
  to = to.part(stripe, knobs_.burst);

  PlannedCopy planned = between(from, to);
  planned.stripe = stripe;
  planned.copy = random_move(from, to);
  planned.copy.flag = channel.flag;
  if (rng_.chance(knobs_.far_offsets)) {
    planned.far_source = far_offset();
    planned.far_target = far_offset();
  }
  return planned;
}

void ProgramBuilder::make_descriptors() {
  const std::uint32_t count = std::min(knobs_.channels, most_channels);
  const std::uint32_t lanes = parameters_.lanes;
  // For the prologue: the table to the shared part of VMEM and SMEM, and to the channels'.
  const MemoryRegion from = table_region();
  const std::uint32_t shared = std::min(region_.vmem_rows * lanes, prologue_words);
  descriptors_.push_back(simple_copy(from, {space_number(MemorySpace::vmem), 0, shared}, shared));
  const MemoryRegion smem{space_number(MemorySpace::smem), region_.smem_first, region_.smem_words};
  descriptors_.push_back(simple_copy(from, smem, smem.words));
  const MemoryRegion smem_all{space_number(MemorySpace::smem), smem_channels,
                              most_channels * smem_channel_words};
  descriptors_.push_back(simple_copy(from, smem_all, smem_all.words));
  if (count != 0) {
    const MemoryRegion vmem =
        channel_region(parameters_, 0, space_number(MemorySpace::vmem), false);
    descriptors_.push_back(spread_copy(from, vmem, std::min(vmem.words, prologue_words / 2), count,
                                       channel_rows(parameters_) * lanes));
    const MemoryRegion hbm = channel_half(0, 0);
    descriptors_.push_back(spread_copy(from, hbm, hbm_fill_words, 2 * count, hbm.words));
  }
  prologue_copies_ = static_cast<std::uint32_t>(descriptors_.size());

  for (std::uint32_t number = 0; number < count; ++number) {
    channels_.push_back({number, number * 7 + rng_.below(7), {}, 0});
  }
  for (std::uint32_t turn = 0; descriptors_.size() < descriptor_count && count != 0; ++turn) {
    Channel& channel = channels_[turn % count];
    channel.descriptors.push_back(static_cast<std::uint32_t>(descriptors_.size()));
    descriptors_.push_back(random_descriptor(channel, turn / count % knobs_.burst));
  }
}

std::vector<std::uint8_t> ProgramBuilder::data_bytes(const HbmPlaces& places) {
  std::vector<std::uint8_t> bytes(table_offset + table_bytes);
  for (std::size_t number = 0; number < descriptors_.size(); ++number) {
    const DescriptorWords words = descriptors_[number].words(places);
    std::memcpy(bytes.data() + number * sizeof(words), words.data(), sizeof(words));
  }
  for (std::size_t offset = table_offset; offset < bytes.size(); offset += 4) {
    const std::uint32_t value = chooser_.constant();
    std::memcpy(bytes.data() + offset, &value, 4);
  }
  return bytes;
}

}  // namespace tandem
