#include "compiler/views/access.hpp"

#include "compiler/contract/attributes.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

// Adds factor * expression to the access. False if it is not linear.
bool accumulate(mlir::AffineExpr expression, std::int64_t factor, Access& access) {
  if (const auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expression)) {
    access.offset += factor * constant.getValue();
    return true;
  }
  if (const auto dimension = mlir::dyn_cast<mlir::AffineDimExpr>(expression)) {
    access.strides[dimension.getPosition()] += factor;
    return true;
  }
  const auto binary = mlir::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!binary) return false;
  if (binary.getKind() == mlir::AffineExprKind::Add) {
    return accumulate(binary.getLHS(), factor, access) &&
           accumulate(binary.getRHS(), factor, access);
  }
  const auto scale = mlir::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == mlir::AffineExprKind::Mul && scale &&
         accumulate(binary.getLHS(), factor * scale.getValue(), access);
}

// The offset of a view, in elements from its buffer.
mlir::OpFoldResult offset_of(mlir::Value view) {
  while (mlir::Operation* op = view.getDefiningOp()) {
    if (auto cast = mlir::dyn_cast<mlir::memref::ReinterpretCastOp>(op)) {
      return cast.getMixedOffsets().front();
    }
    if (!mlir::isa<mlir::memref::CollapseShapeOp, mlir::memref::ExpandShapeOp, mlir::memref::CastOp,
                   mlir::UnrealizedConversionCastOp>(op)) {
      break;
    }
    view = op->getOperand(0);
  }
  return {};
}

// A view whose innermost dimension covers some words of each row, with the other dimensions
// stepping from row to row.
void tell_columns(Reach& reach, llvm::ArrayRef<std::int64_t> sizes,
                  llvm::ArrayRef<std::int64_t> strides, std::int64_t offset) {
  if (sizes.size() < 2 || strides.back() != 1) return;
  // The smallest stride from row to row; dimensions of one element do not count.
  std::int64_t stride = 0;
  for (const auto [size, other] : llvm::zip(sizes.drop_back(), strides.drop_back())) {
    if (size == 1) continue;
    if (other <= 0) return;
    stride = stride == 0 ? other : std::min(stride, other);
  }
  if (stride == 0) stride = strides[strides.size() - 2];
  const bool are_rows =
      stride > 0 && llvm::all_of(llvm::zip(sizes.drop_back(), strides.drop_back()), [&](auto pair) {
        return std::get<0>(pair) == 1 || std::get<1>(pair) % stride == 0;
      });
  if (!are_rows || offset % stride + sizes.back() > stride) return;
  reach.stride = stride;
  reach.column = offset % stride;
  reach.width = sizes.back();
}

bool place_is_multiple_of(mlir::OpFoldResult place, std::int64_t number) {
  if (!place) return false;
  if (const auto fixed = mlir::getConstantIntValue(place)) return *fixed % number == 0;
  return is_multiple_of(mlir::cast<mlir::Value>(place), number);
}

}  // namespace

bool is_multiple_of(mlir::Value value, std::int64_t number) {
  namespace arith = mlir::arith;
  if (const auto fixed = mlir::getConstantIntValue(value)) return *fixed % number == 0;
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    auto loop = mlir::dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           is_multiple_of(loop.getLowerBound(), number) && is_multiple_of(loop.getStep(), number);
  }
  const auto both = [&](mlir::Operation* op) {
    return is_multiple_of(op->getOperand(0), number) && is_multiple_of(op->getOperand(1), number);
  };
  return llvm::TypeSwitch<mlir::Operation*, bool>(value.getDefiningOp())
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(both)
      .Case([&](arith::MulIOp op) {
        return is_multiple_of(op.getLhs(), number) || is_multiple_of(op.getRhs(), number);
      })
      .Case([&](mlir::memref::ExtractStridedMetadataOp op) {
        return value == op.getOffset() && place_is_multiple_of(offset_of(op.getSource()), number);
      })
      .Default([](mlir::Operation*) { return false; });
}

std::optional<std::int64_t> remainder_of(mlir::Value value, std::int64_t number) {
  if (const auto fixed = mlir::getConstantIntValue(value)) {
    return ((*fixed % number) + number) % number;
  }
  if (is_multiple_of(value, number)) return 0;
  auto sum = value.getDefiningOp<mlir::arith::AddIOp>();
  if (!sum) return std::nullopt;
  const auto left = remainder_of(sum.getLhs(), number);
  const auto right = left ? remainder_of(sum.getRhs(), number) : std::nullopt;
  if (!right) return std::nullopt;
  return (*left + *right) % number;
}

bool Access::is_constant_over(llvm::ArrayRef<unsigned> loops) const {
  return llvm::all_of(loops, [&](unsigned loop) { return strides[loop] == 0; });
}

mlir::FailureOr<Access> access_of(mlir::Value buffer, mlir::AffineMap map) {
  const auto type = mlir::dyn_cast<mlir::MemRefType>(buffer.getType());
  Sizes strides;
  std::int64_t ignored = 0;
  if (!type || mlir::failed(type.getStridesAndOffset(strides, ignored)) ||
      llvm::any_of(strides, mlir::ShapedType::isDynamic)) {
    return mlir::failure();
  }
  Access access{buffer, 0, Sizes(map.getNumDims(), 0)};
  for (const auto [expression, stride] : llvm::zip(map.getResults(), strides)) {
    if (!accumulate(expression, stride, access)) return mlir::failure();
  }
  return access;
}

mlir::OpFoldResult add(mlir::OpBuilder& builder, mlir::Location loc, mlir::OpFoldResult a,
                       mlir::OpFoldResult b) {
  const auto left = mlir::getConstantIntValue(a);
  const auto right = mlir::getConstantIntValue(b);
  if (left && right) return builder.getIndexAttr(*left + *right);
  if (left && *left == 0) return b;
  if (right && *right == 0) return a;
  return mlir::arith::AddIOp::create(builder, loc,
                                     mlir::getValueOrCreateConstantIndexOp(builder, loc, a),
                                     mlir::getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

mlir::OpFoldResult times(mlir::OpBuilder& builder, mlir::Location loc, mlir::OpFoldResult a,
                         std::int64_t factor) {
  if (const auto number = mlir::getConstantIntValue(a)) {
    return builder.getIndexAttr(*number * factor);
  }
  if (factor == 1) return a;
  const mlir::Value scale = mlir::arith::ConstantIndexOp::create(builder, loc, factor);
  return mlir::arith::MulIOp::create(builder, loc, mlir::cast<mlir::Value>(a), scale).getResult();
}

mlir::Value strided_view(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                         mlir::OpFoldResult offset, llvm::ArrayRef<std::int64_t> sizes,
                         llvm::ArrayRef<std::int64_t> strides) {
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  Sizes ignored;
  std::int64_t first = 0;
  const bool is_strided = mlir::succeeded(type.getStridesAndOffset(ignored, first));
  assert(is_strided);
  (void)is_strided;
  mlir::OpFoldResult start = builder.getIndexAttr(first);
  if (mlir::ShapedType::isDynamic(first)) {
    start = mlir::memref::ExtractStridedMetadataOp::create(builder, loc, buffer).getOffset();
  }
  start = add(builder, loc, start, offset);
  const auto layout = mlir::StridedLayoutAttr::get(
      builder.getContext(), mlir::getConstantIntValue(start).value_or(mlir::ShapedType::kDynamic),
      strides);
  const auto view =
      mlir::MemRefType::get(sizes, type.getElementType(), layout, type.getMemorySpace());
  return mlir::memref::ReinterpretCastOp::create(
      builder, loc, view, buffer, start, mlir::getAsIndexOpFoldResult(builder.getContext(), sizes),
      mlir::getAsIndexOpFoldResult(builder.getContext(), strides));
}

Sizes dense_strides(llvm::ArrayRef<std::int64_t> sizes, std::int64_t innermost) {
  Sizes strides(sizes.size());
  std::int64_t stride = innermost;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
  return strides;
}

std::int64_t product(llvm::ArrayRef<std::int64_t> sizes) {
  std::int64_t result = 1;
  for (const std::int64_t size : sizes) result *= size;
  return result;
}

bool is_view(mlir::Operation* op) {
  return mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp>(op);
}

mlir::Value buffer_behind(mlir::Value view) {
  while (mlir::Operation* op = view.getDefiningOp()) {
    if (!is_view(op)) break;
    view = op->getOperand(0);
  }
  return view;
}

bool share_words(mlir::memref::AllocOp one, mlir::memref::AllocOp other) {
  const auto first = attribute::address.get(one);
  const auto second = attribute::address.get(other);
  return first && second && first.getInt() < second.getInt() + other.getType().getNumElements() &&
         second.getInt() < first.getInt() + one.getType().getNumElements();
}

Reach reach_of(mlir::Value view) {
  Reach reach{buffer_behind(view)};
  Sizes strides;
  std::int64_t offset = 0;
  const auto type = mlir::cast<mlir::MemRefType>(view.getType());
  // A view as another type may count in other units.
  const auto whole = mlir::cast<mlir::MemRefType>(reach.buffer.getType());
  if (whole.getElementType() != type.getElementType()) return reach;
  if (!type.hasStaticShape() || type.getNumElements() == 0 ||
      mlir::failed(type.getStridesAndOffset(strides, offset)) ||
      mlir::ShapedType::isDynamic(offset) || llvm::any_of(strides, [](std::int64_t stride) {
        return mlir::ShapedType::isDynamic(stride);
      })) {
    return reach;
  }
  reach.first = offset;
  reach.end = offset + 1;
  for (const auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    (stride < 0 ? reach.first : reach.end) += (size - 1) * stride;
  }
  tell_columns(reach, type.getShape(), strides, offset);
  return reach;
}

bool is_free(mlir::Operation* op) {
  return mlir::isa<mlir::memref::AllocOp>(op) || is_view(op) ||
         (mlir::isPure(op) && op->getNumRegions() == 0);
}

std::optional<std::int64_t> distance(mlir::Value one, mlir::Value other) {
  // Of a view: a value, if any, and a constant added to it.
  const auto place = [](mlir::Value view) -> std::optional<std::pair<mlir::Value, std::int64_t>> {
    auto cast = view.getDefiningOp<mlir::memref::ReinterpretCastOp>();
    if (!cast) return std::nullopt;
    // Its offset counts from the buffer, whatever cast it is of.
    mlir::Value source = cast.getSource();
    while (auto other = source.getDefiningOp<mlir::memref::ReinterpretCastOp>()) {
      source = other.getSource();
    }
    if (source != buffer_behind(view)) return std::nullopt;
    const mlir::OpFoldResult offset = cast.getMixedOffsets().front();
    if (const auto number = mlir::getConstantIntValue(offset)) return {{mlir::Value(), *number}};
    auto value = mlir::cast<mlir::Value>(offset);
    if (auto sum = value.getDefiningOp<mlir::arith::AddIOp>()) {
      if (const auto number = mlir::getConstantIntValue(sum.getRhs())) {
        return {{sum.getLhs(), *number}};
      }
    }
    return {{value, 0}};
  };
  const auto from = place(one);
  const auto to = place(other);
  if (!from || !to || from->first != to->first || buffer_behind(one) != buffer_behind(other)) {
    return std::nullopt;
  }
  return to->second - from->second;
}

bool uses(mlir::Operation* op, mlir::Value root) {
  const auto result = op->walk([&](mlir::Operation* inner) {
    const bool found =
        !is_view(inner) && llvm::any_of(inner->getOperands(), [&](mlir::Value value) {
          return mlir::isa<mlir::MemRefType>(value.getType()) && buffer_behind(value) == root;
        });
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool may_write(mlir::Operation* op, mlir::Value root) {
  const auto writes = [&](mlir::Operation* inner) {
    const bool only_looks =
        mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp, mlir::memref::LoadOp,
                  mlir::memref::ExtractStridedMetadataOp>(inner);
    if (only_looks) return false;
    for (mlir::OpOperand& operand : inner->getOpOperands()) {
      if (!mlir::isa<mlir::MemRefType>(operand.get().getType()) ||
          buffer_behind(operand.get()) != root) {
        continue;
      }
      auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(inner);
      auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(inner);
      if (linalg && !linalg.isDpsInit(&operand)) continue;
      if (copy && copy.getTarget() != operand.get()) continue;
      return true;
    }
    return false;
  };
  const auto result = op->walk([&](mlir::Operation* inner) {
    return writes(inner) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool is_repack(mlir::Operation* op) {
  return attribute::unpack.is_on(op) || attribute::pack.is_on(op) || attribute::weave.is_on(op);
}

Sizes strides_of(mlir::Value buffer) {
  Sizes strides;
  std::int64_t ignored = 0;
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  if (mlir::failed(type.getStridesAndOffset(strides, ignored))) strides.clear();
  return strides;
}

bool lies_in_vmem(mlir::Value buffer) {
  const auto type = mlir::dyn_cast<mlir::MemRefType>(buffer.getType());
  const auto space =
      type ? mlir::dyn_cast_or_null<mlir::StringAttr>(type.getMemorySpace()) : mlir::StringAttr();
  return space && space == "vmem";
}

std::optional<std::int64_t> first_lane(const Access& access, std::int64_t lanes) {
  const auto type = mlir::dyn_cast<mlir::MemRefType>(access.buffer.getType());
  Sizes strides;
  std::int64_t first = 0;
  if (!type || !lies_in_vmem(access.buffer) ||
      mlir::failed(type.getStridesAndOffset(strides, first))) {
    return std::nullopt;
  }
  if (mlir::ShapedType::isDynamic(first)) {
    const mlir::OpFoldResult offset = offset_of(access.buffer);
    const auto value = mlir::dyn_cast_or_null<mlir::Value>(offset);
    const auto rest = value ? remainder_of(value, lanes) : mlir::getConstantIntValue(offset);
    if (!rest) return std::nullopt;
    first = *rest;
  }
  return ((first + access.offset) % lanes + lanes) % lanes;
}

bool begins_at_row(const Access& access, std::int64_t lanes) {
  return first_lane(access, lanes) == 0;
}

mlir::Value vmem_buffer(mlir::OpBuilder& builder, mlir::Location loc,
                        llvm::ArrayRef<std::int64_t> sizes, mlir::Type element) {
  const auto type = mlir::MemRefType::get(sizes, element, mlir::MemRefLayoutAttrInterface(),
                                          builder.getStringAttr("vmem"));
  return mlir::memref::AllocOp::create(builder, loc, type);
}

}  // namespace tandem::compiler
