#include "isa/state/retire.hpp"

namespace tandem {

std::uint64_t space_size(Space space, const Parameters& parameters) {
  switch (space) {
    case Space::none: return 0;
    case Space::sreg: return scalar_registers;
    case Space::preg: return predicate_registers;
    case Space::mreg: return mask_registers;
    case Space::vreg: return vector_registers;
    case Space::smem: return parameters.smem_words();
    case Space::vmem: return parameters.vmem_rows();
    case Space::acc: return std::uint64_t{accumulators} * sublanes;
    case Space::flag_add:
    case Space::flag_set: return sync_flags;
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
