#include "schedule/bundled.hpp"

namespace tandem::schedule {

Slot first_slot(const Instruction& row) {
  std::size_t slot = 0;
  while (!slot_accepts(static_cast<Slot>(slot), row.group)) ++slot;
  return static_cast<Slot>(slot);
}

Bundled in_sequence(const LinearBlock& block) {
  Bundled result;
  result.virtuals = block.virtuals;
  result.labels = block.labels;
  result.operations.reserve(block.operations.size());
  for (const LinearOperation& item : block.operations) {
    result.operations.push_back({item, first_slot(instruction(item.operation.op))});
    result.close_bundle();
  }
  return result;
}

}  // namespace tandem::schedule
