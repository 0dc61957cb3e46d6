// Bundles and control flow of random programs. Every branch goes forward, but for loops, which
// count a reserved register down; so every program ends.
#include "cosim/random/builder.hpp"

#include <algorithm>
#include <span>

#include "isa/builder/object_builder.hpp"
#include "isa/object/link.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

std::vector<Placed> placed(const Draft& draft) {
  std::vector<Placed> operations;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (draft.slots[slot]) {
      operations.push_back({*draft.slots[slot], {}, static_cast<Slot>(slot)});
    }
  }
  return operations;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const Parameters& parameters, std::uint64_t seed,
                               const RandomKnobs& knobs)
    : parameters_(parameters),
      knobs_(knobs),
      rng_(seed),
      chooser_(rng_, parameters_, knobs_),
      region_(shared_region(parameters, knobs)) {}

void ProgramBuilder::emit(Draft draft) {
  drafts_.push_back(std::move(draft));
  chooser_.end_bundle();
}

void ProgramBuilder::fill(Draft& draft) {
  if (knobs_.channels != 0 && rng_.chance(10)) touch_channel(draft);
  for (std::size_t number = 0; number < slot_count; ++number) {
    const auto slot = static_cast<Slot>(number);
    if (!draft.is_free(slot) || !rng_.chance(knobs_.density)) continue;
    const bool scalar = slot == Slot::sa || slot == Slot::sb;
    const bool address = rng_.chance(20);
    const auto operation = scalar && address             ? chooser_.refresh(draft.taken)
                           : slot == Slot::xu && address ? chooser_.slow_refresh(draft.taken)
                                                         : chooser_.operation(slot, draft.taken);
    if (operation) draft.slots[number] = operation;
  }
}

void ProgramBuilder::random_bundle() {
  Draft draft;
  if (rng_.chance(2)) {
    draft.set(Slot::sa, op::idle(rng_.between(0, 12)));
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
    const std::uint32_t inner = std::min<std::uint32_t>(4 + rng_.below(20), end - here());
    switch (rng_.below(12)) {
      case 0:
        if (depth < 2) loop(inner, depth, copies);
        break;
      case 1: skip(inner, depth); break;
      case 2: computed_jump(inner, depth); break;
      case 3: call(); break;
      case 4:
      case 5:
      case 6:
        if (copies) copy_step();
        break;
      default: plain(1 + rng_.below(8)); break;
    }
  }
}

// Copies that a loop's body starts must be waited for in the body: the next turn touches the same
// memory.
void ProgramBuilder::loop(std::uint32_t budget, unsigned depth, bool copies) {
  const std::uint32_t counter = reserved::loop_counter + depth;
  const std::uint32_t predicate = reserved::loop_predicate - depth;
  Draft head;
  head.set(Slot::sa, op::mov(s(counter), 1 + rng_.below(4)));
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
  head.slots[0]->predicate = static_cast<std::uint8_t>(rng_.below(6));
  head.slots[0]->negate = rng_.chance(50);
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
  other.slots[1]->predicate = static_cast<std::uint8_t>(1 + rng_.below(5));
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

// A few subroutines behind the program's end; each call goes to one of them.
void ProgramBuilder::subroutines() {
  for (Channel& channel : channels_) channel.busy = true;  // they are called at any time
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

void ProgramBuilder::end_program() {
  if (knobs_.illegal) {
    illegal_bundle();
  } else if (rng_.chance(50)) {
    wait_all();
  }
  Draft draft;
  draft.set(Slot::sa, op::halt());
  fill(draft);
  emit(std::move(draft));
}

Image ProgramBuilder::build() {
  prologue();
  block(knobs_.bundles, 0, knobs_.channels != 0);
  const std::size_t illegal_at = here();
  end_program();
  subroutines();

  ObjectBuilder object(*find_preset(parameters_.name));
  for (const Draft& draft : drafts_) object.bundle(placed(draft));
  const LinkInput input{"random", object.finish()};
  Image image = make_image(link(std::span(&input, 1)).program);
  // Bits that no operation can have are put in after encoding.
  if (knobs_.illegal && rng_.chance(30)) {
    image.text[illegal_at][rng_.below(bundle_words)] ^= 1U << rng_.below(32);
  }
  image.data = data_segments();
  image.hbm_end = random_map::end;
  return image;
}

RandomKnobs random_knobs(std::uint64_t seed) {
  Rng rng(seed ^ 0x6b6e6f6273ULL);
  constexpr std::uint32_t densities[] = {10, 30, 45, 60, 90};
  constexpr std::uint32_t pools[] = {4, 8, 16, 63};
  constexpr std::uint32_t spans[] = {8, 16, 64, 512};
  constexpr std::uint32_t predicated[] = {0, 10, 20, 50};
  RandomKnobs knobs;
  knobs.bundles = 40 + rng.below(160);
  knobs.density = rng.pick(densities);
  knobs.predicated = rng.pick(predicated);
  knobs.near = 20 + rng.below(70);
  knobs.vector_pool = rng.pick(pools);
  knobs.vmem_span = rng.pick(spans);
  knobs.channels = rng.below(5);
  knobs.volatile_csrs = rng.chance(25);
  knobs.illegal = rng.chance(15);
  return knobs;
}

Image random_program(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs) {
  return ProgramBuilder(parameters, seed, knobs).build();
}

}  // namespace tandem
