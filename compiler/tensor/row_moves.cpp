#include "compiler/tensor/row_moves.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/packed_rows.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace bufferization = mlir::bufferization;
namespace scf = mlir::scf;
namespace tensor = mlir::tensor;
using mlir::Value;

// The overhead of an operation on elements, in elements: loops around few rows wait for it.
constexpr std::int64_t each_time = 1024;
// Assumed iterations of a loop of unknown length.
constexpr std::int64_t unknown_turns = 64;

bool is_movable(mlir::Type type) {
  const auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return ranked && ranked.hasStaticShape() && ranked.getRank() > 0 && ranked.getNumElements() > 0 &&
         repacks(ranked.getElementType());
}

bool is_room(Value tensor) { return tensor.getDefiningOp<tensor::EmptyOp>() != nullptr; }

bool keeps_last(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                llvm::ArrayRef<std::int64_t> expanded) {
  if (groups.empty()) return false;
  return llvm::all_of(llvm::ArrayRef(groups.back()).drop_back(),
                      [&](std::int64_t dimension) { return expanded[dimension] == 1; });
}

bool moves_rows(tensor::ExtractSliceOp op) {
  const auto rank = static_cast<unsigned>(op.getSourceType().getRank());
  return rank != 0 && !op.getDroppedDims().test(rank - 1) &&
         takes_whole_words(op, op.getSourceType());
}

bool moves_rows(tensor::InsertSliceOp op) {
  const auto rank = static_cast<unsigned>(op.getDestType().getRank());
  return rank != 0 && op.getSourceType().getRank() != 0 && !op.getDroppedDims().test(rank - 1) &&
         takes_whole_words(op, op.getDestType());
}

std::int64_t turns_around(mlir::Operation* op) {
  std::int64_t turns = 1;
  for (mlir::Operation* at = op->getParentOp(); at != nullptr; at = at->getParentOp()) {
    if (auto loop = mlir::dyn_cast<scf::ForOp>(at)) {
      const auto count = loop.getStaticTripCount();
      turns *= count ? std::max<std::int64_t>(1, count->getSExtValue()) : unknown_turns;
    } else if (mlir::isa<scf::WhileOp>(at)) {
      turns *= unknown_turns;
    }
    turns = std::min<std::int64_t>(turns, std::int64_t{1} << 40);
  }
  return turns;
}

bool is_zero_fill(mlir::Operation* op) {
  auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(op);
  if (!fill || fill->getNumResults() != 1) return false;
  const Value scalar = fill.getInputs().front();
  return mlir::matchPattern(scalar, mlir::m_PosZeroFloat()) ||
         mlir::matchPattern(scalar, mlir::m_Zero());
}

bool is_written(mlir::BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [&](mlir::Operation* user) {
    auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(user);
    if (copy) return copy.getTarget() == argument;
    auto cast = mlir::dyn_cast<mlir::UnrealizedConversionCastOp>(user);
    return cast && llvm::any_of(cast->getUsers(), [&](mlir::Operation* next) {
             auto after = mlir::dyn_cast<mlir::memref::CopyOp>(next);
             return after && after.getTarget() == cast.getResult(0);
           });
  });
}

}  // namespace

bool takes_whole_words(mlir::OffsetSizeAndStrideOpInterface slice, mlir::RankedTensorType whole) {
  const std::int64_t parts = parts_of(whole.getElementType());
  const std::int64_t offset = slice.getStaticOffsets().back();
  const std::int64_t size = slice.getStaticSizes().back();
  if (slice.getStaticStrides().back() != 1 || mlir::ShapedType::isDynamic(offset) ||
      mlir::ShapedType::isDynamic(size)) {
    return false;
  }
  return offset % parts == 0 && (size % parts == 0 || offset + size == whole.getShape().back());
}

RowMoves::RowMoves(mlir::func::FuncOp function) {
  function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) { visit(op); });
  count();
}

std::size_t RowMoves::node(Value tensor) {
  const auto [entry, is_new] = numbers_.try_emplace(tensor, nodes_.size());
  if (is_new) {
    nodes_.emplace_back();
    nodes_.back().parent = nodes_.size() - 1;
    nodes_.back().tensor.value = tensor;
  }
  return entry->second;
}

std::size_t RowMoves::root(std::size_t node) const {
  while (nodes_[node].parent != node) node = nodes_[node].parent;
  return node;
}

void RowMoves::join(Value a, Value b) {
  if (!is_movable(a.getType())) return;
  const std::size_t one = root(node(a));
  const std::size_t other = root(node(b));
  if (one == other) return;
  Node& top = nodes_[one];
  Node& below = nodes_[other];
  below.parent = one;
  top.edges += below.edges;
  top.inner += below.inner;
  top.bad = top.bad || below.bad;
  top.sources.append(below.sources);
  top.targets.append(below.targets);
}

void RowMoves::join(mlir::OpOperand& operand, Value tensor) {
  if (!is_movable(tensor.getType())) return;
  if (is_room(operand.get())) {
    nodes_[node(tensor)].tensor.rooms.push_back(&operand);
    return;
  }
  join(tensor, operand.get());
}

void RowMoves::edge(Value tensor) {
  nodes_[root(node(tensor))].edges += tensor_type_of(tensor).getNumElements();
}

void RowMoves::read_and_made(mlir::Operation* op) {
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    if (!is_movable(operand.get().getType()) || is_room(operand.get())) continue;
    nodes_[node(operand.get())].tensor.reads.push_back(&operand);
  }
  for (const Value result : op->getResults()) {
    if (is_movable(result.getType())) nodes_[node(result)].tensor.is_computed = true;
  }
}

void RowMoves::visit_loop(scf::ForOp loop) {
  for (const auto [number, result] : llvm::enumerate(loop.getResults())) {
    if (!is_movable(result.getType())) continue;
    const Value argument = loop.getRegionIterArg(static_cast<unsigned>(number));
    join(loop.getInitsMutable()[number], argument);
    join(argument, result);
    join(loop.getBody()->getTerminator()->getOpOperand(static_cast<unsigned>(number)), argument);
  }
}

void RowMoves::visit_loop(scf::WhileOp loop) {
  for (const auto [number, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    join(loop.getInitsMutable()[number], argument);
    join(loop.getYieldOp()->getOpOperand(static_cast<unsigned>(number)), argument);
  }
  scf::ConditionOp condition = loop.getConditionOp();
  for (const auto [number, result] : llvm::enumerate(loop.getResults())) {
    if (!is_movable(result.getType())) continue;
    join(condition.getArgsMutable()[number], result);
    join(loop.getAfterArguments()[number], result);
  }
}

// Where tensors come from memory or are written to it.
void RowMoves::visit_edge(mlir::Operation* op) {
  if (auto read = mlir::dyn_cast<bufferization::ToTensorOp>(op)) {
    const auto copy = is_movable(read.getType()) ? packed_read(read) : std::nullopt;
    if (!copy) return read_and_made(op);
    if (is_written(copy->argument)) nodes_[root(node(read))].sources.push_back(copy->argument);
    return edge(read);
  }
  if (auto write = mlir::dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    const bool is_edge = is_movable(write.getSource().getType()) && !is_room(write.getSource());
    return is_edge && packed_write(write) ? edge(write.getSource()) : read_and_made(op);
  }
  auto taken = mlir::cast<bufferization::ToBufferOp>(op);
  const bool is_edge = is_movable(taken.getTensor().getType()) && !is_room(taken.getTensor());
  const auto copy = is_edge ? packed_write(taken) : std::nullopt;
  if (!copy) return read_and_made(op);
  nodes_[root(node(taken.getTensor()))].targets.push_back(copy->argument);
  edge(taken.getTensor());
}

void RowMoves::visit(mlir::Operation* op) {
  llvm::TypeSwitch<mlir::Operation*>(op)
      .Case<bufferization::ToTensorOp, bufferization::MaterializeInDestinationOp,
            bufferization::ToBufferOp>([&](auto edge_op) { visit_edge(edge_op); })
      .Case([&](tensor::ExtractSliceOp slice) {
        if (!moves_rows(slice)) return read_and_made(op);
        join(slice.getSourceMutable(), slice.getResult());
      })
      .Case([&](tensor::InsertSliceOp slice) {
        if (!moves_rows(slice)) return read_and_made(op);
        join(slice.getSourceMutable(), slice.getResult());
        join(slice.getDestMutable(), slice.getResult());
      })
      .Case([&](tensor::CollapseShapeOp shape) {
        if (!keeps_last(shape.getReassociationIndices(), shape.getSrcType().getShape())) {
          return read_and_made(op);
        }
        join(shape.getSrcMutable(), shape.getResult());
      })
      .Case([&](tensor::ExpandShapeOp shape) {
        if (!keeps_last(shape.getReassociationIndices(), shape.getResultType().getShape())) {
          return read_and_made(op);
        }
        join(shape.getSrcMutable(), shape.getResult());
      })
      .Case([&](mlir::linalg::CopyOp copy) {
        if (copy->getNumResults() != 1) return read_and_made(op);
        join(op->getOpOperand(0), copy->getResult(0));
        join(op->getOpOperand(1), copy->getResult(0));
      })
      .Case<scf::ForOp, scf::WhileOp>([&](auto loop) { visit_loop(loop); })
      .Case([&](scf::YieldOp yield) {
        if (!mlir::isa<scf::ForOp, scf::WhileOp>(yield->getParentOp())) read_and_made(op);
      })
      .Case<scf::ConditionOp, tensor::EmptyOp>([](auto) {})
      .Default([&](mlir::Operation*) {
        if (is_zero_fill(op) && is_room(op->getOperand(1))) {
          return join(op->getOpOperand(1), op->getResult(0));
        }
        read_and_made(op);
      });
}

// The cost in words, and tensors that cannot be words.
void RowMoves::count() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Tensor& own = nodes_[i].tensor;
    Node& top = nodes_[root(i)];
    if (!own.is_computed && own.reads.empty()) continue;
    mlir::Operation* op = own.value.getDefiningOp();
    if (op == nullptr) op = &Value(own.value).getParentBlock()->front();
    const std::int64_t size = tensor_type_of(own.value).getNumElements();
    top.inner += turns_around(op) * (size + each_time);
    const mlir::RankedTensorType type = tensor_type_of(own.value);
    const std::int64_t columns = type.getShape().back();
    const bool fills_words = columns % parts_of(type.getElementType()) == 0;
    if (own.is_computed && !fills_words) top.bad = true;
    if (!repacks_rows(type.getElementType(), columns)) top.bad = true;
  }
  // It would go unnoticed that one donated argument's new value is in another one's memory.
  for (Node& top : nodes_) {
    for (const mlir::BlockArgument source : top.sources) {
      for (const mlir::BlockArgument target : top.targets) {
        top.bad = top.bad || source != target;
      }
    }
  }
}

bool RowMoves::in_words(Value tensor) const {
  const auto found = numbers_.find(tensor);
  if (found == numbers_.end()) return false;
  const Node& top = nodes_[root(found->second)];
  return !top.bad && top.inner < top.edges;
}

llvm::SmallVector<RowMoves::Tensor> RowMoves::tensors() const {
  llvm::SmallVector<Tensor> result;
  for (const Node& node : nodes_) {
    if (in_words(node.tensor.value)) result.push_back(node.tensor);
  }
  return result;
}

}  // namespace tandem::compiler
