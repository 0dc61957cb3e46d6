#include "compiler/tpu/select.hpp"

#include "compiler/tpu/dialect.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

// The bits of a constant in the machine's representation of a word.
std::int64_t constant_bits(mlir::Attribute attribute) {
  if (const auto real = mlir::dyn_cast<mlir::FloatAttr>(attribute)) {
    llvm::APFloat value = real.getValue();
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return static_cast<std::int64_t>(value.bitcastToAPInt().getZExtValue());
  }
  const llvm::APInt value = mlir::cast<mlir::IntegerAttr>(attribute).getValue();
  const std::int64_t wide = value.getBitWidth() == 1
                                ? static_cast<std::int64_t>(value.getZExtValue())
                                : value.getSExtValue();
  return wide & 0xffffffff;
}

}  // namespace

Selector::Value Selector::make(llvm::StringRef mnemonic, mlir::ValueRange operands,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  return machine(builder, loc, mnemonic, operands, attributes);
}

Selector::Value Selector::number(std::int64_t bits) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, bits & 0xffffffff);
}

Selector::Value Selector::real(float value) { return number(std::bit_cast<std::uint32_t>(value)); }

Selector::Value Selector::not_mask(Value mask) {
  const auto negated = [&](llvm::StringRef name) { return flag_attribute(builder, name); };
  return make("mand", {mask, mask}, {negated("not_ma"), negated("not_mb")});
}

Selector::Value Selector::as_mask(Value value) {
  if (mlir::isa<MaskType>(value.getType())) return value;
  return make("vne.s32", {as_vector(value), number(0)});
}

Selector::Value Selector::as_vector(Value value) {
  if (value.getType().isInteger(1)) {
    return mlir::arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
  }
  if (!mlir::isa<MaskType>(value.getType())) return value;
  return make("vsel", {value, number(1), number(0)});
}

Selector::Value Selector::choose(Value mask, Value a, Value b) {
  return make("vsel", {as_mask(mask), as_vector(a), as_vector(b)});
}

Selector::Value Selector::get(Value original) {
  const auto found = values_.find(original);
  if (found != values_.end()) return found->second;
  mlir::Attribute constant;
  if (mlir::matchPattern(original, mlir::m_Constant(&constant))) {
    return number(constant_bits(constant));
  }
  return original;  // a scalar defined outside
}

bool Selector::is_shared(Value original, Along along) const {
  if (shared_.at(static_cast<std::size_t>(along)).values.contains(original)) return true;
  mlir::Operation* op = original.getDefiningOp();
  if (op == nullptr || mlir::isa<mlir::linalg::IndexOp>(op)) return false;
  return op->getNumRegions() == 0 && mlir::isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return is_shared(operand, along); });
}

mlir::LogicalResult Selector::select(mlir::Operation* op) {
  if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) {
    const bool turns = index.getDim() == 0 && turn_index;
    set(op->getResult(0), turns ? turn_index : element_index);
    return mlir::success();
  }
  if (op->hasTrait<mlir::OpTrait::ConstantLike>()) return mlir::success();
  llvm::SmallVector<Value> operands;
  for (const Value operand : op->getOperands()) operands.push_back(get(operand));
  const Value result = select_operation(*this, op, operands);
  if (!result) return op->emitError("unimplemented: ") << op->getName() << " on vectors";
  set(op->getResult(0), result);
  return mlir::success();
}

mlir::LogicalResult Selector::run(mlir::Block& body, mlir::Operation* end) {
  for (mlir::Operation& op : body.without_terminator()) {
    if (&op == end) break;
    loc = op.getLoc();
    if (mlir::failed(select(&op))) return mlir::failure();
  }
  return mlir::success();
}

}  // namespace tandem::compiler
