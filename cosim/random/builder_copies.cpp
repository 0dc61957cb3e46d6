// Copies of random programs: the prologue that fills the memories, and the channels.
#include <algorithm>
#include <bit>

#include "cosim/random/builder.hpp"
#include "isa/analysis/effects.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

using namespace random_map;

constexpr std::uint32_t prologue_flag = 31;

}  // namespace

// ---- prologue
// ------------------------------------------------------------------------------------

// The first descriptor, which fetches all others, is written word by word. Its address waits for
// the end of the text: patch_first_descriptor().
void ProgramBuilder::store_first_descriptor() {
  first_descriptor_at_ = here();
  for (std::uint32_t word = 0; word < descriptor_words; ++word) {
    set_scalar(s(1), 0);
    Draft draft;
    draft.set(Slot::sb, op::sst(Smem(static_cast<std::int32_t>(word)), s(1)));
    emit(std::move(draft));
  }
}

void ProgramBuilder::patch_first_descriptor(const HbmPlaces& places) {
  CopyDescriptor all;
  all.destination_space = MemorySpace::smem;
  all.flag = prologue_flag;
  all.source = places.descriptors;
  all.length = descriptor_count * descriptor_words * 4;
  const DescriptorWords words = all.words();
  for (std::size_t word = 0; word < descriptor_words; ++word) {
    patch_target(first_descriptor_at_ + 2 * word, Slot::sa, 1, words[word]);
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
  make_start_copies();
  store_first_descriptor();
  run_prologue_copy(0, 1);
  wait_for_start_copies();
  for (std::uint32_t number = 0; number < prologue_copies_; ++number) {
    run_prologue_copy(number, number + 2);
  }
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
  const std::uint32_t number =
      channel.descriptors[rng_.below(static_cast<std::uint32_t>(channel.descriptors.size()))];
  const bool free = (channel.busy >> descriptors_[number].stripe & 1U) == 0;
  if (channel.busy != 0 && (!free || rng_.chance(100 / knobs_.burst))) {
    wait_for(channel);
  } else if (channel.busy == 0 && rng_.chance(15)) {
    set_flag(channel);
  } else {
    start_copy(channel, number);
  }
}

// The offset that a copy adds to its descriptor's addresses: little, or all that a far one lacks.
std::array<Scalar, 2> ProgramBuilder::copy_offsets(const PlannedCopy& planned) {
  if (planned.is_far()) {
    Draft draft;
    draft.set(Slot::sa, op::mov(s(reserved::jump_target), planned.far_source));
    draft.set(Slot::sb, op::mov(s(reserved::link), planned.far_target));
    emit(std::move(draft));
    return {s(reserved::jump_target), s(reserved::link)};
  }
  if (rng_.chance(30)) {  // offsets that arrive late
    Draft late;
    late.slots[static_cast<std::size_t>(Slot::xu)] = chooser_.slow_refresh(late.taken);
    emit(std::move(late));
  }
  const auto choose = [this] { return s(rng_.chance(50) ? reserved::copy_offset : 0); };
  const Scalar source = choose();
  return {source, choose()};
}

// The copy and the sum of its channel's amounts change together, under the same predicate.
void ProgramBuilder::start_copy(Channel& channel, std::uint32_t number) {
  const PlannedCopy& planned = descriptors_[number];
  const std::uint32_t total = reserved::channel_total + channel.number;
  const std::array<Scalar, 2> offsets = copy_offsets(planned);
  Draft draft;
  Operation copy =
      op::copy(Descriptor(static_cast<std::int32_t>(number)), offsets[0], offsets[1]).operation;
  Operation sum = op::add(s(total), s(total), planned.copy.amount).operation;
  if (rng_.chance(knobs_.predicated)) {
    chooser_.set_predicate(copy);
    sum.predicate = copy.predicate;
    sum.negate = copy.negate;
  }
  draft.set(Slot::dma, copy);
  draft.set(rng_.chance(50) ? Slot::sa : Slot::sb, sum);
  channel.busy |= 1U << planned.stripe;
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

// Restarts the count of an idle channel, also from negative values.
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
  channel.busy = 0;
}

void ProgramBuilder::wait_all() {
  for (Channel& channel : channels_) {
    if (channel.busy != 0) wait_for(channel);
  }
}

// An access to a channel's memory with addresses known now: loads from the source half at any
// time, everything else only while the channel is idle.
void ProgramBuilder::touch_channel(Draft& draft) {
  if (channels_.empty()) return;
  const Channel& channel = channels_[rng_.below(static_cast<std::uint32_t>(channels_.size()))];
  if (rng_.chance(30)) return touch_channel_smem(draft, channel);
  const std::uint32_t rows = channel_rows(parameters_);
  const bool store = channel.busy == 0 && rng_.chance(50);
  const Slot slot = store ? Slot::st : Slot::ld;
  if (!draft.is_free(slot)) return;
  const std::uint32_t reach = channel.busy != 0 ? rows / 2 : rows;
  const auto operation = chooser_.operation(slot, draft.taken);
  if (!operation) return;
  Operation access = *operation;
  OperandValue& address = access.operands[effects_of(access).memory.place];
  const MemoryUse use = effects_of(access).memory;
  // Rows that an indexed access adds are below its bound, a reserved register.
  const std::uint32_t extent = use.extent_known ? 8 : std::max(32U, parameters_.lanes);
  const std::uint32_t row = channel_row(parameters_, channel.number) + rng_.below(reach - extent);
  const bool column = use.in_words;
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

// Words of SMEM other than those that copies move: of the source half any may be loaded, of stripes
// without a copy in flight any may be stored too.
void ProgramBuilder::touch_channel_smem(Draft& draft, const Channel& channel) {
  if (!draft.is_free(Slot::sb)) return;
  const MemoryRegion all = channel_region(parameters_, channel.number,
                                          static_cast<std::uint32_t>(MemorySpace::smem), true);
  const std::uint32_t stripe = rng_.below(knobs_.burst);
  const bool busy = (channel.busy >> stripe & 1U) != 0;
  const MemoryRegion part = all.part(stripe, knobs_.burst);
  const auto word = static_cast<std::int32_t>(part.first + rng_.below(part.words)) -
                    (busy ? static_cast<std::int32_t>(all.words) : 0);
  const Scalar data = s(1 + rng_.below(reserved::last_free));
  if (!busy && rng_.chance(60)) return draft.set(Slot::sb, op::sst(Smem(word), data));
  if (draft.taken.insert({RegisterFile::s, data.number}).second) {
    draft.slots[static_cast<std::size_t>(Slot::sb)] = op::sld(data, Smem(word)).operation;
  }
}

}  // namespace tandem
