// Faults that a pass could have made, planted into its output: one number, edge, order or operation
// of @main is changed. Changes that MLIR's verifier refuses do not count.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace tandem::mutants {

struct Mutation {
  std::string kind;   // "constant", "bound", "drop" ...
  std::string where;  // the operation before
};

// Changes @main in one place, drawn by `numbers`. Nothing where no place takes a change.
std::optional<Mutation> mutate(mlir::ModuleOp module, std::mt19937& numbers);

// The same for the text of linear assembly: an address, a wait, the order of two operations.
std::optional<Mutation> mutate(std::string& assembly, std::mt19937& numbers);

}  // namespace tandem::mutants
