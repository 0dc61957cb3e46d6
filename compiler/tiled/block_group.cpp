#include "compiler/tiled/block_group.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::blocks {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::OpFoldResult;
using mlir::Value;
using mlir::linalg::LinalgOp;

namespace {

int first_dimension(Value buffer) {
  for (const auto [index, size] : llvm::enumerate(type_of(buffer).getShape())) {
    if (size != 1) return static_cast<int>(index);
  }
  return -1;
}

// Whether it is in VMEM during the whole of a Pallas kernel.
bool is_window(Value view) {
  mlir::Operation* made = buffer_behind(view).getDefiningOp();
  return made != nullptr && attribute::window.is_on(made);
}

}  // namespace

// The loop over the group's dimension: that of a buffer that the group knows, else the outermost of
// the output.
bool Group::find_loop(LinalgOp op, unsigned& loop) const {
  const auto loop_at = [&](mlir::OpOperand& operand, int dimension) {
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    if (dimension < 0) return false;
    const auto expression =
        mlir::dyn_cast<mlir::AffineDimExpr>(map.getResult(static_cast<unsigned>(dimension)));
    if (!expression) return false;
    loop = expression.getPosition();
    return true;
  };
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto* known = buffers_.find(operand.get());
    if (known == buffers_.end() || known->second.dimension < 0) continue;
    return loop_at(operand, known->second.dimension);
  }
  mlir::OpOperand& output = op.getDpsInitsMutable()[0];
  return loop_at(output, first_dimension(output.get()));
}

bool Group::add(LinalgOp op) {
  unsigned loop = 0;
  if (op.getNumDpsInits() == 0 || op->getNumResults() != 0 || !find_loop(op, loop)) return false;
  const std::int64_t size = op.getStaticLoopRanges()[loop];
  if (mlir::ShapedType::isDynamic(size) || size < 2 || (size_ != 0 && size != size_) ||
      op.getIteratorTypesArray()[loop] != mlir::utils::IteratorType::parallel) {
    return false;
  }
  llvm::MapVector<Value, Buffer> changed = buffers_;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto type = mlir::dyn_cast<MemRefType>(operand.get().getType());
    if (!type) continue;
    if (!type.hasStaticShape() || type.getMemorySpace() || is_window(operand.get())) return false;
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    int dimension = -1;
    for (const auto [index, expression] : llvm::enumerate(map.getResults())) {
      if (!expression.isFunctionOfDim(loop)) continue;
      if (dimension >= 0 || !mlir::isa<mlir::AffineDimExpr>(expression)) return false;
      dimension = static_cast<int>(index);
    }
    const bool is_output = op.isDpsInit(&operand);
    const bool is_new = !changed.contains(operand.get());
    Buffer& buffer = changed[operand.get()];
    if (is_output && dimension < 0) return false;
    if (!is_new && buffer.dimension != dimension) return false;
    buffer.dimension = dimension;
    const bool reads = !is_output || op.payloadUsesValueFromOperand(&operand);
    buffer.read_first = buffer.read_first || (reads && !buffer.written);
    buffer.written = buffer.written || is_output;
  }
  // With two views of one buffer, a write through one and a read through the other may go
  // unnoticed.
  llvm::DenseMap<Value, Value> roots;
  for (const auto& [view, buffer] : changed) {
    const auto [entry, is_new] = roots.try_emplace(buffer_behind(view), view);
    if (!is_new && (buffer.written || changed[entry->second].written)) return false;
  }
  buffers_ = std::move(changed);
  ops_.push_back(op);
  loops_[op] = loop;
  size_ = size;
  return true;
}

bool Group::has_inner_dimension() const {
  return llvm::any_of(buffers_, [](const auto& entry) {
    const auto& [view, buffer] = entry;
    const auto shape = type_of(view).getShape();
    return buffer.written && llvm::count_if(shape, [](std::int64_t n) { return n != 1; }) > 2;
  });
}

void Group::find_private() {
  for (auto& [view, buffer] : buffers_) {
    buffer.is_private = view.getDefiningOp<memref::AllocOp>() && !buffer.read_first &&
                        buffer.written && llvm::all_of(view.getUsers(), [&](mlir::Operation* user) {
                          return llvm::is_contained(ops_, mlir::dyn_cast<LinalgOp>(user));
                        });
  }
}

bool Group::is_alone_with(Value view) const {
  const auto argument = mlir::dyn_cast<mlir::BlockArgument>(view);
  if (!argument || !mlir::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) return false;
  const Buffer& buffer = buffers_.find(view)->second;
  return !(buffer.read_first && buffer.written) &&
         llvm::all_of(view.getUsers(), [&](mlir::Operation* user) {
           auto op = mlir::dyn_cast<LinalgOp>(user);
           return op && llvm::is_contained(ops_, op);
         });
}

bool Group::contracts() const {
  return llvm::any_of(ops_, [](LinalgOp op) { return attribute::precision.is_on(op); });
}

Value block_view(mlir::OpBuilder& builder, Value buffer, int dimension, OpFoldResult start,
                 std::int64_t step) {
  const MemRefType type = type_of(buffer);
  llvm::SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  auto sizes = mlir::getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  const llvm::SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  offsets[static_cast<unsigned>(dimension)] = start;
  sizes[static_cast<unsigned>(dimension)] = builder.getIndexAttr(step);
  return memref::SubViewOp::create(builder, buffer.getLoc(), buffer, offsets, sizes, strides);
}

MemRefType with_size(MemRefType type, int dimension, std::int64_t size) {
  Sizes shape(type.getShape());
  if (dimension >= 0) shape[static_cast<unsigned>(dimension)] = size;
  return MemRefType::get(shape, type.getElementType());
}

mlir::Operation* clone_on_block(mlir::OpBuilder& builder, LinalgOp op, unsigned loop,
                                mlir::IRMapping& map, Value start) {
  mlir::Operation* clone = builder.clone(*op, map);
  llvm::SmallVector<mlir::linalg::IndexOp> numbers;
  clone->walk([&](mlir::linalg::IndexOp number) {
    if (number.getDim() == loop) numbers.push_back(number);
  });
  for (mlir::linalg::IndexOp number : numbers) {
    mlir::OpBuilder inner(number->getContext());
    inner.setInsertionPointAfter(number);
    const Value sum = mlir::arith::AddIOp::create(inner, op.getLoc(), number.getResult(), start);
    number.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
  }
  return clone;
}

void compute_block(mlir::OpBuilder& builder, const Group& group, Rooms rooms, Value start,
                   std::int64_t step) {
  for (const auto& [view, buffer] : group.buffers()) {
    if (!buffer.is_private || rooms.contains(view)) continue;
    auto room = memref::AllocOp::create(builder, view.getLoc(),
                                        with_size(type_of(view), buffer.dimension, step));
    attribute::block.set(room);
    rooms[view] = room;
  }
  for (LinalgOp op : group.ops()) {
    mlir::IRMapping map;
    for (const Value operand : op->getOperands()) {
      if (const Value room = rooms.lookup(operand)) map.map(operand, room);
    }
    clone_on_block(builder, op, group.loop_of(op), map, start);
  }
}

}  // namespace tandem::compiler::blocks
