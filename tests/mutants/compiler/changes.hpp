// The possible changes of one operation: the faults that mutations.hpp plants.
#pragma once

#include <functional>
#include <vector>

#include "mlir/IR/Operation.h"

namespace tandem::mutants {

// A change of one operation, by the number of its place; false: there is no such place.
using Change = std::function<bool(mlir::Operation* op, unsigned place)>;

struct Kind {
  const char* name;
  bool (*may_take)(mlir::Operation* op);  // where it is worth trying
  Change change;
};

const std::vector<Kind>& kinds();

}  // namespace tandem::mutants
