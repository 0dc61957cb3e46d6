// Copies in a loop that no turn has to wait for: each turn writes a place of its own, and nothing
// else in the loop touches what they write, or writes what they read. Gathers are such loops.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {

// Of an innermost loop of known length; none in others, nor where there would be very many at once.
llvm::SmallVector<mlir::memref::CopyOp> free_copies(mlir::scf::ForOp loop);
// Cuts loops that would start very many into loops over some of their turns.
void cut_free_loops(mlir::Operation* function);
// How often a loop goes round, where that is known.
std::optional<std::int64_t> turns_of(mlir::scf::ForOp loop);

}  // namespace tandem::compiler
