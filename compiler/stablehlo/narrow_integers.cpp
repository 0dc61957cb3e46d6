// Unsigned integers of 64 bits whose values provably need only 32 become 32-bit ones. Random
// generators count their elements with them, and no tensor has 2^32 elements.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using Bound = std::uint64_t;
constexpr Bound word = 0xffffffff;
constexpr Bound unknown = ~Bound{0};

bool is_wide(mlir::Type type) {
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  return integer && integer.isUnsigned() && integer.getWidth() == 64;
}

Bound capped(llvm::APInt value) {
  return value.getActiveBits() > 40 ? unknown : value.getZExtValue();
}

// The largest possible value of an operation, given those of its operands.
class Bounds {
 public:
  Bound of(mlir::Value value) {
    mlir::Operation* op = value.getDefiningOp();
    if (op == nullptr) return unknown;
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    const Bound bound = compute(op);
    known_[value] = bound;
    return bound;
  }

 private:
  Bound compute(mlir::Operation* op) {
    const llvm::StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.constant") return largest(op);
    if (name == "stablehlo.iota") {
      const auto dimension = op->getAttrOfType<mlir::IntegerAttr>("iota_dimension");
      const auto type = mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
      return dimension ? static_cast<Bound>(type.getDimSize(dimension.getInt())) : unknown;
    }
    if (name == "stablehlo.convert") {
      const auto from = mlir::dyn_cast<mlir::IntegerType>(
          mlir::getElementTypeOrSelf(op->getOperand(0).getType()));
      if (is_wide(op->getOperand(0).getType())) return of(op->getOperand(0));
      return from && (from.isUnsigned() || from.getWidth() == 1) ? word : unknown;
    }
    llvm::APInt first(128, op->getNumOperands() > 0 ? of(op->getOperand(0)) : unknown);
    llvm::APInt second(128, op->getNumOperands() > 1 ? of(op->getOperand(1)) : 0);
    if (name == "stablehlo.add") return capped(first + second);
    if (name == "stablehlo.multiply") return capped(first * second);
    if (name == "stablehlo.maximum" || name == "stablehlo.concatenate")
      return capped(first.ugt(second) ? first : second);
    const bool keeps = name == "stablehlo.broadcast_in_dim" || name == "stablehlo.reshape" ||
                       name == "stablehlo.slice" || name == "stablehlo.transpose" ||
                       name == "stablehlo.shift_right_logical" || name == "stablehlo.reverse";
    return keeps ? capped(first) : unknown;
  }

  static Bound largest(mlir::Operation* op) {
    const auto value = op->getAttrOfType<mlir::DenseIntElementsAttr>("value");
    if (!value) return unknown;
    Bound result = 0;
    for (const llvm::APInt& number : value.getValues<llvm::APInt>()) {
      result = std::max(result, capped(number));
    }
    return result;
  }

  llvm::DenseMap<mlir::Value, Bound> known_;
};

struct NarrowIntegers : FunctionPass<NarrowIntegers, PassName::narrow_integers> {
  void run() {
    Bounds bounds;
    llvm::SmallVector<mlir::Value> wide;
    getOperation().walk([&](mlir::Operation* op) {
      for (const mlir::Value result : op->getResults()) {
        if (is_wide(result.getType())) wide.push_back(result);
      }
    });
    // All or nothing: an operation that reads one of them needs operands of one type.
    for (const mlir::Value value : wide) {
      if (bounds.of(value) > word) return;
    }
    for (mlir::Value value : wide) retype(value);
  }

 private:
  static void retype(mlir::Value value) {
    const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
    const auto element =
        mlir::IntegerType::get(value.getContext(), 32, mlir::IntegerType::Unsigned);
    const auto narrow = mlir::RankedTensorType::get(type.getShape(), element);
    value.setType(narrow);
    mlir::Operation* op = value.getDefiningOp();
    if (const auto constant = op->getAttrOfType<mlir::DenseIntElementsAttr>("value")) {
      op->setAttr("value",
                  mlir::DenseIntElementsAttr(constant).mapValues(
                      element, [](const llvm::APInt& number) { return number.trunc(32); }));
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_narrow_integers_pass() {
  return std::make_unique<NarrowIntegers>();
}

}  // namespace tandem::compiler
