// The least that what a program asks for takes, counted from StableHLO as it was read: copies,
// conversions, padding and moved operands of the compiler's own plan are not in it. Nothing is said
// about latency, so small programs cannot reach it.
//
// With L lanes a cycle does
//   MXU      one row of L operands against an L x L tile, one pass of bf16
//   vector   16 L elementwise operations
//   EUP      2 L of exp, log, tanh, rsqrt, a division
//   XLU      two rows that are reduced along their lanes
//   memory   one beat of arguments, and one of results
#pragma once

#include <array>
#include <map>
#include <string>

#include "compiler/stats/cost.hpp"

namespace tandem::compiler {

struct UsefulWork {
  std::array<double, bound_names.size()> busy{};  // cycles of each unit

  void add(const UsefulWork& other, double times);
  [[nodiscard]] Bound bound() const;  // the busiest unit
  [[nodiscard]] double roof() const { return busy[static_cast<std::size_t>(bound())]; }
};

struct ProgramWork {
  UsefulWork whole;                           // memory included
  std::map<std::string, UsefulWork> lines;    // by "file.py:3"; "" for what has none
  std::map<std::string, UsefulWork> sources;  // by source_key()
  unsigned unknown_loops = 0;                 // counted as `turns` iterations
  unsigned unknown_calls = 0;  // functions and kernels of somebody else, counted as nothing
};

// Precondition: the module is at the level `stablehlo`. What no result needs does not count.
ProgramWork useful_work_of(mlir::ModuleOp module, const Parameters& machine, double turns = 1);

// {"roof", "bound", "busy", "unknown_calls", "unknown_loops", "lines": [{"place", "roof", "bound",
// "busy"}],
//  "sources": the same, in place of a line an operation at it}
std::string useful_work_json(mlir::ModuleOp module, const Parameters& machine, double turns);

}  // namespace tandem::compiler
