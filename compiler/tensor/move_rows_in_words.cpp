// Rows of small elements that are only moved are moved as the launch's words (row_moves.hpp): a
// gather copies the requested rows, and these are unpacked to elements; an update of a few rows of
// a large tensor leaves the others as they are.
//
// An operation at the edge of a class counts 1,024 elements more, and as often as its loops
// iterate. Each row of a gather is not unpacked in the loop: a permutation costs the same for one
// row as for eight (decision 191).
#include "compiler/tensor/row_moves.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/packed_rows.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace bufferization = mlir::bufferization;
namespace memref = mlir::memref;
namespace tensor = mlir::tensor;
using mlir::RankedTensorType;
using mlir::Value;

RankedTensorType words_type(RankedTensorType type) {
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape.back() = words_of_row(shape.back(), type.getElementType());
  return RankedTensorType::get(shape, mlir::IntegerType::get(type.getContext(), 32));
}

Value room_of(mlir::OpBuilder& builder, mlir::Location loc, RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}

// Offsets and sizes of the last dimension, which are constants, in words of such elements.
template <typename Slice>
void count_words(Slice slice, mlir::Type element) {
  llvm::SmallVector<std::int64_t> offsets(slice.getStaticOffsets());
  llvm::SmallVector<std::int64_t> sizes(slice.getStaticSizes());
  offsets.back() /= parts_of(element);
  sizes.back() = words_of_row(sizes.back(), element);
  slice.setStaticOffsets(offsets);
  slice.setStaticSizes(sizes);
}

class Mover {
 public:
  explicit Mover(mlir::func::FuncOp function) : function_(function), moves_(function) {}

  void run() {
    const auto tensors = moves_.tensors();
    if (tensors.empty()) return;
    // While types and uses are still unchanged.
    find_edges();
    for (const RowMoves::Tensor& own : tensors) {
      note_move(own);
      for (mlir::OpOperand* room : own.rooms) make_room(*room);
    }
    for (const RowMoves::Tensor& own : tensors) {
      own.is_computed ? pack(own) : unpack(own);
    }
    for (const auto& [slice, element] : extracts_) count_words(slice, element);
    for (const auto& [slice, element] : inserts_) count_words(slice, element);
    for (tensor::ExpandShapeOp shape : expansions_) {
      shape.setStaticOutputShape(shape.getResultType().getShape());
    }
    for (mlir::linalg::CopyOp copy : copies_) copy_words(copy);
    for (const auto& [op, edge] : writes_) write(op, edge);
    for (mlir::Operation* op : old_) op->erase();
  }

 private:
  void find_edges() {
    function_.walk([&](bufferization::ToTensorOp read) {
      if (!moves_.in_words(read.getResult())) return;
      if (const auto edge = packed_read(read)) reads_.insert({read, *edge});
    });
    function_.walk([&](bufferization::MaterializeInDestinationOp write) {
      if (!moves_.in_words(write.getSource())) return;
      if (const auto edge = packed_write(write)) writes_.insert({write, *edge});
    });
    function_.walk([&](bufferization::ToBufferOp taken) {
      if (!moves_.in_words(taken.getTensor())) return;
      const auto edge = packed_write(taken);
      if (!edge) return;
      writes_.insert({taken, *edge});
      grows_.insert(edge->argument);
    });
  }

  void note_move(const RowMoves::Tensor& own) {
    if (own.is_computed) return;
    mlir::Operation* op = own.value.getDefiningOp();
    const mlir::Type element = tensor_type_of(own.value).getElementType();
    if (auto slice = mlir::dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
      extracts_.emplace_back(slice, element);
    } else if (auto insert = mlir::dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
      inserts_.emplace_back(insert, element);
    } else if (auto shape = mlir::dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
      expansions_.push_back(shape);
    } else if (auto copy = mlir::dyn_cast_or_null<mlir::linalg::CopyOp>(op)) {
      copies_.push_back(copy);
    }
  }

  static void make_room(mlir::OpOperand& operand) {
    mlir::OpBuilder builder(operand.getOwner());
    operand.set(
        room_of(builder, operand.getOwner()->getLoc(), words_type(tensor_type_of(operand.get()))));
  }

  // Moves of a computed tensor use its words.
  static void pack(const RowMoves::Tensor& own) {
    mlir::OpBuilder builder(own.value.getContext());
    builder.setInsertionPointAfterValue(own.value);
    const mlir::Location loc = own.value.getLoc();
    const RankedTensorType type = words_type(tensor_type_of(own.value));
    const llvm::SmallPtrSet<mlir::OpOperand*, 8> stay(own.reads.begin(), own.reads.end());
    llvm::SmallVector<mlir::OpOperand*> moved;
    for (mlir::OpOperand& use : own.value.getUses()) {
      if (!stay.contains(&use)) moved.push_back(&use);
    }
    if (moved.empty()) return;
    const Value words =
        pack_rows(builder, loc, own.value, room_of(builder, loc, type)).getResult(0);
    for (mlir::OpOperand* use : moved) use->set(words);
  }

  // Computations on a moved tensor use its elements.
  void unpack(const RowMoves::Tensor& own) {
    const RankedTensorType elements = tensor_type_of(own.value);
    const Value words = in_words(own.value);
    if (own.reads.empty()) return;
    mlir::OpBuilder builder(words.getContext());
    builder.setInsertionPointAfterValue(words);
    const mlir::Location loc = words.getLoc();
    const Value loose =
        unpack_rows(builder, loc, words, room_of(builder, loc, elements)).getResult(0);
    for (mlir::OpOperand* use : own.reads) use->set(loose);
  }

  Value in_words(Value value) {
    mlir::Operation* op = value.getDefiningOp();
    if (auto read = mlir::dyn_cast_or_null<bufferization::ToTensorOp>(op)) return words_of(read);
    if (auto fill = mlir::dyn_cast_or_null<mlir::linalg::FillOp>(op)) return words_of(fill);
    value.setType(words_type(tensor_type_of(value)));
    return value;
  }

  Value words_of(bufferization::ToTensorOp read) {
    const EdgeCopy edge = reads_.find(read)->second;
    bind_as_words(function_, edge.argument);
    mlir::OpBuilder builder(read);
    const Value words = bufferization::ToTensorOp::create(
        builder, read.getLoc(), words_type(tensor_type_of(read.getResult())), edge.argument,
        /*restrict=*/true, /*writable=*/grows_.contains(edge.argument));
    read.getResult().replaceAllUsesWith(words);
    old_.append({edge.copy, read, read.getBuffer().getDefiningOp()});
    return words;
  }

  Value words_of(mlir::linalg::FillOp fill) {
    mlir::OpBuilder builder(fill);
    const Value zero =
        mlir::arith::ConstantOp::create(builder, fill.getLoc(), builder.getI32IntegerAttr(0));
    const Value words =
        mlir::linalg::FillOp::create(builder, fill.getLoc(), zero, fill.getOutputs().front())
            .getResult(0);
    fill.getResult(0).replaceAllUsesWith(words);
    old_.push_back(fill);
    return words;
  }

  // A copy has the type of elements in its body, too.
  void copy_words(mlir::linalg::CopyOp copy) {
    mlir::OpBuilder builder(copy);
    const Value words = mlir::linalg::CopyOp::create(builder, copy.getLoc(), copy->getOperand(0),
                                                     copy->getOperand(1))
                            .getResult(0);
    copy->getResult(0).replaceAllUsesWith(words);
    old_.push_back(copy);
  }

  // The end of the path to memory.
  void write(mlir::Operation* op, const EdgeCopy& edge) {
    bind_as_words(function_, edge.argument);
    mlir::OpBuilder builder(op);
    const mlir::Location loc = op->getLoc();
    if (auto last = mlir::dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      bufferization::MaterializeInDestinationOp::create(builder, loc, mlir::Type(),
                                                        last.getSource(), edge.argument,
                                                        /*restrict=*/true, /*writable=*/true);
      old_.append({edge.copy, last, last.getDest().getDefiningOp()});
      return;
    }
    auto taken = mlir::cast<bufferization::ToBufferOp>(op);
    const auto type = mlir::cast<mlir::MemRefType>(edge.argument.getType());
    const Value words = bufferization::ToBufferOp::create(builder, loc, type, taken.getTensor(),
                                                          /*read_only=*/true);
    builder.setInsertionPoint(edge.copy);
    memref::CopyOp::create(builder, loc, words, edge.argument);
    old_.append({edge.copy, taken});
  }

  mlir::func::FuncOp function_;
  RowMoves moves_;
  llvm::MapVector<mlir::Operation*, EdgeCopy> reads_;
  llvm::MapVector<mlir::Operation*, EdgeCopy> writes_;
  llvm::DenseSet<Value> grows_;  // donated arguments that receive the words of a result
  llvm::SmallVector<std::pair<tensor::ExtractSliceOp, mlir::Type>> extracts_;
  llvm::SmallVector<std::pair<tensor::InsertSliceOp, mlir::Type>> inserts_;
  llvm::SmallVector<tensor::ExpandShapeOp> expansions_;
  llvm::SmallVector<mlir::linalg::CopyOp> copies_;
  llvm::SmallVector<mlir::Operation*> old_;
};

}  // namespace

void move_rows_in_words(mlir::func::FuncOp function) { Mover(function).run(); }

}  // namespace tandem::compiler
