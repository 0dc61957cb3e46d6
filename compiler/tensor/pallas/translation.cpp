#include "compiler/tensor/pallas/translation.hpp"

#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Location.h"

namespace tandem::compiler::pallas {
namespace {

Rule find_rule(Operation* op) {
  static const llvm::StringMap<Rule> table{
#define PALLAS(OPERATION, RULE) {#OPERATION, RULE},
#include "compiler/tensor/pallas/operations.def"
#undef PALLAS
  };
  const auto found = table.find(mosaic::name_of(op));
  if (found != table.end()) return found->second;
  return mosaic::is_elementwise(op) ? elementwise : nullptr;
}

}  // namespace

mlir::FailureOr<Values> Translation::block(mlir::Block& body) {
  for (Operation& op : llvm::make_range(body.begin(), std::prev(body.end()))) {
    const Rule rule = find_rule(&op);
    if (rule == nullptr) {
      return error(&op) << "unimplemented: " << mosaic::name_of(&op) << " in a Pallas kernel";
    }
    const auto results = rule(*this, &op);
    if (mlir::failed(results)) return mlir::failure();
    for (const auto [foreign, ours] : llvm::zip_equal(op.getResults(), *results)) {
      set(foreign, ours);
    }
  }
  return get(body.back().getOperands());
}

Values Translation::get(mlir::ValueRange foreign) const {
  return llvm::map_to_vector(foreign, [&](Value value) { return get(value); });
}

mlir::Location Translation::translate(mlir::Location foreign) {
  mlir::MLIRContext* context = builder.getContext();
  if (const auto line = mlir::dyn_cast<mlir::FileLineColLoc>(foreign)) {
    return mlir::FileLineColLoc::get(context, line.getFilename().getValue(), line.getLine(),
                                     line.getColumn());
  }
  if (const auto line = mlir::dyn_cast<mlir::FileLineColRange>(foreign)) {
    return mlir::FileLineColLoc::get(context, line.getFilename().getValue(), line.getStartLine(),
                                     line.getStartColumn());
  }
  if (const auto named = mlir::dyn_cast<mlir::NameLoc>(foreign)) {
    return mlir::NameLoc::get(builder.getStringAttr(named.getName().getValue()),
                              translate(named.getChildLoc()));
  }
  if (const auto site = mlir::dyn_cast<mlir::CallSiteLoc>(foreign)) {
    return mlir::CallSiteLoc::get(translate(site.getCallee()), translate(site.getCaller()));
  }
  if (const auto fused = mlir::dyn_cast<mlir::FusedLoc>(foreign)) {
    const auto parts = llvm::map_to_vector(fused.getLocations(),
                                           [&](mlir::Location part) { return translate(part); });
    return mlir::FusedLoc::get(context, parts);
  }
  return call_->getLoc();  // without its own
}

mlir::Location Translation::location(Operation* foreign) { return translate(foreign->getLoc()); }

mlir::InFlightDiagnostic Translation::error(Operation* foreign) {
  return mlir::emitError(location(foreign));
}

mlir::Type Translation::element(Operation* foreign, mlir::Type type) {
  if (type.isF32()) return builder.getF32Type();
  if (type.isBF16()) return builder.getBF16Type();
  if (type.isF16()) return builder.getF16Type();
  if (type.isIndex()) return builder.getIndexType();
  for (const unsigned width : {1U, 8U, 16U, 32U}) {
    if (type.isInteger(width)) return builder.getIntegerType(width);
  }
  error(foreign) << "unimplemented: elements of type " << type << " in a Pallas kernel";
  return {};
}

mlir::RankedTensorType Translation::tensor(Operation* foreign, mlir::Type type) {
  const auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  const mlir::Type kind = element(foreign, vector ? vector.getElementType() : type);
  if (!kind) return {};
  return mlir::RankedTensorType::get(vector ? vector.getShape() : llvm::ArrayRef<std::int64_t>(),
                                     kind);
}

mlir::OpFoldResult Translation::index(Value foreign) {
  if (const auto number = mosaic::constant_of(foreign)) return builder.getIndexAttr(*number);
  const Value ours = get(foreign);
  if (ours.getType().isIndex()) return ours;
  return mlir::arith::IndexCastOp::create(builder, ours.getLoc(), builder.getIndexType(), ours)
      .getResult();
}

Value Translation::as_tensor(mlir::Location loc, Value ours) {
  if (mlir::isa<mlir::RankedTensorType>(ours.getType())) return ours;
  return filled_tensor(builder, loc, mlir::RankedTensorType::get({}, ours.getType()), ours);
}

}  // namespace tandem::compiler::pallas
