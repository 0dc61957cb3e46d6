// Unpacking of bf16: rows of words become rows of twice as many elements, a word each. Packing is
// the inverse. Weaving interleaves two rows, of the even and of the odd elements.
//
// In VMEM both sides have rows that begin at rows of VMEM; other buffers are brought there, or
// taken away, by copies of whole rows. A strided copy would move one word per cycle.
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
  Value room;  // of a tile, where it is not
};

class Repacker {
 public:
  Repacker(mlir::linalg::LinalgOp op, const Parameters& machine) : op_(op), machine_(machine) {}

  mlir::LogicalResult run();

 private:
  mlir::LogicalResult read(Value buffer, Side& side);
  mlir::LogicalResult read_all();
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
  // The start of a row of each source and of the target.
  using Places = llvm::SmallVector<OpFoldResult>;
  void around(mlir::OpBuilder& builder, std::size_t depth, const Places& at);
  void block(mlir::OpBuilder& builder, const Places& at, std::int64_t rows);
  void compute(mlir::OpBuilder& builder, mlir::ValueRange from, Value to);

  mlir::linalg::LinalgOp op_;
  const Parameters& machine_;
  mlir::Location loc_ = op_.getLoc();
  Sizes shape_;
  llvm::SmallVector<Side> sides_;  // the sources, and the target
  std::size_t outer_ = 0;          // dimensions that are loops around the rows
  std::int64_t rows_ = 1;
  std::int64_t step_ = 1;
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

// The operands are one source, repeated for the parts of its rows, or two.
mlir::LogicalResult Repacker::read_all() {
  llvm::SmallVector<Value> buffers{op_->getOperand(0)};
  if (attribute::weave.is_on(op_)) buffers.push_back(op_->getOperand(1));
  buffers.push_back(op_.getDpsInits().front());
  for (const Value buffer : buffers) {
    if (mlir::failed(read(buffer, sides_.emplace_back()))) return mlir::failure();
  }
  // Both halves of an interleaved row are stepped through in the same way.
  if (sides_.size() == 3) {
    const bool together =
        sides_[0].in_place && sides_[1].in_place && row_stride(sides_[0]) == row_stride(sides_[1]);
    sides_[0].in_place = sides_[1].in_place = together;
  }
  return mlir::success();
}

// The innermost dimensions whose rows are evenly spaced on all sides.
void Repacker::find_rows() {
  std::size_t first = shape_.size() - 1;
  while (first > 0) {
    const bool even = first == shape_.size() - 1 || llvm::all_of(sides_, [&](const Side& side) {
                        return side.strides[first - 1] == side.strides[first] * shape_[first];
                      });
    if (!even) break;
    rows_ *= shape_[--first];
  }
  outer_ = first;
}

// The operation on a tile; its body is the same for two loops as for all.
void Repacker::compute(mlir::OpBuilder& builder, mlir::ValueRange from, Value to) {
  llvm::SmallVector<Value> inputs(from);
  inputs.resize(op_.getNumDpsInputs(), from.front());
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
  attribute::weave.copy(op_, op);
}

void Repacker::block(mlir::OpBuilder& builder, const Places& at, std::int64_t rows) {
  const auto tile = [&](const Side& side) {
    return strided_view(builder, loc_, side.room, builder.getIndexAttr(0), {rows, side.columns},
                        {side.pitch, 1});
  };
  llvm::SmallVector<Value> near;
  for (const auto [side, place] : llvm::zip(llvm::ArrayRef(sides_).drop_back(), at)) {
    near.push_back(view(builder, side, place, rows));
    if (side.in_place) continue;
    const Value room = tile(side);
    mlir::memref::CopyOp::create(builder, loc_, near.back(), room);
    near.back() = room;
  }
  const Side& target = sides_.back();
  const Value far = view(builder, target, at.back(), rows);
  if (target.in_place) return compute(builder, near, far);
  const Value room = tile(target);
  compute(builder, near, room);
  mlir::memref::CopyOp::create(builder, loc_, room, far);
}

void Repacker::around(mlir::OpBuilder& builder, std::size_t depth, const Places& at) {
  const bool is_rows = depth == outer_;
  in_steps(builder, loc_, is_rows ? rows_ : shape_[depth], is_rows ? step_ : 1,
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
             Places here;
             for (const auto [side, place] : llvm::zip(sides_, at)) {
               const std::int64_t step = is_rows ? row_stride(side) : side.strides[depth];
               here.push_back(add(nested, loc_, place, times(nested, loc_, start, step)));
             }
             if (is_rows) return block(nested, here, count);
             around(nested, depth + 1, here);
           });
}

mlir::LogicalResult Repacker::run() {
  if (mlir::failed(read_all())) return mlir::failure();
  shape_ = Sizes(mlir::cast<mlir::MemRefType>(sides_.back().buffer.getType()).getShape());
  find_rows();
  mlir::OpBuilder builder(op_);
  std::int64_t words = 0;
  for (const Side& side : sides_) words += side.in_place ? 0 : side.pitch;
  const std::int64_t most = words == 0 ? rows_ : machine_.vmem_words() / (2 * words);
  step_ = std::max<std::int64_t>(1, std::min(rows_, most));
  if (step_ < rows_ && step_ > sublanes) step_ = step_ / sublanes * sublanes;
  for (Side& side : sides_) {
    if (side.in_place) continue;
    const auto type = mlir::cast<mlir::MemRefType>(side.buffer.getType());
    side.room = vmem_buffer(builder, loc_, {step_, side.pitch}, type.getElementType());
  }
  around(builder, 0, Places(sides_.size(), builder.getIndexAttr(0)));
  op_->erase();
  return mlir::success();
}

}  // namespace

mlir::LogicalResult tile_repack(mlir::linalg::LinalgOp op, const Parameters& machine) {
  return Repacker(op, machine).run();
}

}  // namespace tandem::compiler
