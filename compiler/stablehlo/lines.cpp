#include "compiler/stablehlo/lines.hpp"

#include "compiler/contract/places.hpp"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {
namespace {

bool has_line(mlir::Location loc) { return static_cast<bool>(source_place(loc)); }

}  // namespace

mlir::Location line_of(mlir::BlockArgument argument) {
  if (has_line(argument.getLoc())) return argument.getLoc();
  mlir::Operation* first = nullptr;
  for (mlir::Operation* user : argument.getUsers()) {
    mlir::Operation* here = argument.getOwner()->findAncestorOpInBlock(*user);
    if (here == nullptr || !has_line(user->getLoc())) continue;
    if (first == nullptr || here->isBeforeInBlock(first)) first = here;
  }
  return first != nullptr ? first->getLoc() : argument.getLoc();
}

}  // namespace tandem::compiler
