// The cost of a program at the level `tpu`, from its instructions and the trip counts of its loops
// alone: without a schedule, without a run.
//
// A stretch of instructions takes as long as its busiest unit or its longest chain of results. A
// loop without loops and copies inside becomes a pipeline whose interval is bounded by that unit or
// by loop-carried values. Copies run in parallel on a clock of their own; a wait ends when its
// copies have ended.
#pragma once

#include <array>
#include <map>

#include "compiler/contract/regions.hpp"
#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// The bound of a region: units, slots of bundles, the memory, or the latency of results.
enum class Bound : std::uint8_t { mxu, vector, eup, xlu, load, store, scalar, memory, latency };
inline constexpr std::array<llvm::StringLiteral, 9> bound_names{
    "MXU", "vector", "EUP", "XLU", "load", "store", "scalar", "memory", "latency"};

struct Cost {
  double cycles = 0;                              // predicted
  std::array<double, bound_names.size()> busy{};  // cycles of each unit; latency has none
  double pushes = 0;                              // of the push port, overlapped with multiplies
  double waits = 0;                               // of these cycles, those spent waiting for copies
  double hbm_in = 0;                              // bytes that copies bring, and take away
  double hbm_out = 0;
  double vmem = 0;  // bytes of loads and stores

  // The lower bound: the busiest unit.
  [[nodiscard]] double roof() const;
  [[nodiscard]] Bound bound() const;
  // Everything except cycles and waits.
  void add_work(const Cost& other, double times = 1);
};

struct ProgramCost {
  std::map<unsigned, Cost> regions;  // by number
  Cost rest;                         // cycles that belong to no region
  unsigned unknown_loops = 0;        // whose iterations are known only at run time

  [[nodiscard]] double cycles() const;
};

// `turns`: assumed iterations of a loop whose number is known only at run time.
ProgramCost cost_of(mlir::ModuleOp module, const Parameters& machine, double turns = 1);

}  // namespace tandem::compiler
