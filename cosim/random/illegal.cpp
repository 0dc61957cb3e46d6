// One bundle that traps, for programs that end that way on purpose.
#include "cosim/random/builder.hpp"

namespace tandem {
namespace {

void add_conflict(Draft& draft) {
  draft.set(Slot::sa, make::mov(5, 1));
  draft.set(Slot::sb, make::mov(5, 2));
}

// Rows below row 0, which are rows far above the last.
void add_bad_load(Draft& draft, Rng& rng) {
  Operation load{Op::vld, 0, false, {}};
  load.operands[1].imm = -1 - static_cast<std::int32_t>(rng.below(8));
  load.operands[2].value = rng.between(0, 2);
  load.operands[3].value = 8;
  draft.set(Slot::ld, load);
}

void add_bad_smem(Draft& draft, const Parameters& parameters) {
  Operation store{Op::sst, 0, false, {}};
  store.operands[0].imm = static_cast<std::int32_t>(parameters.smem_words());
  draft.set(Slot::sb, store);
}

void add_bad_accumulator(Draft& draft, Rng& rng) {
  Operation read{Op::mxread, 0, false, {}};
  read.operands[1].imm = rng.between(64, 127);
  draft.set(Slot::mx, read);
}

// Not a multiple of 8, or beyond the last where the field reaches that far.
void add_bad_weight_row(Draft& draft, Rng& rng, const Parameters& parameters) {
  Operation push{Op::mxpush, 0, false, {}};
  const bool beyond = parameters.lanes < 128 && rng.chance(50);
  push.operands[0].imm = beyond ? static_cast<std::int32_t>(parameters.lanes) : 4;
  push.operands[1].extra = 1;
  draft.set(Slot::mx, push);
}

// Nothing ever adds to this flag.
void add_deadlock(Draft& draft) {
  Operation wait{Op::wait, 0, false, {}};
  wait.operands[0].value = 30;
  wait.operands[1].extra = 1;
  wait.operands[1].imm = 5;
  draft.set(Slot::dma, wait);
}

}  // namespace

// A descriptor at an odd address, or a destination far outside of its space.
void ProgramBuilder::add_bad_copy(Draft& draft) {
  const bool odd_address = rng_.chance(50);
  Draft set;
  set.set(Slot::sa, make::mov(7, odd_address ? 1 + rng_.below(15) : 0x7fffffff));
  emit(std::move(set));
  Operation copy{Op::copy, 0, false, {}};
  if (odd_address) {
    copy.operands[0].value = 7;
  } else {
    copy.operands[0].imm = static_cast<std::int32_t>(rng_.below(3));
    copy.operands[2].value = 7;
  }
  draft.set(Slot::dma, copy);
}

void ProgramBuilder::illegal_bundle() {
  Draft draft;
  const std::uint32_t kind = rng_.below(10);
  switch (kind) {
    case 0: draft.set(Slot::sa, make::branch(Op::trap, rng_.next())); break;
    case 1: draft.set(Slot::sa, make::branch(Op::br, 0x100000 + rng_.below(1000))); break;
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
