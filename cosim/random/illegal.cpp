// One bundle that traps, for programs that end that way on purpose: for a reason of the table
// below, or several in different slots, of which one must win.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "cosim/random/builder.hpp"
#include "isa/analysis/effects.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

constexpr std::uint8_t first_scratch = 7;  // s7 .. s10: values for reasons
constexpr std::uint32_t reasons = 18;

// A value for a field of a descriptor that breaks its rule; `any` cannot be broken.
std::uint32_t forbidden(const DescriptorField& field, Rng& rng) {
  const std::uint32_t odd = 1 + rng.below(3) + 4 * rng.below(1000);
  switch (field.rule) {
    case DescriptorRule::version: return 2U << rng.below(field.width - 1U);
    case DescriptorRule::zero:
    case DescriptorRule::chip: return 1U << rng.below(field.width);
    case DescriptorRule::space:
    case DescriptorRule::target: return 3;
    case DescriptorRule::flag: return 32 + rng.below(224);
    case DescriptorRule::not_zero: return 0;
    case DescriptorRule::positive: return rng.chance(50) ? 0 : rng.next() | 0x80000000U;
    case DescriptorRule::count: return rng.next() | 0x80000000U;
    case DescriptorRule::bytes: return rng.chance(50) ? odd : 0x80000000U;
    case DescriptorRule::address:
    case DescriptorRule::stride:
    case DescriptorRule::any: return odd;
  }
  __builtin_unreachable();
}

}  // namespace

void ProgramBuilder::set_scalar(Scalar number, std::uint32_t value) {
  Draft draft;
  draft.set(Slot::sa, op::mov(number, value));
  emit(std::move(draft));
}

// False if the slot is taken, or writes the same register as another slot.
bool ProgramBuilder::put(Draft& draft, Slot slot, const Operation& operation) {
  if (!draft.is_free(slot)) return false;
  const auto name = destination(operation);
  if (name && draft.taken.contains(*name)) return false;
  draft.set(slot, operation);
  return true;
}

// Writes a value that its rule forbids into one field of a descriptor.
void ProgramBuilder::break_descriptor(std::uint32_t number, Scalar scratch) {
  DescriptorWords words = descriptors_[number].copy.words();
  std::vector<DescriptorField> fields;
  std::ranges::copy_if(
      descriptor_fields, std::back_inserter(fields),
      [&](const DescriptorField& row) { return row.belongs_to(is_remote(words)); });
  const DescriptorField* field = nullptr;
  do {
    field = &rng_.pick(std::span<const DescriptorField>(fields));
  } while (field->rule == DescriptorRule::any);
  set_field(words, *field, forbidden(*field, rng_));
  store_word(number * descriptor_words + field->word, words[field->word], scratch);
}

// Gives one dimension of a descriptor so many runs at such a distance that a side leaves its
// memory, at either end; the other side's runs are all at the same address.
void ProgramBuilder::break_box(std::uint32_t number, Scalar scratch) {
  const std::uint32_t count_word = descriptor_field::inner.word + 3 * rng_.below(3);
  const std::uint32_t broken = 1 + rng_.below(2);  // source or target
  const std::uint32_t far = (1U << 26U) + 4 * rng_.below(1U << 24U);
  const std::array<std::pair<std::uint32_t, std::uint32_t>, 3> words{{
      {count_word, (1U << 20U) + rng_.below(1U << 20U)},
      {count_word + broken, rng_.chance(50) ? far : 0U - far},
      {count_word + 3 - broken, 0},
  }};
  for (const auto& [word, value] : words)
    store_word(number * descriptor_words + word, value, scratch);
}

void ProgramBuilder::store_word(std::uint32_t word, std::uint32_t value, Scalar scratch) {
  set_scalar(scratch, value);
  Draft store;
  store.set(Slot::sb, op::sst(Smem(static_cast<std::int32_t>(word)), scratch));
  emit(std::move(store));
}

// A descriptor at an odd address or beyond SMEM, one that breaks a rule, a box that leaves its
// memory, or an address far outside.
bool ProgramBuilder::add_bad_copy(Draft& draft, Scalar scratch) {
  const std::uint32_t number = rng_.below(static_cast<std::uint32_t>(descriptors_.size()));
  const Descriptor descriptor(static_cast<std::int32_t>(number));
  switch (rng_.below(6)) {
    case 0:
      set_scalar(scratch, rng_.chance(50) ? 1 + rng_.below(15) : parameters_.smem_words());
      return put(draft, Slot::dma, op::copy(Descriptor(scratch), s(0), s(0)).operation);
    case 1:
      break_descriptor(number, scratch);
      return put(draft, Slot::dma, op::copy(descriptor, s(0), s(0)).operation);
    case 2:
    case 3:
      break_box(number, scratch);
      return put(draft, Slot::dma, op::copy(descriptor, s(0), s(0)).operation);
    case 4:
      set_scalar(scratch, 0x7fffffffU);
      return put(draft, Slot::dma, op::copy(descriptor, scratch, s(0)).operation);
    default:
      set_scalar(scratch, 0x7fffffffU);
      return put(draft, Slot::dma, op::copy(descriptor, s(0), scratch).operation);
  }
}

// Accumulators and weight rows out of range, by a constant or by a register.
bool ProgramBuilder::add_bad_matrix(Draft& draft, std::uint32_t kind, Scalar scratch) {
  const bool by_register = rng_.chance(50);
  if (by_register) set_scalar(scratch, kind == 2 ? 4 + 8 * rng_.below(40) : 64 + rng_.next() % 8);
  const Accumulator beyond = by_register ? a(0, scratch) : a(rng_.between(64, 127));
  switch (kind) {
    case 0: return put(draft, Slot::mx, op::mxread(v(1), beyond).operation);
    case 1: return put(draft, Slot::mx, op::mxmul_bf16(beyond, v(2).part_lo()).operation);
    default: {
      // Not a multiple of 8, or beyond the last if the field reaches that far.
      const bool last = parameters_.lanes < 128 && rng_.chance(50);
      const WeightRow constant(last ? static_cast<std::int32_t>(parameters_.lanes) : 4);
      const WeightRow row = by_register ? WeightRow(scratch) : constant;
      return put(draft, Slot::mx, op::mxpush(row, v(0).part_lo()).operation);
    }
  }
}

// Whether the draft has gained a reason.
bool ProgramBuilder::add_reason(Draft& draft, std::uint32_t kind, Scalar scratch) {
  // Rows below row 0, which are rows far above the last.
  const Vmem row(-1 - static_cast<std::int32_t>(rng_.below(8)));
  const Smem word(static_cast<std::int32_t>(parameters_.smem_words()));
  switch (kind) {
    case 0: return put(draft, Slot::sa, op::trap(rng_.next()).operation);
    case 1: return put(draft, Slot::sa, op::br(0x100000 + rng_.below(1000)).operation);
    case 2:
      set_scalar(scratch, rng_.chance(50) ? here() + 0x100000 : rng_.next() | 0x80000000U);
      return put(draft, Slot::sa,
                 rng_.chance(50) ? op::jump(scratch).operation : op::ret(scratch).operation);
    case 3:
      return put(draft, Slot::sa, op::mov(s(5), 1).operation) &&
             (draft.set(Slot::sb, op::mov(s(5), 2)), true);
    case 4: return put(draft, Slot::sb, op::sst(word, s(0)).operation);
    case 5: return put(draft, Slot::sb, op::sld(s(3), word).operation);
    case 6: return put(draft, Slot::ld, op::vld(v(0), row, stride(rng_.between(0, 2))).operation);
    case 7: return put(draft, Slot::st, op::vst(row, v(3), stride(rng_.between(0, 2))).operation);
    case 8: return put(draft, Slot::ld, op::vldc(v(0), VmemWord(-1)).operation);
    case 9:
      set_scalar(scratch, parameters_.vmem_words() - rng_.below(8));
      return put(draft, Slot::ld, op::vldc(v(0), VmemWord(scratch, 1)).operation);
    case 10:
      set_scalar(scratch, parameters_.vmem_rows() - rng_.below(8));
      return put(draft, Slot::st, op::vst(Vmem(scratch, 1), v(1)).operation);
    case 11: return add_bad_matrix(draft, 0, scratch);
    case 12: return add_bad_matrix(draft, 1, scratch);
    case 13: return add_bad_matrix(draft, 2, scratch);
    // Nothing ever adds to this flag.
    case 14: return put(draft, Slot::dma, op::wait(f(30), 5).operation);
    case 15:
      set_scalar(scratch, 1 + rng_.below(1000));
      return put(draft, Slot::dma, op::fadd(f(31, scratch), 1).operation);
    default: return add_bad_copy(draft, scratch);
  }
}

void ProgramBuilder::illegal_bundle() {
  Draft draft;
  const std::uint32_t wanted = 1 + rng_.below(knobs_.traps);
  std::uint32_t found = 0;
  for (int tries = 0; found < wanted && tries < 20; ++tries) {
    const Scalar scratch = s(static_cast<std::uint8_t>(first_scratch + found));
    found += add_reason(draft, rng_.below(reasons), scratch) ? 1 : 0;
  }
  fill(draft);
  emit(std::move(draft));
}

// One bit of a bundle, except those that redirect slot sa: the program would not end.
void ProgramBuilder::flip_bit(Bundle& bundle) {
  const auto direction = [](const Bundle& of) {
    const auto operation = decode(Slot::sa, slot_bits(of, Slot::sa));
    return operation ? effects_of(*operation).control : Control::none;
  };
  const Bundle before = bundle;
  do {
    bundle = before;
    bundle[rng_.below(bundle_words)] ^= 1U << rng_.below(32);
  } while (slot_bits(bundle, Slot::sa) != slot_bits(before, Slot::sa) &&
           (ends_block(direction(bundle)) || ends_block(direction(before))));
}

}  // namespace tandem
