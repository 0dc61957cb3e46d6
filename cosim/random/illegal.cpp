// One bundle that traps, for programs that end that way on purpose.
#include "cosim/random/builder.hpp"

namespace tandem {

using namespace builder;  // NOLINT: every name is a register or an operation

namespace {

void add_conflict(Draft& draft) {
  draft.set(Slot::sa, op::mov(s(5), 1));
  draft.set(Slot::sb, op::mov(s(5), 2));
}

// Rows below row 0, which are rows far above the last.
void add_bad_load(Draft& draft, Rng& rng) {
  const Vmem row(-1 - static_cast<std::int32_t>(rng.below(8)));
  draft.set(Slot::ld, op::vld(v(0), row, stride(rng.between(0, 2))));
}

void add_bad_smem(Draft& draft, const Parameters& parameters) {
  draft.set(Slot::sb, op::sst(Smem(static_cast<std::int32_t>(parameters.smem_words())), s(0)));
}

void add_bad_accumulator(Draft& draft, Rng& rng) {
  draft.set(Slot::mx, op::mxread(v(0), a(rng.between(64, 127))));
}

// Not a multiple of 8, or beyond the last where the field reaches that far.
void add_bad_weight_row(Draft& draft, Rng& rng, const Parameters& parameters) {
  const bool beyond = parameters.lanes < 128 && rng.chance(50);
  const WeightRow row(beyond ? static_cast<std::int32_t>(parameters.lanes) : 4);
  draft.set(Slot::mx, op::mxpush(row, v(0).part_lo()));
}

// Nothing ever adds to this flag.
void add_deadlock(Draft& draft) { draft.set(Slot::dma, op::wait(f(30), 5)); }

}  // namespace

// A descriptor at an odd address, or a destination far outside of its space.
void ProgramBuilder::add_bad_copy(Draft& draft) {
  const bool odd_address = rng_.chance(50);
  Draft set;
  set.set(Slot::sa, op::mov(s(7), odd_address ? 1 + rng_.below(15) : 0x7fffffffU));
  emit(std::move(set));
  if (odd_address) return draft.set(Slot::dma, op::copy(Descriptor(s(7)), s(0), s(0)));
  const Descriptor number(static_cast<std::int32_t>(rng_.below(3)));
  draft.set(Slot::dma, op::copy(number, s(0), s(7)));
}

void ProgramBuilder::illegal_bundle() {
  Draft draft;
  const std::uint32_t kind = rng_.below(10);
  switch (kind) {
    case 0: draft.set(Slot::sa, op::trap(rng_.next())); break;
    case 1: draft.set(Slot::sa, op::br(0x100000 + rng_.below(1000))); break;
    case 2: add_conflict(draft); break;
    case 3: add_bad_load(draft, rng_); break;
    case 4: add_bad_smem(draft, parameters_); break;
    case 5: add_bad_accumulator(draft, rng_); break;
    case 6: add_bad_weight_row(draft, rng_, parameters_); break;
    case 7: add_deadlock(draft); break;
    default: add_bad_copy(draft); break;
  }
  if (kind != 2) fill(draft);
  emit(std::move(draft));
}

}  // namespace tandem
