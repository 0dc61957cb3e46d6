#include "isa/state/retire.hpp"

namespace tandem {

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
