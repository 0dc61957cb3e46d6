#include "compiler/stablehlo/collectives/computation.hpp"

#include "llvm/ADT/StringSet.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

// Operations that work on tensors as on their elements.
bool is_elementwise(llvm::StringRef name) {
  static const llvm::StringSet<> names{
      "stablehlo.add",     "stablehlo.and",      "stablehlo.compare",
      "stablehlo.complex", "stablehlo.convert",  "stablehlo.divide",
      "stablehlo.imag",    "stablehlo.maximum",  "stablehlo.minimum",
      "stablehlo.negate",  "stablehlo.multiply", "stablehlo.not",
      "stablehlo.or",      "stablehlo.real",     "stablehlo.reduce_precision",
      "stablehlo.select",  "stablehlo.subtract", "stablehlo.xor"};
  return names.contains(name);
}

}  // namespace

Value apply_computation(Maker& make, Operation* op, Value a, Value b) {
  mlir::Block& body = op->getRegion(0).front();
  const auto shape = mlir::cast<RankedTensorType>(a.getType()).getShape();
  mlir::IRMapping map;
  map.map(body.getArgument(0), a);
  map.map(body.getArgument(1), b);
  // Constants, and values captured from around the body.
  const auto spread = [&](Value value) -> Value {
    if (!map.contains(value)) map.map(value, make.broadcast(value, shape));
    return map.lookup(value);
  };
  for (Operation& inner : body) {
    const llvm::StringRef name = inner.getName().getStringRef();
    if (name == "stablehlo.return") return spread(inner.getOperand(0));
    if (name == "stablehlo.constant") {
      map.map(inner.getResult(0), make.broadcast(make.builder().clone(inner)->getResult(0), shape));
      continue;
    }
    if (!is_elementwise(name)) {
      inner.emitError("unimplemented: ") << name << " in the computation of " << op->getName();
      return {};
    }
    for (const Value operand : inner.getOperands()) spread(operand);
    Operation* whole = make.builder().clone(inner, map);
    const mlir::Type element = mlir::getElementTypeOrSelf(inner.getResult(0).getType());
    whole->getResult(0).setType(RankedTensorType::get(shape, element));
  }
  op->emitError("internal: a computation without an end");
  return {};
}

}  // namespace tandem::compiler
