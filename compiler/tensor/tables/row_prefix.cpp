// Prefixes along rows of VMEM: the cross-lane unit shifts the eight rows of a vector by 1, 2, 4,
// ... lanes, and each shifted vector is combined with the one before. What a chunk of lanes comes
// to is spread to all lanes for the chunk after it. Nothing is transposed, and nothing leaves the
// registers (tpu/rows/row_scan.cpp).
//
// Rows go through VMEM in blocks, so that copies overlap with the work:
//
//   for each block of rows:   copy rows -> window;   scan window -> window;   copy window -> rows
#include "compiler/tensor/tables/row_prefix.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/tables/rows.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using mlir::Value;

enum class Combination : std::uint8_t { add, maximum, minimum };

// What the region does with its two arguments; nothing for another region.
std::optional<Combination> combination_of(mlir::Region& region) {
  mlir::Block& block = region.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2) return std::nullopt;
  mlir::Operation& op = block.front();
  mlir::Operation* end = block.getTerminator();
  if (op.getNumOperands() != 2 || end->getNumOperands() != 1 ||
      end->getOperand(0).getDefiningOp() != &op) {
    return std::nullopt;
  }
  const Value one = block.getArgument(0);
  const Value other = block.getArgument(1);
  const bool takes_both = (op.getOperand(0) == one && op.getOperand(1) == other) ||
                          (op.getOperand(0) == other && op.getOperand(1) == one);
  if (!takes_both) return std::nullopt;
  const llvm::StringRef name = op.getName().getStringRef();
  if (name == "stablehlo.add") return Combination::add;
  if (name == "stablehlo.maximum") return Combination::maximum;
  if (name == "stablehlo.minimum") return Combination::minimum;
  return std::nullopt;
}

// The operation of a body, where the machine has it for this type.
Value combined(mlir::OpBuilder& builder, mlir::Location loc, Combination combination, Value one,
               Value other) {
  const bool is_real = mlir::isa<mlir::FloatType>(one.getType());
  switch (combination) {
    case Combination::add:
      return is_real ? arith::AddFOp::create(builder, loc, one, other).getResult()
                     : arith::AddIOp::create(builder, loc, one, other).getResult();
    case Combination::maximum:
      return is_real ? arith::MaximumFOp::create(builder, loc, one, other).getResult()
                     : arith::MaxSIOp::create(builder, loc, one, other).getResult();
    case Combination::minimum:
      return is_real ? arith::MinimumFOp::create(builder, loc, one, other).getResult()
                     : arith::MinSIOp::create(builder, loc, one, other).getResult();
  }
  return {};
}

// Whether the operation's initial value changes nothing.
bool is_neutral(mlir::Value initial, Combination combination, mlir::Type element) {
  mlir::Operation* op = initial.getDefiningOp();
  while (op != nullptr && op->getName().getStringRef() == "stablehlo.broadcast_in_dim") {
    op = op->getOperand(0).getDefiningOp();
  }
  const auto constant = op != nullptr && op->getName().getStringRef() == "stablehlo.constant"
                            ? op->getAttrOfType<mlir::DenseElementsAttr>("value")
                            : mlir::DenseElementsAttr();
  if (!constant || !constant.isSplat()) return false;
  if (mlir::isa<mlir::FloatType>(element)) {
    const auto value = constant.getSplatValue<llvm::APFloat>();
    if (combination == Combination::add) return value.isZero();
    return value.isInfinity() && value.isNegative() == (combination == Combination::maximum);
  }
  const auto value = constant.getSplatValue<llvm::APInt>();
  switch (combination) {
    case Combination::add: return value.isZero();
    case Combination::maximum: return value.isMinSignedValue();
    case Combination::minimum: return value.isMaxSignedValue();
  }
  return false;
}

class RowPrefix {
 public:
  RowPrefix(Lowering& lowering, mlir::Operation* op, bool from_end, Combination combination)
      : lowering_(lowering),
        builder_(lowering.builder),
        loc_(op->getLoc()),
        from_end_(from_end),
        combination_(combination) {}

  Value run(Value tensor) {
    const auto type = mlir::cast<mlir::RankedTensorType>(tensor.getType());
    columns_ = type.getShape().back();
    rows_ = type.getNumElements() / columns_;
    element_ = type.getElementType();
    const Value flat = with_shape(builder_, loc_, tensor, {rows_, columns_});
    const Value source = mlir::bufferization::ToBufferOp::create(
        builder_, loc_, mlir::MemRefType::get({rows_, columns_}, element_), flat,
        /*read_only=*/true);
    const Value target =
        memref::AllocOp::create(builder_, loc_, mlir::MemRefType::get({rows_, columns_}, element_));
    const std::int64_t block = rows_of_block();
    const std::int64_t whole = rows_ / block * block;
    if (whole == block) {
      scan(builder_, builder_.getIndexAttr(0), block, source, target);
    } else {
      loop(whole, block, source, target);
    }
    if (whole != rows_) scan(builder_, builder_.getIndexAttr(whole), rows_ - whole, source, target);
    const Value result = mlir::bufferization::ToTensorOp::create(
        builder_, loc_, mlir::RankedTensorType::get({rows_, columns_}, element_), target,
        /*restrict=*/true, /*writable=*/true);
    return with_shape(builder_, loc_, result, type.getShape());
  }

 private:
  void loop(std::int64_t end, std::int64_t step, Value source, Value target) {
    const auto constant = [&](std::int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder_, loc_, value);
    };
    mlir::scf::ForOp::create(
        builder_, loc_, constant(0), constant(end), constant(step), mlir::ValueRange(),
        [&](mlir::OpBuilder& nested, mlir::Location, Value row, mlir::ValueRange) {
          scan(nested, row, step, source, target);
          mlir::scf::YieldOp::create(nested, loc_);
        });
  }

  // Four windows, of which two are being copied, in a part of VMEM; whole vectors.
  [[nodiscard]] std::int64_t rows_of_block() const {
    constexpr std::int64_t part = 4;  // of VMEM
    constexpr std::int64_t windows = 4;
    constexpr std::int64_t most = 64;
    const std::int64_t words = lowering_.machine.vmem_bytes / 4 / part / windows;
    const std::int64_t lanes = lowering_.machine.lanes;
    const std::int64_t pitch = (columns_ + lanes - 1) / lanes * lanes + lanes;
    const std::int64_t rows = std::clamp<std::int64_t>(words / pitch, 1, most);
    const std::int64_t vectors = rows >= sublanes ? rows / sublanes * sublanes : rows;
    return std::min(vectors, rows_);
  }

  Value window(mlir::OpBuilder& builder, std::int64_t rows) {
    auto alloc =
        memref::AllocOp::create(builder, loc_, mlir::MemRefType::get({rows, columns_}, element_));
    attribute::window.set(alloc);
    return alloc;
  }

  Value rows_from(mlir::OpBuilder& builder, Value buffer, mlir::OpFoldResult first,
                  std::int64_t rows) {
    const auto fixed = [&](std::int64_t value) -> mlir::OpFoldResult {
      return builder.getIndexAttr(value);
    };
    return memref::SubViewOp::create(
        builder, loc_, buffer, llvm::SmallVector<mlir::OpFoldResult>{first, fixed(0)},
        llvm::SmallVector<mlir::OpFoldResult>{fixed(rows), fixed(columns_)},
        llvm::SmallVector<mlir::OpFoldResult>{fixed(1), fixed(1)});
  }

  void scan(mlir::OpBuilder& builder, mlir::OpFoldResult first, std::int64_t rows, Value source,
            Value target) {
    const Value in = window(builder, rows);
    const Value out = window(builder, rows);
    memref::CopyOp::create(builder, loc_, rows_from(builder, source, first, rows), in);
    const llvm::SmallVector<mlir::AffineMap> maps(2, builder.getMultiDimIdentityMap(2));
    const llvm::SmallVector<mlir::utils::IteratorType> loops(2,
                                                             mlir::utils::IteratorType::parallel);
    auto op = mlir::linalg::GenericOp::create(
        builder, loc_, mlir::TypeRange{}, in, out, maps, loops,
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange values) {
          const Value sum = combined(nested, at, combination_, values[0], values[1]);
          mlir::linalg::YieldOp::create(nested, at, sum);
        });
    attribute::scan.set(op, from_end_ ? "down" : "up");
    memref::CopyOp::create(builder, loc_, out, rows_from(builder, target, first, rows));
  }

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  bool from_end_;
  Combination combination_;
  mlir::Type element_;
  std::int64_t rows_ = 1;
  std::int64_t columns_ = 1;
};

}  // namespace

std::optional<Value> lower_row_prefix(Lowering& lowering, mlir::Operation* op, bool from_end) {
  const auto type = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType());
  const mlir::Type element = type.getElementType();
  const auto combination = combination_of(op->getRegion(0));
  const bool has_type = element.isF32() || element.isSignlessInteger(32);
  // Fewer rows than half of a vector have more elements in it as columns.
  const std::int64_t rows =
      type.getNumElements() / std::max<std::int64_t>(type.getShape().back(), 1);
  if (op->getNumOperands() != 2 || !combination || !has_type || !threshold::scanned_rows(rows) ||
      !threshold::scanned_row(type.getShape().back(), lowering.machine) ||
      !is_neutral(op->getOperand(1), *combination, element)) {
    return std::nullopt;
  }
  return RowPrefix(lowering, op, from_end, *combination)
      .run(lowering.mapped(op->getOperands()).front());
}

}  // namespace tandem::compiler
