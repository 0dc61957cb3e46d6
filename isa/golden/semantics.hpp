// One semantic function per instruction, in files by unit, and the check of each that can trap.
#pragma once

#include "isa/analysis/effects.hpp"
#include "isa/golden/core.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/instructions.hpp"

namespace tandem::golden {

// The function of an instruction's own.
Execute semantic_function(Op op);
// Its trap check, or its capture at issue, by kind of operation: nullptr when there is neither.
Check check_function(const Operation& operation);
// All of its effect is in the check.
bool only_checks(Op op);

namespace execute {
using Semantics = void(Core&, const MicroOp&);

// One for each row of the table, in files by unit: scalar.cpp, control.cpp, valu_*.cpp,
// load_store.cpp, matrix.cpp, eup.cpp, xlu_*.cpp, dma.cpp.
#define INSTRUCTION(name, ...) Semantics name;
#include "isa/instructions.def"
#undef INSTRUCTION

// Ends a bundle that reads a register that another of its slots writes: the result waits in the
// spare register `base` and moves to register `d`.
Semantics commit_scalar, commit_predicate, commit_mask, commit_vector;
}  // namespace execute

namespace check {
using Rule = bool(Core&, const MicroOp&);

// control.cpp
Rule trap, branch, jump, halt, smem;
// load_store.cpp
Rule rows, column, indexed;
// matrix.cpp
Rule accumulator, weight_row;
// dma.cpp
Rule copy, wait, flag;
}  // namespace check

}  // namespace tandem::golden
