// Unpacking of bf16: rows of words become rows of twice as many elements, a word each. Packing is
// the way back.
//
// In VMEM both sides lie in rows that begin at rows of VMEM; what does not is brought there, or
// taken away, by copies of whole rows. A strided copy would move a word a cycle.
#include "compiler/contract/attributes.hpp"
#include "compiler/tiled/kernel.hpp"
#include "compiler/views/machine_costs.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

// One side: rows of a buffer, `stride` elements from one to the next.
struct Side {
  Value buffer;
  Sizes strides;             // of all dimensions
  std::int64_t columns = 0;  // of a row
  std::int64_t pitch = 0;    // of its tile, in elements
  bool in_place = false;
};

class Repacker {
 public:
  Repacker(mlir::linalg::LinalgOp op, const Parameters& machine) : op_(op), machine_(machine) {}

  mlir::LogicalResult run();

 private:
  mlir::LogicalResult read(Value buffer, Side& side);
  void find_rows();
  [[nodiscard]] std::int64_t row_stride(const Side& side) const {
    const std::size_t rank = side.strides.size();
    return rank == 1 ? machine_.lanes : side.strides[rank - 2];
  }
  [[nodiscard]] Value view(mlir::OpBuilder& builder, const Side& side, OpFoldResult offset,
                           std::int64_t rows) const {
    return strided_view(builder, loc_, side.buffer, offset, {rows, side.columns},
                        {row_stride(side), 1});
  }
  void around(mlir::OpBuilder& builder, std::size_t depth, OpFoldResult from, OpFoldResult to);
  void block(mlir::OpBuilder& builder, OpFoldResult from, OpFoldResult to, std::int64_t rows);
  void compute(mlir::OpBuilder& builder, Value from, Value to);

  mlir::linalg::LinalgOp op_;
  const Parameters& machine_;
  mlir::Location loc_ = op_.getLoc();
  Sizes shape_;
  Side source_;
  Side target_;
  std::size_t outer_ = 0;  // dimensions that are loops around the rows
  std::int64_t rows_ = 1;
  std::int64_t step_ = 1;
  Value source_room_;
  Value target_room_;
};

mlir::LogicalResult Repacker::read(Value buffer, Side& side) {
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  std::int64_t offset = 0;
  side.buffer = buffer;
  side.columns = type.getShape().back();
  if (mlir::failed(type.getStridesAndOffset(side.strides, offset)) || side.strides.back() != 1) {
    return op_->emitError("internal: packing or unpacking between rows that are not dense");
  }
  const std::int64_t lanes = machine_.lanes;
  side.pitch = ((side.columns + lanes - 1) / lanes | 1) * lanes;
  const Access access{buffer, 0, {}};
  side.in_place = begins_at_row(access, lanes) && row_stride(side) <= stride_reach * lanes &&
                  llvm::all_of(llvm::ArrayRef(side.strides).drop_back(),
                               [&](std::int64_t stride) { return stride % lanes == 0; });
  return mlir::success();
}

// The innermost dimensions whose rows lie evenly on both sides.
void Repacker::find_rows() {
  std::size_t first = shape_.size() - 1;
  while (first > 0) {
    const bool even = first == shape_.size() - 1 ||
                      llvm::all_of(std::array{&source_, &target_}, [&](const Side* side) {
                        return side->strides[first - 1] == side->strides[first] * shape_[first];
                      });
    if (!even) break;
    rows_ *= shape_[--first];
  }
  outer_ = first;
}

// The operation on a tile; its body says the same of two loops as of all.
void Repacker::compute(mlir::OpBuilder& builder, Value from, Value to) {
  llvm::SmallVector<Value> inputs(op_.getNumDpsInputs(), from);
  llvm::SmallVector<mlir::AffineMap> maps;
  const auto rank = static_cast<unsigned>(shape_.size());
  const mlir::AffineMap own = builder.getMultiDimIdentityMap(2);
  for (const mlir::AffineMap map : op_.getIndexingMapsArray()) {
    llvm::SmallVector<mlir::AffineExpr> results(own.getResults());
    results[1] = map.getResults().back().replace(mlir::getAffineDimExpr(rank - 1, map.getContext()),
                                                 own.getResult(1));
    maps.push_back(mlir::AffineMap::get(2, 0, results, builder.getContext()));
  }
  auto op = mlir::linalg::GenericOp::create(
      builder, loc_, inputs, to, maps,
      {mlir::utils::IteratorType::parallel, mlir::utils::IteratorType::parallel},
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        mlir::IRMapping map;
        map.map(op_.getBlock()->getArguments(), arguments);
        for (mlir::Operation& inner : *op_.getBlock()) {
          mlir::Operation* clone = nested.clone(inner, map);
          if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(clone)) number.setDim(1);
        }
      });
  attribute::pack.copy(op_, op);
  attribute::unpack.copy(op_, op);
}

void Repacker::block(mlir::OpBuilder& builder, OpFoldResult from, OpFoldResult to,
                     std::int64_t rows) {
  const auto tile = [&](const Side& side, Value room) {
    return strided_view(builder, loc_, room, builder.getIndexAttr(0), {rows, side.columns},
                        {side.pitch, 1});
  };
  Value near_source = view(builder, source_, from, rows);
  const Value far_target = view(builder, target_, to, rows);
  if (!source_.in_place) {
    const Value room = tile(source_, source_room_);
    mlir::memref::CopyOp::create(builder, loc_, near_source, room);
    near_source = room;
  }
  if (target_.in_place) return compute(builder, near_source, far_target);
  const Value room = tile(target_, target_room_);
  compute(builder, near_source, room);
  mlir::memref::CopyOp::create(builder, loc_, room, far_target);
}

void Repacker::around(mlir::OpBuilder& builder, std::size_t depth, OpFoldResult from,
                      OpFoldResult to) {
  const bool is_rows = depth == outer_;
  const std::int64_t source_step = is_rows ? row_stride(source_) : source_.strides[depth];
  const std::int64_t target_step = is_rows ? row_stride(target_) : target_.strides[depth];
  in_steps(builder, loc_, is_rows ? rows_ : shape_[depth], is_rows ? step_ : 1,
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
             const OpFoldResult at_source =
                 add(nested, loc_, from, times(nested, loc_, start, source_step));
             const OpFoldResult at_target =
                 add(nested, loc_, to, times(nested, loc_, start, target_step));
             if (is_rows) return block(nested, at_source, at_target, count);
             around(nested, depth + 1, at_source, at_target);
           });
}

mlir::LogicalResult Repacker::run() {
  if (mlir::failed(read(op_->getOperand(0), source_)) ||
      mlir::failed(read(op_.getDpsInits().front(), target_))) {
    return mlir::failure();
  }
  shape_ = Sizes(mlir::cast<mlir::MemRefType>(target_.buffer.getType()).getShape());
  find_rows();
  mlir::OpBuilder builder(op_);
  const std::int64_t words =
      (source_.in_place ? 0 : source_.pitch) + (target_.in_place ? 0 : target_.pitch);
  const std::int64_t most = words == 0 ? rows_ : machine_.vmem_words() / (2 * words);
  step_ = std::max<std::int64_t>(1, std::min(rows_, most));
  if (step_ < rows_ && step_ > sublanes) step_ = step_ / sublanes * sublanes;
  const auto room = [&](const Side& side) {
    const auto type = mlir::cast<mlir::MemRefType>(side.buffer.getType());
    return vmem_buffer(builder, loc_, {step_, side.pitch}, type.getElementType());
  };
  if (!source_.in_place) source_room_ = room(source_);
  if (!target_.in_place) target_room_ = room(target_);
  around(builder, 0, builder.getIndexAttr(0), builder.getIndexAttr(0));
  op_->erase();
  return mlir::success();
}

}  // namespace

mlir::LogicalResult tile_repack(mlir::linalg::LinalgOp op, const Parameters& machine) {
  return Repacker(op, machine).run();
}

}  // namespace tandem::compiler
