#include "isa/state/retire.hpp"

namespace tandem {

std::uint32_t data_words(Space space, const Parameters& parameters) {
  switch (space) {
    case Space::none: return 0;
    case Space::sreg:
    case Space::preg:
    case Space::smem:
    case Space::flag_add:
    case Space::flag_set: return 1;
    case Space::mreg: return parameters.vector_words() / 32;
    case Space::vreg: return parameters.vector_words();
    case Space::vmem:
    case Space::acc: return parameters.lanes;
  }
  return 0;
}

void RetireRecord::clear() {
  sequence = 0;
  pc = 0;
  next_pc = 0;
  bundle.fill(0);
  enabled = 0;
  halted = false;
  has_copy = false;
  copy = CopyIssue{};
  trap = Trap{};
  writes.clear();
  data.clear();
}

std::span<const std::uint32_t> RetireRecord::data_of(const Write& write,
                                                     const Parameters& parameters) const {
  return std::span(data).subspan(write.offset, data_words(write.space, parameters));
}

}  // namespace tandem
