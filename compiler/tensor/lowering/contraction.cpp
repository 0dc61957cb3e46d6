// dot_general as one linalg.generic: any batching, any contracted dimensions, no transposes.
//
// Products and sums are f32 (s32 for integers), as in the matrix unit; the precision of the
// operands is an attribute that the tiling reads. Where every element of the result is one product,
// or a product of two vectors, or there are many small products, the vector units multiply: fp32 is
// not rounded.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/precision.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using List = llvm::SmallVector<std::int64_t>;
using Iterator = mlir::utils::IteratorType;

struct Dimensions {
  List left_batch;
  List right_batch;
  List left_contracted;
  List right_contracted;
};

mlir::FailureOr<Dimensions> dimensions_of(mlir::Operation* op) {
  const auto left_batch = integers(op, "lhs_batching_dimensions");
  const auto right_batch = integers(op, "rhs_batching_dimensions");
  const auto left = integers(op, "lhs_contracting_dimensions");
  const auto right = integers(op, "rhs_contracting_dimensions");
  if (mlir::failed(left_batch) || mlir::failed(right_batch) || mlir::failed(left) ||
      mlir::failed(right)) {
    return mlir::failure();
  }
  if (left_batch->size() != right_batch->size() || left->size() != right->size()) {
    return op->emitError("batching or contracting dimensions do not pair up");
  }
  return Dimensions{*left_batch, *right_batch, *left, *right};
}

// Loops: batch, free of the left, free of the right, contracted.
struct Loops {
  llvm::SmallVector<mlir::AffineExpr> left;
  llvm::SmallVector<mlir::AffineExpr> right;
  llvm::SmallVector<mlir::AffineExpr> result;
  unsigned count = 0;
};

Loops loops_of(mlir::OpBuilder& builder, const Dimensions& dimensions, std::int64_t left_rank,
               std::int64_t right_rank) {
  Loops loops;
  loops.left.resize(left_rank);
  loops.right.resize(right_rank);
  for (const auto [left, right] : llvm::zip(dimensions.left_batch, dimensions.right_batch)) {
    loops.left[left] = loops.right[right] = builder.getAffineDimExpr(loops.count++);
    loops.result.push_back(loops.left[left]);
  }
  const auto free = [&](llvm::SmallVector<mlir::AffineExpr>& side, const List& contracted) {
    for (const auto [index, expression] : llvm::enumerate(side)) {
      if (expression || llvm::is_contained(contracted, index)) continue;
      expression = builder.getAffineDimExpr(loops.count++);
      loops.result.push_back(expression);
    }
  };
  free(loops.left, dimensions.left_contracted);
  free(loops.right, dimensions.right_contracted);
  for (const auto [left, right] :
       llvm::zip(dimensions.left_contracted, dimensions.right_contracted)) {
    loops.left[left] = loops.right[right] = builder.getAffineDimExpr(loops.count++);
  }
  return loops;
}

// Types that the matrix unit takes unchanged: reals for sums of reals, signed bytes for sums of
// words. All others are converted to the type of the sums.
bool enters_as_it_is(mlir::Type element, mlir::Type sums) {
  if (mlir::isa<mlir::FloatType>(element)) return true;
  return element == sums || (sums.isInteger(32) && element.isSignlessInteger(8));
}

mlir::Value entered(Lowering& lowering, mlir::Location loc, mlir::Value input, mlir::Type original,
                    mlir::Type sums) {
  if (enters_as_it_is(original, sums)) return input;
  const auto from = mlir::cast<mlir::RankedTensorType>(input.getType());
  const auto type = mlir::RankedTensorType::get(from.getShape(), sums);
  const bool is_unsigned = original.isUnsignedInteger() || original.isInteger(1);
  return parallel_generic(
      lowering.builder, loc, type, input,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
        return widened(nested, at, elements.front(), sums, is_unsigned);
      });
}

mlir::Value multiplied(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange factors,
                       mlir::Type type) {
  const mlir::Value left = widened(builder, loc, factors[0], type);
  const mlir::Value right = widened(builder, loc, factors[1], type);
  if (mlir::isa<mlir::FloatType>(type)) return arith::MulFOp::create(builder, loc, left, right);
  return arith::MulIOp::create(builder, loc, left, right);
}

void multiply_add(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange arguments) {
  const mlir::Type type = arguments[2].getType();
  const mlir::Value product = multiplied(builder, loc, arguments, type);
  const mlir::Value sum =
      mlir::isa<mlir::FloatType>(type)
          ? arith::AddFOp::create(builder, loc, arguments[2], product).getResult()
          : arith::AddIOp::create(builder, loc, arguments[2], product).getResult();
  mlir::linalg::YieldOp::create(builder, loc, sum);
}

// Whether neither operand has more than one row or column of its own.
bool is_of_vectors(mlir::linalg::GenericOp op) {
  const auto extents = op.getStaticLoopRanges();
  const auto maps = op.getIndexingMapsArray();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    const bool is_shared = maps[0].isFunctionOfDim(loop) && maps[1].isFunctionOfDim(loop);
    if (!is_shared && extents[loop] != 1) return false;
  }
  return true;
}

// Whether it is many products of one row each with a short depth: the matrix unit would need
// weights for each of them, which is more work than multiplying. Sums along rows are left to it.
bool is_of_short_rows(mlir::linalg::GenericOp op) {
  const auto extents = op.getStaticLoopRanges();
  const auto maps = op.getIndexingMapsArray();
  std::int64_t depth = 1;
  std::int64_t batch = 1;
  std::array<std::int64_t, 2> free{1, 1};
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    const std::int64_t extent = extents[loop];
    if (!maps[2].isFunctionOfDim(loop)) {
      depth *= extent;
    } else if (maps[0].isFunctionOfDim(loop) && maps[1].isFunctionOfDim(loop)) {
      batch *= extent;
    } else {
      free[maps[0].isFunctionOfDim(loop) ? 0 : 1] *= extent;
    }
  }
  if (batch == 1 || (free[0] != 1 && free[1] != 1) || threshold::short_depth(depth)) return false;
  const mlir::AffineMap wide = maps[free[0] == 1 ? 1 : 0];
  for (const mlir::AffineExpr index : llvm::reverse(wide.getResults())) {
    const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(index);
    if (!loop) return false;  // a window of a convolution
    if (extents[loop.getPosition()] != 1) return maps[2].isFunctionOfDim(loop.getPosition());
  }
  return false;
}

// Matrices such as rotations: the gain of rounding them would not matter.
bool is_small(const Dimensions& dimensions, const Values& inputs) {
  const auto elements = [](mlir::Value input, const List& batch) {
    const auto shape = mlir::cast<mlir::RankedTensorType>(input.getType()).getShape();
    std::int64_t product = 1;
    for (const auto [index, size] : llvm::enumerate(shape)) {
      if (!llvm::is_contained(batch, index)) product *= size;
    }
    return product;
  };
  return !threshold::small_product(std::max(elements(inputs[0], dimensions.left_batch),
                                            elements(inputs[1], dimensions.right_batch)));
}

}  // namespace

mlir::Value widened(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, mlir::Type to,
                    bool is_unsigned) {
  const mlir::Type from = value.getType();
  if (from == to) return value;
  if (mlir::isa<mlir::FloatType>(from)) return arith::ExtFOp::create(builder, loc, to, value);
  if (mlir::isa<mlir::FloatType>(to)) {
    if (is_unsigned) return arith::UIToFPOp::create(builder, loc, to, value);
    return arith::SIToFPOp::create(builder, loc, to, value);
  }
  if (is_unsigned) return arith::ExtUIOp::create(builder, loc, to, value);
  return arith::ExtSIOp::create(builder, loc, to, value);
}

mlir::Value narrowed(Lowering& lowering, mlir::Location loc, mlir::Value wide,
                     mlir::RankedTensorType type) {
  if (wide.getType() == type) return wide;
  const auto map = lowering.builder.getMultiDimIdentityMap(type.getRank());
  return parallel_generic(
      lowering.builder, loc, type, wide, map,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> mlir::Value {
        if (type.getElementType().isInteger(1)) {
          const mlir::Value zero =
              arith::ConstantOp::create(nested, at, nested.getZeroAttr(elements[0].getType()));
          return arith::CmpIOp::create(nested, at, arith::CmpIPredicate::ne, elements[0], zero);
        }
        if (mlir::isa<mlir::FloatType>(type.getElementType())) {
          return arith::TruncFOp::create(nested, at, type.getElementType(), elements[0]);
        }
        return arith::TruncIOp::create(nested, at, type.getElementType(), elements[0]);
      });
}

mlir::Value contraction(Lowering& lowering, mlir::Operation* op, const Values& inputs,
                        llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<std::int64_t> shape,
                        llvm::StringRef precision, bool swapped) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const mlir::Type element = plain_tensor(op->getResult(0).getType()).getElementType();
  const bool is_float = mlir::isa<mlir::FloatType>(element);
  const mlir::Type wide = is_float ? mlir::Type(builder.getF32Type()) : builder.getI32Type();
  const auto type = mlir::RankedTensorType::get(shape, wide);
  const mlir::Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(wide));
  llvm::SmallVector<Iterator> iterators(shape.size(), Iterator::parallel);
  iterators.resize(maps.front().getNumDims(), Iterator::reduction);
  Values entering;
  for (const auto [number, input] : llvm::enumerate(inputs)) {
    const mlir::Type original =
        mlir::getElementTypeOrSelf(op->getOperand(swapped ? 1 - number : number).getType());
    entering.push_back(entered(lowering, loc, input, original, wide));
  }
  // Nothing to sum.
  if (maps.back().isIdentity()) {
    return parallel_generic(
        builder, loc, type, entering, maps.drop_back(),
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange factors) {
          return multiplied(nested, at, factors, wide);
        });
  }
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc, mlir::TypeRange{type}, entering,
      mlir::ValueRange{filled_tensor(builder, loc, type, zero)}, maps, iterators, multiply_add);
  if (!is_of_vectors(generic) && !is_of_short_rows(generic)) {
    attribute::precision.set(generic, precision);
  }
  return generic.getResult(0);
}

mlir::FailureOr<Values> lower_dot_general(Lowering& lowering, mlir::Operation* op) {
  const auto dimensions = dimensions_of(op);
  if (mlir::failed(dimensions)) return mlir::failure();
  const auto precision = precision_of(op);
  if (mlir::failed(precision)) return mlir::failure();
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const Values inputs = lowering.mapped(op->getOperands());
  const auto rank = [](mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType()).getRank();
  };
  const Loops loops = loops_of(builder, *dimensions, rank(inputs[0]), rank(inputs[1]));
  const auto map = [&](llvm::ArrayRef<mlir::AffineExpr> expressions) {
    return mlir::AffineMap::get(loops.count, 0, expressions, builder.getContext());
  };
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::AffineMap maps[] = {map(loops.left), map(loops.right), map(loops.result)};
  const bool is_real = mlir::isa<mlir::FloatType>(type.getElementType());
  const llvm::StringRef passes = is_real && is_small(*dimensions, inputs) ? "HIGHEST" : *precision;
  const mlir::Value sums = contraction(lowering, op, inputs, maps, type.getShape(), passes);
  return Values{narrowed(lowering, loc, sums, type)};
}

}  // namespace tandem::compiler
