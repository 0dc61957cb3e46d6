// What the directed programs exercised, as named bins filled from retire records, and the bins that
// they must fill, derived from the instruction table.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "isa/encoding.hpp"
#include "isa/state/retire.hpp"

namespace tandem::directed {

using Bins = std::set<std::string>;

// Instruction x slot, predicate and operand form, each as executed.
Bins required_operation_bins();
// Causes of traps by operation and kind of fault: the rows of reference.md, section 3.
Bins required_trap_bins();
// Spaces, dimensions and special cases of copies; reads and writes of one register in one bundle;
// producers right before consumers.
Bins required_sequence_bins();

class Coverage {
 public:
  // Records of one program in order; `start` begins a program.
  void start() { previous_.reset(); }
  void add(const RetireRecord& record);
  [[nodiscard]] const Bins& bins() const { return bins_; }

 private:
  void add_sequence(const DecodedBundle& bundle, const RetireRecord& record);

  Bins bins_;
  std::optional<DecodedBundle> previous_;  // the operations that the bundle before executed
};

}  // namespace tandem::directed
