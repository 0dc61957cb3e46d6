// One bundle that traps, for programs that end that way on purpose.
#include "cosim/random/builder.hpp"

namespace tandem {

void ProgramBuilder::illegal_bundle() {
  Draft draft;
  switch (rng_.below(10)) {
    case 0: draft.set(Slot::sa, make::branch(Op::trap, rng_.next())); break;
    case 1: draft.set(Slot::sa, make::branch(Op::br, 0x100000 + rng_.below(1000))); break;
    case 2:  // two slots write one register
      draft.set(Slot::sa, make::mov(5, 1));
      draft.set(Slot::sb, make::mov(5, 2));
      break;
    case 3: {
      Operation load{Op::vld, 0, false, {}};
      load.operands[1].imm = -1 - static_cast<std::int32_t>(rng_.below(8));
      load.operands[2].value = rng_.between(0, 2);
      load.operands[3].value = 8;
      draft.set(Slot::ld, load);
      break;
    }
    case 4: {
      Operation store{Op::sst, 0, false, {}};
      store.operands[0].imm = static_cast<std::int32_t>(parameters_.smem_words());
      draft.set(Slot::sb, store);
      break;
    }
    case 5: {
      Operation read{Op::mxread, 0, false, {}};
      read.operands[1].imm = rng_.between(64, 127);
      draft.set(Slot::mx, read);
      break;
    }
    case 6: {
      Operation push{Op::mxpush, 0, false, {}};
      push.operands[0].imm = rng_.chance(50) ? 4 : static_cast<std::int32_t>(parameters_.lanes);
      if (push.operands[0].imm > 127) push.operands[0].imm = 4;
      push.operands[1].extra = 1;
      draft.set(Slot::mx, push);
      break;
    }
    case 7: {  // the flag is never added to
      Operation wait{Op::wait, 0, false, {}};
      wait.operands[0].value = 30;
      wait.operands[1].extra = 1;
      wait.operands[1].imm = 5;
      draft.set(Slot::dma, wait);
      break;
    }
    case 8: {  // descriptor address not a multiple of 16
      Draft set;
      set.set(Slot::sa, make::mov(7, 1 + rng_.below(15)));
      emit(std::move(set));
      Operation copy{Op::copy, 0, false, {}};
      copy.operands[0].value = 7;
      draft.set(Slot::dma, copy);
      break;
    }
    default: {  // a destination far outside of its space
      Draft set;
      set.set(Slot::sa, make::mov(7, 0x7fffffff));
      emit(std::move(set));
      Operation copy{Op::copy, 0, false, {}};
      copy.operands[0].imm = static_cast<std::int32_t>(rng_.below(3));
      copy.operands[2].value = 7;
      draft.set(Slot::dma, copy);
      break;
    }
  }
  const bool conflict = draft.slots[0] && draft.slots[1];
  if (!conflict) fill(draft);
  emit(std::move(draft));
}

}  // namespace tandem
