#include "schedule/program/bundled.hpp"

#include "isa/builder/operation.hpp"

namespace tandem::schedule {

Slot first_slot(const Instruction& row) { return builder::first_slot(row.group); }

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
