#include "compiler/tensor/packed_classes.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::linalg::FillOp;
using mlir::linalg::GenericOp;

// Elements whose parts of words have supported instructions.
int elements_in_word(mlir::Type element) {
  if (element.isBF16()) return 2;
  return element.isInteger(8) ? 4 : 1;
}

int elements_in_word(Value tensor) {
  return elements_in_word(mlir::cast<mlir::RankedTensorType>(tensor.getType()).getElementType());
}

bool is_packed(Value buffer) {
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  const auto space = mlir::dyn_cast_or_null<mlir::StringAttr>(type.getMemorySpace());
  return mlir::isa<mlir::BlockArgument>(buffer) && space && space == "packed" &&
         elements_in_word(type.getElementType()) > 1 && type.getRank() > 0 &&
         type.getShape().back() > 0 &&
         type.getShape().back() % elements_in_word(type.getElementType()) == 0 &&
         type.getNumElements() > 0;
}

// The only copy of the allocation, where its only other user is `other`.
memref::CopyOp only_copy(Value buffer, mlir::Operation* other) {
  if (!buffer.getDefiningOp<memref::AllocOp>()) return {};
  memref::CopyOp copy;
  for (mlir::Operation* user : buffer.getUsers()) {
    if (user == other) continue;
    if (copy || !mlir::isa<memref::CopyOp>(user)) return {};
    copy = mlir::cast<memref::CopyOp>(user);
  }
  return copy;
}

bool is_written(mlir::BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [&](mlir::Operation* user) {
    if (mlir::isa<ToTensorOp, memref::ReinterpretCastOp>(user)) return false;  // as words
    auto copy = mlir::dyn_cast<memref::CopyOp>(user);
    return !copy || copy.getTarget() == argument;
  });
}

bool makes_or_combines(mlir::Operation* op) { return mlir::isa_and_nonnull<GenericOp, FillOp>(op); }

// Several operations may start from the same empty tensor and have nothing else in common.
bool is_room(Value tensor) { return tensor.getDefiningOp<mlir::tensor::EmptyOp>() != nullptr; }

}  // namespace

std::optional<Boundary> packed_source(Value tensor) {
  auto read = tensor.getDefiningOp<ToTensorOp>();
  if (!read) return std::nullopt;
  memref::CopyOp copy = only_copy(read.getBuffer(), read);
  if (!copy || copy.getTarget() != read.getBuffer() || !is_packed(copy.getSource())) {
    return std::nullopt;
  }
  const auto argument = mlir::cast<mlir::BlockArgument>(copy.getSource());
  if (is_written(argument)) return std::nullopt;
  return Boundary{argument, copy};
}

std::optional<Boundary> packed_target(MaterializeInDestinationOp op) {
  memref::CopyOp copy = only_copy(op.getDest(), op);
  if (!copy || copy.getSource() != op.getDest() || !is_packed(copy.getTarget())) {
    return std::nullopt;
  }
  const auto argument = mlir::cast<mlir::BlockArgument>(copy.getTarget());
  const bool is_bf16 = mlir::cast<mlir::MemRefType>(argument.getType()).getElementType().isBF16();
  if (!argument.hasOneUse() || !is_bf16) return std::nullopt;
  return Boundary{argument, copy};
}

Value widened_bytes(mlir::OpOperand& operand) {
  auto widening = operand.get().getDefiningOp<GenericOp>();
  if (!attribute::precision.is_on(operand.getOwner()) || operand.getOperandNumber() != 1 ||
      !widening || widening.getNumDpsInputs() != 1 || widening->getNumResults() != 1) {
    return {};
  }
  mlir::Block* body = widening.getBody();
  auto widened = body->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::SIToFPOp>();
  const bool only_widens = widened && body->getOperations().size() == 2 &&
                           widened.getIn() == body->getArgument(0) &&
                           mlir::isa<mlir::Float32Type, mlir::BFloat16Type>(widened.getType());
  const bool in_place = llvm::all_of(widening.getIndexingMapsArray(),
                                     [](mlir::AffineMap map) { return map.isIdentity(); });
  const Value bytes = widening.getDpsInputs().front();
  return only_widens && in_place && packed_source(bytes) ? bytes : Value();
}

Combination combination_of(GenericOp op) {
  if (op->getNumResults() != 1) return {};
  mlir::Block* body = op.getBody();
  mlir::Operation* last = body->getTerminator()->getOperand(0).getDefiningOp();
  const Value sum = body->getArguments().back();
  if (last == nullptr || last->getBlock() != body || last->getNumOperands() != 2 ||
      !sum.hasOneUse() ||
      !mlir::isa<mlir::arith::AddFOp, mlir::arith::MaximumFOp, mlir::arith::MinimumFOp,
                 mlir::arith::AddIOp, mlir::arith::MaxSIOp, mlir::arith::MinSIOp>(last)) {
    return {};
  }
  if (last->getOperand(0) == sum) return {last, last->getOperand(1)};
  if (last->getOperand(1) == sum) return {last, last->getOperand(0)};
  return {};
}

PackedClasses::PackedClasses(mlir::func::FuncOp function) {
  find_classes(function);
  function.walk([&](GenericOp op) {
    if (pays_to_weave(op)) woven_.insert(op);
  });
  if (woven_.empty()) return;
  nodes_.clear();
  tensors_.clear();
  loops_.clear();
  find_classes(function);
}

void PackedClasses::find_classes(mlir::func::FuncOp function) {
  function.walk([&](mlir::Operation* op) { visit(op); });
  // A refusal by one operation may leave another with fewer classes: these checks only add
  // refusals.
  function.walk([&](GenericOp op) { check(op); });
}

std::size_t PackedClasses::node(Value tensor) {
  const auto [entry, is_new] = tensors_.try_emplace(tensor, nodes_.size());
  if (is_new) {
    nodes_.push_back({nodes_.size()});
    const auto type = mlir::cast<mlir::RankedTensorType>(tensor.getType());
    nodes_.back().bad = !makes_or_combines(tensor.getDefiningOp()) ||
                        woven_.contains(tensor.getDefiningOp()) || !type.hasStaticShape() ||
                        type.getRank() == 0;
  }
  return entry->second;
}

std::size_t PackedClasses::node(GenericOp op, unsigned loop) {
  const auto [entry, is_new] = loops_.try_emplace({op, loop}, nodes_.size());
  if (is_new) nodes_.push_back({nodes_.size()});
  return entry->second;
}

std::size_t PackedClasses::root(std::size_t node) const {
  while (nodes_[node].parent != node) node = nodes_[node].parent;
  return node;
}

void PackedClasses::join(std::size_t a, std::size_t b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  nodes_[b].parent = a;
  nodes_[a].bad = nodes_[a].bad || nodes_[b].bad;
  if (nodes_[b].packed != 0) pack(a, nodes_[b].packed);
}

// The node's class contains words of this many elements: those of one kind.
void PackedClasses::pack(std::size_t node, int parts) {
  Node& top = nodes_[root(node)];
  if (top.packed != 0 && top.packed != parts) top.bad = true;
  top.packed = parts;
}

int PackedClasses::parts(std::size_t node) const {
  const Node& top = nodes_[root(node)];
  return top.packed == 0 || top.bad ? 1 : top.packed;
}

void PackedClasses::refuse(Value tensor) {
  if (mlir::isa<mlir::RankedTensorType>(tensor.getType())) refuse(node(tensor));
}

void PackedClasses::visit_operand(GenericOp op, mlir::OpOperand& operand) {
  const Value tensor = operand.get();
  if (!mlir::isa<mlir::RankedTensorType>(tensor.getType())) return;
  const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() == 0) return;
  const mlir::AffineExpr last = map.getResults().back();
  const bool is_output = op.isDpsInit(&operand);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    // Halves of a written tensor must be halves of its rows, nothing else.
    const bool elsewhere = llvm::any_of(map.getResults().drop_back(),
                                        [&](auto index) { return index.isFunctionOfDim(loop); });
    const bool is_last = last == mlir::getAffineDimExpr(loop, op.getContext());
    if ((is_output && elsewhere) || (elsewhere && is_last) ||
        (!is_last && last.isFunctionOfDim(loop))) {
      refuse(node(op, loop));
    }
    if (!is_last || (is_output && is_woven(op))) continue;
    if (packed_source(tensor)) {
      pack(node(op, loop), elements_in_word(tensor));
    } else if (!is_room(tensor)) {
      join(node(op, loop), node(tensor));
    }
    if (is_output) join(node(op, loop), node(op.getTiedOpResult(&operand)));
  }
  if (!mlir::isa<mlir::AffineDimExpr>(last) && !packed_source(tensor)) {
    refuse(tensor);
    if (is_output) refuse(op.getTiedOpResult(&operand));
  }
}

void PackedClasses::visit(GenericOp op) {
  for (mlir::OpOperand& operand : op->getOpOperands()) visit_operand(op, operand);
  op.getBody()->walk([&](mlir::linalg::IndexOp number) {
    refuse(node(op, static_cast<unsigned>(number.getDim())));
  });
}

void PackedClasses::visit(mlir::Operation* op) {
  if (auto generic = mlir::dyn_cast<GenericOp>(op)) return visit(generic);
  if (mlir::isa<mlir::tensor::EmptyOp>(op)) return;
  if (auto fill = mlir::dyn_cast<FillOp>(op); fill && fill->getNumResults() == 1) {
    if (is_room(fill.getOutputs().front())) return;
    return join(node(fill.getResult(0)), node(fill.getOutputs().front()));
  }
  if (auto write = mlir::dyn_cast<MaterializeInDestinationOp>(op); write && packed_target(write)) {
    return pack(node(write.getSource()), elements_in_word(write.getSource()));
  }
  for (const Value operand : op->getOperands()) {
    if (!packed_source(operand)) refuse(operand);
  }
}

// What the operation allows for the halves of its loops.
void PackedClasses::check(GenericOp op) {
  llvm::SmallVector<unsigned> loops = halved_loops(op);
  if (loops.empty()) return;
  const auto iterators = op.getIteratorTypesArray();
  const auto refuse_all = [&] {
    for (const unsigned loop : loops) refuse(node(op, loop));
  };
  if (!attribute::precision.is_on(op)) {
    // Quarters are more operations than before, and each reads all words.
    const bool in_quarters = parts(op, loops.front()) > 2;
    const auto is_weights = [](mlir::OpOperand& use) { return widened_bytes(use) != nullptr; };
    if (in_quarters && !llvm::all_of(op->getUses(), is_weights)) return refuse_all();
    const bool reduces = iterators[loops.front()] == mlir::utils::IteratorType::reduction;
    if (loops.size() > 1 || (reduces && combination_of(op).last == nullptr)) refuse_all();
    return;
  }
  if (op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      !mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getElementType().isF32()) {
    return refuse_all();
  }
  // The depth is split in halves along one loop (keep_bf16_packed.cpp), and not in quarters, which
  // the unit does not take from words either, where sums are fp32.
  bool has_depth = false;
  for (const unsigned loop : loops) {
    const bool is_depth = iterators[loop] == mlir::utils::IteratorType::reduction;
    const bool in_quarters = parts(op, loop) > 2;
    const bool from_words = packed_source(op.getDpsInputs()[1]).has_value();
    if (in_quarters ? is_depth || from_words : is_depth && has_depth) refuse(node(op, loop));
    has_depth = has_depth || is_depth;
  }
  // Rows of the left operand would be in lanes: the unit takes them from sublanes.
  const mlir::AffineMap left = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  for (const unsigned loop : loops) {
    if (left.isFunctionOfDim(loop) && iterators[loop] == mlir::utils::IteratorType::parallel) {
      refuse(node(op, loop));
    }
  }
}

// Weights for which only the columns of the result prevent packing.
bool PackedClasses::pays_to_weave(GenericOp op) const {
  if (!attribute::precision.is_on(op) || op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      !op.getDpsInits()[0].getDefiningOp<FillOp>()) {
    return false;
  }
  const auto maps = op.getIndexingMapsArray();
  const auto column = mlir::dyn_cast<mlir::AffineDimExpr>(maps[1].getResults().back());
  if (!column || maps[2].getNumResults() == 0 || maps[2].getResults().back() != column ||
      is_halved(op, column.getPosition())) {
    return false;
  }
  // A permutation weaves two registers, and so does unpacking.
  const auto found = loops_.find({op, column.getPosition()});
  const int parts = found == loops_.end() ? 0 : nodes_[root(found->second)].packed;
  // With one column per part both layouts are the same.
  const std::int64_t columns = tensor_type_of(op->getResult(0)).getShape().back();
  if (parts == 0 || columns < std::int64_t{2} * parts) return false;
  const std::int64_t times = parts == 2 ? 1 : 2;
  const auto result = mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  const auto weights = mlir::cast<mlir::RankedTensorType>(op.getDpsInputs()[1].getType());
  return result.hasStaticShape() && weights.hasStaticShape() &&
         times * result.getNumElements() <= weights.getNumElements();
}

int PackedClasses::parts(Value tensor) const {
  const auto found = tensors_.find(tensor);
  return found == tensors_.end() ? 1 : parts(found->second);
}

int PackedClasses::parts(GenericOp op, unsigned loop) const {
  const auto found = loops_.find({op, loop});
  return found == loops_.end() ? 1 : parts(found->second);
}

llvm::SmallVector<unsigned> PackedClasses::halved_loops(GenericOp op) const {
  llvm::SmallVector<unsigned> result;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (is_halved(op, loop)) result.push_back(loop);
  }
  return result;
}

}  // namespace tandem::compiler
