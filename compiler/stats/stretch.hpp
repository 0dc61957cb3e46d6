// Instructions without control flow between them, and the time they take.
#pragma once

#include "compiler/stats/units.hpp"
#include "isa/analysis/unit_time.hpp"
#include "llvm/ADT/DenseMap.h"

namespace tandem::compiler {

class Stretch {
 public:
  explicit Stretch(const Parameters& machine) : machine_(&machine) {}

  void add(mlir::Operation* op);
  [[nodiscard]] bool empty() const { return costs_.empty(); }
  // The cycles of one execution, each operation as early as its operands and its unit allow.
  [[nodiscard]] double once() const { return once_; }
  // The busiest unit.
  [[nodiscard]] double busiest() const { return sum().roof(); }
  [[nodiscard]] Cost sum() const;
  // When the value of the stretch can be read; 0 for other values.
  [[nodiscard]] double ready(mlir::Value value) const { return ready_.lookup(value); }
  // Distributes `cycles` to the regions, to each by its share of the work.
  void hand_out(double cycles, double times, ProgramCost& program) const;

 private:
  double start_of(mlir::Operation* op, const UnitTime& time);
  double reserve(const UnitTime& time, double earliest);
  void note_memory(mlir::Operation* op, Bound unit, double start, double done);

  const Parameters* machine_;
  std::map<std::int64_t, Cost> costs_;  // by region; -1 for none
  llvm::DenseMap<mlir::Value, double> ready_;
  std::map<std::int64_t, double> stored_;  // rows of VMEM: when the latest store is done
  std::map<std::int64_t, double> sums_;    // accumulators: when the latest multiply is done
  double push_free_ = 0;
  SwapHistory<double> swaps_;
  double multiply_free_ = 0;
  std::array<std::vector<std::uint8_t>, bound_names.size()> taken_;  // by cycle, in halves
  double once_ = 0;
};

}  // namespace tandem::compiler
