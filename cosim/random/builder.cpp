// Bundles and control flow of random programs. Every branch goes forward, except for loops, which
// count a reserved register down; so every program ends.
#include "cosim/random/builder.hpp"

#include <algorithm>
#include <span>

#include "isa/builder/object_builder.hpp"
#include "isa/machine.hpp"
#include "isa/object/link.hpp"
#include "runtime/error.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

Bundle encoded(const Draft& draft) {
  Bundle bundle{};
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (draft.slots[slot]) {
      set_slot_bits(bundle, static_cast<Slot>(slot), encode(*draft.slots[slot]));
    }
  }
  return bundle;
}

constexpr std::uint32_t bundles_per_page = 4096 / bundle_bytes;

}  // namespace

ProgramBuilder::ProgramBuilder(const Parameters& parameters, std::uint64_t seed,
                               const RandomKnobs& knobs)
    : parameters_(parameters),
      knobs_(knobs),
      rng_(seed),
      chooser_(rng_, parameters_, knobs_),
      region_(shared_region(parameters, knobs)),
      start_rng_(seed ^ 0x636f70696573ULL) {}

void ProgramBuilder::emit(Draft draft) {
  drafts_.push_back(std::move(draft));
  chooser_.end_bundle();
}

// Of the operations of units that take an operation only every eighth cycle, knob `slow` decides.
bool ProgramBuilder::keeps(Slot slot) {
  if (!rng_.chance(knobs_.density)) return false;
  return (slot != Slot::mx && slot != Slot::xu) || rng_.chance(knobs_.slow);
}

void ProgramBuilder::fill(Draft& draft) {
  if (knobs_.channels != 0 && rng_.chance(10)) touch_channel(draft);
  for (std::size_t number = 0; number < slot_count; ++number) {
    const auto slot = static_cast<Slot>(number);
    if (!draft.is_free(slot) || !keeps(slot)) continue;
    const bool scalar = slot == Slot::sa || slot == Slot::sb;
    const bool address = rng_.chance(20);
    const auto operation = scalar && address             ? chooser_.refresh(draft.taken)
                           : slot == Slot::xu && address ? chooser_.slow_refresh(draft.taken)
                                                         : chooser_.operation(slot, draft.taken);
    if (operation) draft.slots[number] = operation;
  }
}

// For a constant number, or for the value of a small address register.
void ProgramBuilder::add_idle(Draft& draft) {
  constexpr std::uint8_t registers[] = {reserved::copy_offset, reserved::accumulator,
                                        reserved::weight_row};
  draft.set(Slot::sa,
            rng_.chance(50) ? op::idle(s(rng_.pick(registers))) : op::idle(rng_.between(0, 12)));
  if (rng_.chance(knobs_.predicated)) chooser_.set_predicate(*draft.slots[0]);
}

void ProgramBuilder::random_bundle() {
  Draft draft;
  if (rng_.chance(knobs_.idle)) {
    add_idle(draft);
  } else if (rng_.chance(2)) {
    draft.set(Slot::sa, rng_.chance(50) ? op::marker(rng_.next()) : op::trap(rng_.next()));
    draft.slots[0]->negate = draft.slots[0]->op == Op::trap;  // @!p0: never
  }
  fill(draft);
  emit(std::move(draft));
}

void ProgramBuilder::plain(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) random_bundle();
}

void ProgramBuilder::patch_target(std::size_t bundle, Slot slot, std::size_t operand,
                                  std::uint32_t pc) {
  OperandValue& value = drafts_[bundle].slots[static_cast<std::size_t>(slot)]->operands[operand];
  (value.extra != 0 ? value.imm : value.value) = static_cast<std::int32_t>(pc);
}

void ProgramBuilder::block(std::uint32_t budget, unsigned depth, bool copies) {
  const std::uint32_t end = here() + budget;
  while (here() < end) {
    step(std::min<std::uint32_t>(4 + rng_.below(20), end - here()), depth, copies);
  }
}

// The contents of a step are smaller than the step, or it would never reach bundles.
void ProgramBuilder::step(std::uint32_t budget, unsigned depth, bool copies) {
  const std::uint32_t begin = here();
  const std::uint32_t inner = budget - budget / 4;
  std::uint32_t rest = budget < 4 ? ~0U : rng_.below(100);
  const auto falls_to = [&rest](std::uint32_t percent) {
    if (rest < percent) return true;
    rest -= percent;
    return false;
  };
  if (falls_to(knobs_.loops)) {
    if (depth < 2) loop(inner, depth, copies);
  } else if (falls_to(knobs_.skips)) {
    skip(inner, depth);
  } else if (falls_to(knobs_.jumps)) {
    computed_jump(inner, depth);
  } else if (falls_to(knobs_.calls)) {
    call();
  } else if (falls_to(knobs_.copies) && copies) {
    copy_step();
  }
  if (here() == begin) plain(1 + rng_.below(8));
}

// Copies that a loop's body starts must be waited for in the body: the next iteration touches the
// same memory.
void ProgramBuilder::loop(std::uint32_t budget, unsigned depth, bool copies) {
  const std::uint32_t counter = reserved::loop_counter + depth;
  const std::uint32_t predicate = reserved::loop_predicate - depth;
  Draft head;
  head.set(Slot::sa, op::mov(s(counter), 1 + rng_.below(depth == 0 ? knobs_.turns : 4)));
  fill(head);
  emit(std::move(head));
  const std::uint32_t begin = here();
  block(budget, depth + 1, copies);
  if (copies) wait_all();
  Draft count;
  count.set(Slot::sa, op::sub(s(counter), s(counter), 1));
  count.set(Slot::sb, op::ne(p(predicate), s(counter), 1));
  fill(count);
  emit(std::move(count));
  Draft back;
  back.set(Slot::sa, op::br(begin).when(p(predicate)));
  fill(back);
  emit(std::move(back));
}

void ProgramBuilder::skip(std::uint32_t budget, unsigned depth) {
  Draft head;
  head.set(Slot::sa, op::br(0U));
  chooser_.set_predicate(*head.slots[0]);
  fill(head);
  const std::size_t branch = here();
  emit(std::move(head));
  block(budget, std::max(depth, 1U) + 1, false);
  patch_target(branch, Slot::sa, 0, here());
}

// jump to one of two places, chosen by a predicate.
void ProgramBuilder::computed_jump(std::uint32_t budget, unsigned depth) {
  const std::size_t first = here();
  Draft draft;
  draft.set(Slot::sa, op::mov(s(reserved::jump_target), 0));
  emit(std::move(draft));
  Draft other;
  other.set(Slot::sb, op::mov(s(reserved::jump_target), 0));
  chooser_.set_predicate(*other.slots[1]);
  fill(other);
  emit(std::move(other));
  Draft jump;
  const Scalar to = s(reserved::jump_target);
  jump.set(Slot::sa, rng_.chance(50) ? op::jump(to) : op::ret(to));
  fill(jump);
  emit(std::move(jump));
  block(budget / 2, std::max(depth, 1U) + 1, false);
  patch_target(first, Slot::sa, 1, here());
  block(budget / 2, std::max(depth, 1U) + 1, false);
  patch_target(first + 1, Slot::sb, 1, here());
}

void ProgramBuilder::call() {
  Draft draft;
  draft.set(Slot::sa, op::call(s(reserved::link), 0U));
  fill(draft);
  calls_.push_back(here());
  emit(std::move(draft));
}

// A few subroutines after the program's end; each call goes to one of them.
void ProgramBuilder::subroutines() {
  for (Channel& channel : channels_) channel.busy = ~0U;  // they are called at any time
  const std::uint32_t count = 1 + rng_.below(3);
  for (std::uint32_t number = 0; number < count; ++number) {
    for (std::size_t i = number; i < calls_.size(); i += count) {
      patch_target(calls_[i], Slot::sa, 1, here());
    }
    plain(1 + rng_.below(10));
    Draft draft;
    draft.set(Slot::sa, op::ret(s(reserved::link)));
    fill(draft);
    emit(std::move(draft));
  }
}

// A bundle with a flipped bit may touch anything: so no copy is in flight, and nothing follows.
void ProgramBuilder::end_program() {
  const bool illegal = knobs_.illegal != 0;
  const bool flips = illegal && rng_.chance(30);
  if (flips || rng_.chance(50)) wait_all();
  if (illegal) illegal_bundle();
  if (flips) flipped_ = here() - 1;
  Draft draft;
  draft.set(Slot::sa, op::halt());
  if (!illegal) fill(draft);
  emit(std::move(draft));
}

// Far PCs: a leap over bundles that are never executed.
void ProgramBuilder::padding() {
  if (knobs_.padding == 0) return;
  Draft leap;
  leap.set(Slot::sa, op::br(here() + knobs_.padding + 1));
  emit(std::move(leap));
  drafts_.resize(drafts_.size() + knobs_.padding);
}

// Empty bundles, never executed, so that there is space between the last of them and the data's
// page.
void ProgramBuilder::end_of_text() {
  constexpr std::uint32_t gap_bundles = random_map::text_gap_words * 4 / bundle_bytes;
  const auto left = [this] { return bundles_per_page - here() % bundles_per_page; };
  while (left() < gap_bundles || left() == bundles_per_page) drafts_.emplace_back();
}

Object ProgramBuilder::build() {
  prologue();
  padding();
  block(knobs_.bundles, 0, knobs_.channels != 0);
  end_program();
  subroutines();
  end_of_text();
  return finish();
}

Object ProgramBuilder::finish() {
  const HbmPlaces places = hbm_places(knobs_, drafts_.size());
  patch_first_descriptor(places);
  ObjectBuilder object(*find_machine(parameters_.name).machine);
  for (const Draft& draft : drafts_) {
    Bundle bundle = encoded(draft);
    if (flipped_ == object.bundles()) flip_bit(bundle);
    object.raw(bundle);
  }
  object.data(data_bytes(places));
  object.bss(std::uint64_t{random_map::most_channels} * random_map::channel_bytes);
  if (!start_copies_.empty()) object.tensor(start_tensor());
  LinkInput input{"random", object.finish()};
  input.object.start_copies = start_copies_;
  LinkResult linked = link(std::span(&input, 1));
  if (!linked.ok() || data_address(linked.program) != places.descriptors) {
    throw runtime::Error{runtime::ErrorCode::invalid_argument,
                         "internal: the data of a random program is not where it was planned"};
  }
  return std::move(linked.program);
}

Object random_object(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs) {
  return ProgramBuilder(parameters, seed, knobs).build();
}

Image random_program(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs) {
  return make_image(random_object(parameters, seed, knobs));
}

}  // namespace tandem
