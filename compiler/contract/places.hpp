// The part of the user's program that a location refers to.
#pragma once

#include <string>

#include "mlir/IR/Location.h"

namespace tandem::compiler {

// Whether recursive functions may walk all locations: they are neither deep nor, since parts may be
// shared (call sites that double at each level), made of more parts than those of any real program.
bool has_short_locations(mlir::Operation* module);
// The user's line of a location: the innermost frame that names a file; null when there is none.
mlir::FileLineColLoc source_place(mlir::Location loc);
// Its places, innermost first: callee before caller.
void source_chain(mlir::Location loc, llvm::SmallVectorImpl<mlir::FileLineColLoc>& chain);
// "f.py:3"; "" where there is none.
std::string place_text(mlir::Location loc);
// The name of what it is part of, as JAX gives it ("jit(f)/add"); "" when there is none.
std::string operation_name(mlir::Location loc);
// "jit(f)/dot_general@f.py:3", by which levels of a program agree on what its operations are.
std::string source_key(mlir::Location loc);
// "f.py:3 jit(f)/dot_general": the line and the name of what made it, as far as known.
std::string maker_of(mlir::Operation* op);

}  // namespace tandem::compiler
