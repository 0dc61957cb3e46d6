// Copies of random programs: descriptors, channels, and the prologue that fills the memories.
#include <algorithm>
#include <cstring>

#include "cosim/random/builder.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

using namespace random_map;

constexpr std::uint32_t prologue_flag = 31;
constexpr std::uint32_t hbm_space = 0;
constexpr std::uint32_t vmem_space = 1;
constexpr std::uint32_t smem_space = 2;
constexpr std::uint32_t offset_slack = 8;  // words that a copy's scalar offset may add

// A piece of one space, in words.
struct Region {
  std::uint32_t space;
  std::uint64_t first;
  std::uint32_t words;
};

std::uint32_t channel_rows(const Parameters& parameters) { return parameters.vmem_rows() / 8; }

// First VMEM row of a channel: the upper half of VMEM, an eighth each.
std::uint32_t channel_row(const Parameters& parameters, std::uint32_t number) {
  return parameters.vmem_rows() / 2 + number * channel_rows(parameters);
}

// The source or destination half of a channel's memory in a space. Sources in HBM are the table.
Region channel_region(const Parameters& parameters, std::uint32_t number, std::uint32_t space,
                      bool is_destination) {
  const std::uint32_t half_rows = channel_rows(parameters) / 2;
  switch (space) {
    case vmem_space: {
      const std::uint32_t row = channel_row(parameters, number) + (is_destination ? half_rows : 0);
      return {space, std::uint64_t{row} * parameters.lanes, half_rows * parameters.lanes};
    }
    case smem_space: {
      const std::uint32_t half = smem_channel_words / 2;
      return {space, smem_channels + number * smem_channel_words + (is_destination ? half : 0),
              half};
    }
    default:
      if (!is_destination) return {hbm_space, table / 4, table_bytes / 4};
      return {hbm_space, (channels + number * channel_bytes) / 4,
              static_cast<std::uint32_t>(channel_bytes / 4)};
  }
}

CopyDescriptor between(const Region& from, const Region& to) {
  CopyDescriptor copy;
  copy.source_space = static_cast<MemorySpace>(from.space);
  copy.destination_space = static_cast<MemorySpace>(to.space);
  return copy;
}

DescriptorWords simple_descriptor(const Region& from, const Region& to, std::uint32_t words) {
  CopyDescriptor copy = between(from, to);
  copy.flag = prologue_flag;
  copy.source = from.first * 4;
  copy.destination = to.first * 4;
  copy.length = words * 4;
  return copy.words();
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

}  // namespace

// ---- descriptors
// ---------------------------------------------------------------------------------

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

DescriptorWords ProgramBuilder::random_descriptor(const Channel& channel) {
  const Region from = channel_region(parameters_, channel.number, rng_.below(3), false);
  const Region to = channel_region(parameters_, channel.number, rng_.below(3), true);
  const std::uint32_t room = std::min(from.words, to.words) - offset_slack;
  const std::uint32_t lengths[] = {1,
                                   2,
                                   3,
                                   5,
                                   parameters_.lanes,
                                   2 * parameters_.lanes,
                                   parameters_.lanes + 1,
                                   1 + rng_.below(room)};
  const auto length = static_cast<std::int32_t>(std::min(rng_.pick(lengths), room));
  std::array<std::uint32_t, 3> counts{};
  for (std::uint32_t& count : counts) count = rng_.chance(40) ? 1 : 1 + rng_.below(5);

  const std::array<std::int32_t, 3> to_strides =
      disjoint_strides(length, static_cast<std::int32_t>(room), counts);
  std::array<std::int32_t, 3> from_strides{};
  for (std::int32_t& stride : from_strides) {
    const std::int32_t choices[] = {0, length, length, 1, 2 * length, -length, rng_.between(0, 40)};
    stride = rng_.pick(choices);
  }
  Walk source = make_walk(from_strides, counts);
  const Walk target = make_walk(to_strides, counts);
  if (source.highest - source.lowest + length > static_cast<std::int32_t>(from.words) - 8) {
    source = make_walk({0, 0, 0}, counts);
  }

  const auto base = [this, length](const Region& region, const Walk& walk) {
    const std::int32_t used = walk.highest - walk.lowest + length;
    const std::int32_t free = static_cast<std::int32_t>(region.words - offset_slack) - used;
    return (region.first + static_cast<std::uint64_t>(rng_.between(0, std::min(free, 24))) -
            static_cast<std::uint64_t>(static_cast<std::int64_t>(walk.lowest))) *
           4;
  };
  CopyDescriptor copy = between(from, to);
  copy.flag = channel.flag;
  copy.amount = 1 + rng_.below(1000);
  copy.source = static_cast<std::uint32_t>(base(from, source));
  copy.destination = static_cast<std::uint32_t>(base(to, target));
  copy.length = static_cast<std::uint32_t>(length) * 4;
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    copy.dimensions[dimension] = {counts[dimension], source.strides[dimension] * 4,
                                  target.strides[dimension] * 4};
  }
  // It moves nothing, but adds to its flag.
  if (rng_.chance(4)) copy.dimensions[rng_.below(3)].count = 0;
  return copy.words();
}

void ProgramBuilder::make_descriptors() {
  // For the prologue: the table to shared VMEM, to a channel's VMEM, to SMEM, shared and channels'.
  const Region from{hbm_space, table / 4, table_bytes / 4};
  const std::uint32_t table_words = table_bytes / 4;
  const std::uint32_t shared = std::min(region_.vmem_rows * parameters_.lanes, table_words);
  descriptors_.push_back(simple_descriptor(from, {vmem_space, 0, shared}, shared));
  const Region first_channel = channel_region(parameters_, 0, vmem_space, false);
  const std::uint32_t upper = std::min(first_channel.words, table_words);
  descriptors_.push_back(simple_descriptor(from, first_channel, upper));
  const Region smem{smem_space, region_.smem_first, region_.smem_words};
  descriptors_.push_back(simple_descriptor(from, smem, smem.words));
  const Region channels{smem_space, smem_channels, most_channels * smem_channel_words};
  descriptors_.push_back(simple_descriptor(from, channels, channels.words));

  for (std::uint32_t number = 0; number < std::min(knobs_.channels, most_channels); ++number) {
    channels_.push_back({number, number * 7 + rng_.below(7), {}, false});
  }
  while (descriptors_.size() < descriptor_count && !channels_.empty()) {
    Channel& channel = channels_[descriptors_.size() % channels_.size()];
    channel.descriptors.push_back(static_cast<std::uint32_t>(descriptors_.size()));
    descriptors_.push_back(random_descriptor(channel));
  }
}

std::vector<HbmSegment> ProgramBuilder::data_segments() {
  HbmSegment words{random_map::descriptors, {}};
  words.bytes.resize(descriptor_count * descriptor_words * 4);
  for (std::size_t number = 0; number < descriptors_.size(); ++number) {
    std::memcpy(words.bytes.data() + number * descriptor_words * 4, descriptors_[number].data(),
                descriptor_words * 4);
  }
  HbmSegment values{table, std::vector<std::uint8_t>(table_bytes)};
  for (std::size_t offset = 0; offset < table_bytes; offset += 4) {
    const std::uint32_t value = chooser_.constant();
    std::memcpy(values.bytes.data() + offset, &value, 4);
  }
  return {std::move(words), std::move(values)};
}

// ---- prologue
// ------------------------------------------------------------------------------------

// The first descriptor, which fetches all others, is written word by word.
void ProgramBuilder::store_first_descriptor() {
  const auto d = simple_descriptor({hbm_space, random_map::descriptors / 4, 0}, {smem_space, 0, 0},
                                   descriptor_count * descriptor_words);
  for (std::uint32_t word = 0; word < descriptor_words; ++word) {
    Draft set;
    set.set(Slot::sa, op::mov(s(1), d[word]));
    emit(std::move(set));
    Draft draft;
    draft.set(Slot::sb, op::sst(Smem(static_cast<std::int32_t>(word)), s(1)));
    emit(std::move(draft));
  }
}

void ProgramBuilder::run_prologue_copy(std::uint32_t number, std::uint32_t count) {
  Draft draft;
  draft.set(Slot::dma, op::copy(Descriptor(static_cast<std::int32_t>(number)), s(0), s(0)));
  emit(std::move(draft));
  Draft wait;
  wait.set(Slot::dma, op::wait(f(prologue_flag), count));
  emit(std::move(wait));
}

void ProgramBuilder::prologue() {
  make_descriptors();
  store_first_descriptor();
  run_prologue_copy(0, 1);
  for (std::uint32_t number = 0; number < 4; ++number) run_prologue_copy(number, number + 2);
  Draft small;
  small.set(Slot::va, op::vsublane(v(reserved::small_values)));
  emit(std::move(small));
  for (std::uint32_t number = 1; number < scalar_registers; number += 2) {
    Draft draft;
    const bool free = number <= reserved::last_free;
    draft.set(Slot::sa, op::mov(s(number), free ? chooser_.constant() | 1U : 0));
    if (number + 1 < scalar_registers) {
      const bool second_free = number + 1 <= reserved::last_free;
      draft.set(Slot::sb, op::mov(s(number + 1), second_free ? chooser_.constant() | 1U : 0));
    }
    emit(std::move(draft));
  }
}

// ---- channels
// ------------------------------------------------------------------------------------

void ProgramBuilder::copy_step() {
  if (channels_.empty()) return;
  Channel& channel = channels_[rng_.below(static_cast<std::uint32_t>(channels_.size()))];
  if (channel.busy) {
    wait_for(channel);
  } else if (rng_.chance(15)) {
    set_flag(channel);
  } else {
    start_copy(channel);
  }
}

// The copy and the sum of its channel's amounts change together, under the same predicate.
void ProgramBuilder::start_copy(Channel& channel) {
  const std::uint32_t number =
      channel.descriptors[rng_.below(static_cast<std::uint32_t>(channel.descriptors.size()))];
  const std::uint32_t total = reserved::channel_total + channel.number;
  if (rng_.chance(30)) {  // offsets that arrive late
    Draft late;
    late.slots[static_cast<std::size_t>(Slot::xu)] = chooser_.slow_refresh(late.taken);
    emit(std::move(late));
  }
  Draft draft;
  const Scalar source = s(rng_.chance(50) ? reserved::copy_offset : 0);
  const Scalar target = s(rng_.chance(50) ? reserved::copy_offset : 0);
  Operation copy =
      op::copy(Descriptor(static_cast<std::int32_t>(number)), source, target).operation;
  Operation sum = op::add(s(total), s(total), descriptors_[number][1]).operation;
  if (rng_.chance(knobs_.predicated)) {
    copy.predicate = sum.predicate = static_cast<std::uint8_t>(1 + rng_.below(5));
    copy.negate = sum.negate = rng_.chance(50);
  }
  draft.set(Slot::dma, copy);
  draft.set(rng_.chance(50) ? Slot::sa : Slot::sb, sum);
  channel.busy = true;
  fill(draft);
  emit(std::move(draft));
}

// A flag by its number, or a bundle that puts a part of the number into a register.
FlagArgument ProgramBuilder::flag_operand(std::uint32_t flag) {
  if (rng_.chance(60)) return f(flag);
  const std::uint32_t part = rng_.below(std::min(flag, 7U) + 1);
  Draft draft;
  draft.set(Slot::sa, op::mov(s(reserved::copy_offset), part));
  emit(std::move(draft));
  return f(flag - part, s(reserved::copy_offset));
}

// Starts the count of an idle channel anew; negative values too.
void ProgramBuilder::set_flag(const Channel& channel) {
  const std::int32_t value = rng_.between(-256, 255);
  Draft draft;
  draft.set(Slot::dma, op::fset(flag_operand(channel.flag), value));
  draft.set(Slot::sb, op::mov(s(reserved::channel_total + channel.number), value));
  fill(draft);
  emit(std::move(draft));
}

void ProgramBuilder::wait_for(Channel& channel) {
  const std::uint32_t total = reserved::channel_total + channel.number;
  if (rng_.chance(20)) {  // the program may add to the flag itself
    Draft draft;
    const std::int32_t amount = rng_.between(1, 100);
    draft.set(Slot::dma, op::fadd(flag_operand(channel.flag), amount));
    draft.set(Slot::sa, op::add(s(total), s(total), amount));
    fill(draft);
    emit(std::move(draft));
  }
  Draft draft;
  draft.set(Slot::dma, op::wait(flag_operand(channel.flag), s(total)));
  fill(draft);
  emit(std::move(draft));
  channel.busy = false;
}

void ProgramBuilder::wait_all() {
  for (Channel& channel : channels_) {
    if (channel.busy) wait_for(channel);
  }
}

// An access to a channel's memory with addresses known now: loads from the source half at any
// time, everything else only while the channel is idle.
void ProgramBuilder::touch_channel(Draft& draft) {
  if (channels_.empty()) return;
  const Channel& channel = channels_[rng_.below(static_cast<std::uint32_t>(channels_.size()))];
  const std::uint32_t rows = channel_rows(parameters_);
  const bool store = !channel.busy && rng_.chance(50);
  const Slot slot = store ? Slot::st : Slot::ld;
  if (!draft.is_free(slot)) return;
  const std::uint32_t reach = channel.busy ? rows / 2 : rows;
  const auto operation = chooser_.operation(slot, draft.taken);
  if (!operation) return;
  Operation access = *operation;
  OperandValue& address = access.operands[store ? 0 : 1];
  const std::uint32_t row = channel_row(parameters_, channel.number) + rng_.below(reach - 8);
  const bool column = instruction(access.op).operands.items[1]->kind == OperandKind::vmem_word;
  address.value = 0;
  if (row > 0x7fff || column) {  // beyond the offset's range, or counted in words
    address.value = reserved::row_base;
    address.imm = 0;
  } else {
    address.imm = static_cast<std::int32_t>(row);
    for (std::size_t i = 0; i < instruction(access.op).operands.count; ++i) {
      if (instruction(access.op).operands.items[i]->kind == OperandKind::stride) {
        access.operands[i].value = rng_.between(0, 1);
      }
    }
  }
  draft.slots[static_cast<std::size_t>(slot)] = access;
}

}  // namespace tandem
