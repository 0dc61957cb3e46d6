// Copies in a loop that no iteration has to wait for: each iteration writes a different place, and
// nothing else in the loop touches their targets, or writes their sources. Gathers are such loops.
//
// At most 1,024 copies are in flight: the golden model's race check compares each new copy with all
// that are not proved complete, and reports over 16,384 of them as a program that never waits. The
// additional waits cost about one percent (decision 149).
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {

// For an innermost loop of known length; none in others, nor where very many would be in flight at
// once.
llvm::SmallVector<mlir::memref::CopyOp> free_copies(mlir::scf::ForOp loop);
// Splits loops that would start very many into loops over some of their iterations.
void cut_free_loops(mlir::Operation* function);
// The number of iterations of a loop, where it is known.
std::optional<std::int64_t> turns_of(mlir::scf::ForOp loop);

}  // namespace tandem::compiler
