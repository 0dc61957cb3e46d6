#include "compiler/tensor/attention/chain.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::online {

using mlir::Value;
using mlir::linalg::LinalgOp;
namespace arith = mlir::arith;

namespace {

constexpr int unknown = -2;

bool is_plain(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 || op.getNumDpsInits() != 1) {
    return false;
  }
  if (mlir::isa<mlir::linalg::FillOp>(op.getOperation())) return false;
  return llvm::all_of(op.getIndexingMapsArray(), [](mlir::AffineMap map) {
    return llvm::all_of(map.getResults(), [](mlir::AffineExpr index) {
      return mlir::isa<mlir::AffineDimExpr, mlir::AffineConstantExpr>(index);
    });
  });
}

bool is_elementwise(LinalgOp op) {
  return is_plain(op) && op.getNumParallelLoops() == op.getNumLoops();
}

// Copies the labels of an operand's dimensions; false where a loop already has another one.
bool label_loops(Labels& loops, mlir::AffineMap map, const Labels& labels) {
  for (const auto [index, label] : llvm::zip(map.getResults(), labels)) {
    const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(index);
    if (!loop) {
      if (label != any) return false;
      continue;
    }
    int& known = loops[loop.getPosition()];
    if (known != unknown && known != label) return false;
    known = label;
  }
  return true;
}

void finish(Labels& loops) {
  for (int& label : loops) label = label == unknown ? any : label;
}

Labels labels_by(mlir::AffineMap map, const Labels& loops) {
  Labels labels;
  for (const mlir::AffineExpr index : map.getResults()) {
    const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(index);
    labels.push_back(loop ? loops[loop.getPosition()] : any);
  }
  return labels;
}

Labels result_labels(LinalgOp op, const Labels& loops) {
  return labels_by(op.getMatchingIndexingMap(op.getDpsInitOperand(0)), loops);
}

bool has_all_rows(const Labels& labels, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (llvm::count(labels, static_cast<int>(row)) != 1) return false;
  }
  return true;
}

// Whether a sum starts from a filling with a number, or from a value that is not read.
bool begins_with_number(LinalgOp op) {
  mlir::OpOperand* init = op.getDpsInitOperand(0);
  if (!op.payloadUsesValueFromOperand(init)) return true;
  return init->get().getDefiningOp<mlir::linalg::FillOp>() != nullptr;
}

}  // namespace

Labels Chain::labels_of(const Step& step, mlir::OpOperand& operand) {
  LinalgOp op = step.op;
  return labels_by(op.getMatchingIndexingMap(&operand), step.loops);
}

bool Chain::is_by_row(const Step& step, mlir::OpOperand& operand) {
  const auto type = mlir::dyn_cast<mlir::RankedTensorType>(operand.get().getType());
  return type && llvm::all_of(llvm::zip(labels_of(step, operand), type.getShape()),
                              [](const auto& dimension) {
                                const auto& [label, extent] = dimension;
                                return label != keys && (label != any || extent == 1);
                              });
}

const Step* Chain::maximum() const {
  if (exponentials_.empty()) return nullptr;
  const Exponential& first = exponentials_.front();
  const auto* const step =
      llvm::find_if(steps_, [&](const Step& other) { return other.result() == first.result; });
  const auto minuend = mlir::dyn_cast<mlir::BlockArgument>(first.minuend);
  if (!minuend) return nullptr;
  mlir::OpOperand& operand = step->linalg()->getOpOperand(minuend.getArgNumber());
  for (const Step& sink : steps_) {
    if (sink.kind != Kind::sink || sink.inputs().size() != 1) continue;
    mlir::OpOperand& input = *sink.inputs().front();
    mlir::Block& body = sink.linalg()->getRegion(0).front();
    auto max = body.getTerminator()->getOperand(0).getDefiningOp<arith::MaximumFOp>();
    if (max && body.getOperations().size() == 2 && input.get() == operand.get() &&
        labels_of(sink, input) == labels_of(*step, operand)) {
      return &sink;
    }
  }
  return nullptr;
}

Step* Chain::step_of(Value value) {
  auto* const found =
      llvm::find_if(steps_, [&](const Step& step) { return step.op->getResult(0) == value; });
  return found == steps_.end() ? nullptr : found;
}

void Chain::sort_steps() {
  llvm::sort(steps_, [](const Step& a, const Step& b) { return a.op->isBeforeInBlock(b.op); });
}

// The labels of the operand that the contraction sums over.
bool Chain::start(LinalgOp contraction, mlir::OpOperand& operand) {
  const mlir::AffineMap map = contraction.getMatchingIndexingMap(&operand);
  const auto kinds = contraction.getIteratorTypesArray();
  const auto shape = mlir::cast<mlir::RankedTensorType>(operand.get().getType()).getShape();
  Labels labels(shape.size(), any);
  int key_dimension = -1;
  for (const auto [dimension, index] : llvm::enumerate(map.getResults())) {
    const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(index);
    if (!loop) continue;
    if (kinds[loop.getPosition()] == mlir::utils::IteratorType::parallel) {
      labels[dimension] = static_cast<int>(rows_.size());
      rows_.push_back(shape[dimension]);
    } else if (key_dimension < 0 || shape[dimension] > key_count_) {
      key_dimension = static_cast<int>(dimension);
      key_count_ = shape[dimension];
    }
  }
  if (key_dimension < 0 || rows_.empty()) return false;
  labels[static_cast<unsigned>(key_dimension)] = keys;
  for (const auto [row, extent] : llvm::enumerate(rows_)) {
    if (extent >= rows_[static_cast<std::size_t>(main_row_)]) main_row_ = static_cast<int>(row);
  }
  find_wide(operand.get(), labels);
  return has(operand.get());
}

// All wide operations from which the value is computed.
void Chain::find_wide(Value value, const Labels& labels) {
  auto op = value.getDefiningOp<LinalgOp>();
  if (!op || has(value) || !is_plain(op) || !begins_with_number(op)) return;
  Step step(op, Kind::wide);
  step.loops.assign(op.getNumLoops(), unknown);
  if (!label_loops(step.loops, op.getMatchingIndexingMap(op.getDpsInitOperand(0)), labels)) {
    return;
  }
  finish(step.loops);
  labels_[value] = labels;
  steps_.push_back(step);
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const Labels of_input = labels_of(step, *input);
    if (llvm::is_contained(of_input, keys) && llvm::is_contained(of_input, main_row_)) {
      find_wide(input->get(), of_input);
    }
  }
}

bool Chain::find_sinks() {
  llvm::SmallVector<Step> found;
  for (const Step& step : steps_) {
    for (mlir::OpOperand& use : step.op->getResult(0).getUses()) {
      auto op = mlir::dyn_cast<LinalgOp>(use.getOwner());
      if (!op || has(op->getResult(0)) || op->getBlock() != step.op->getBlock() || !is_plain(op) ||
          op.isDpsInit(&use) || !begins_with_number(op)) {
        continue;
      }
      Step sink(op, Kind::sink);
      sink.loops.assign(op.getNumLoops(), unknown);
      if (!label_loops(sink.loops, op.getMatchingIndexingMap(&use),
                       labels_of(step.op->getResult(0)))) {
        continue;
      }
      finish(sink.loops);
      const Labels made = result_labels(op, sink.loops);
      if (llvm::is_contained(made, keys) || !has_all_rows(made, rows_.size())) continue;
      labels_[op->getResult(0)] = made;
      found.push_back(sink);
    }
  }
  // A sink reads all values of the chain by the same labels.
  for (const Step& sink : found) {
    LinalgOp op = sink.op;
    for (mlir::OpOperand* input : op.getDpsInputOperands()) {
      if (has(input->get()) && labels_of(sink, *input) != labels_of(input->get())) return false;
    }
    steps_.push_back(sink);
  }
  return !found.empty();
}

// Keeps the wide operations that are not read outside, and that are read by their labels.
bool Chain::keep_closed() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const Value made = step.op->getResult(0);
      const auto reads = [&](mlir::OpOperand& use) {
        auto reader = mlir::dyn_cast<LinalgOp>(use.getOwner());
        if (!reader || reader.isDpsInit(&use) || !has(reader->getResult(0))) return false;
        return labels_of(*step_of(reader->getResult(0)), use) == labels_of(made);
      };
      const bool stays = step.kind == Kind::wide ? llvm::all_of(made.getUses(), reads)
                                                 : llvm::any_of(step.op->getOperands(),
                                                                [&](Value v) { return has(v); });
      if (stays) continue;
      labels_.erase(made);
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
      changed = true;
      break;
    }
  }
  return llvm::any_of(steps_, [](const Step& step) {
    return step.kind == Kind::wide && attribute::precision.is_on(step.op);
  });
}

// Whether anything of the chain is needed for the value.
bool Chain::depends(Value value) {
  if (has(value)) return true;
  const auto [known, is_new] = depends_.try_emplace(value, false);
  if (!is_new) return known->second;
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr || op->getBlock() != steps_.front().op->getBlock()) return false;
  bool found = false;
  op->walk([&](mlir::Operation* part) {
    for (const Value operand : part->getOperands()) found = found || depends(operand);
  });
  return depends_[value] = found;
}

// Adds the value, which depends on sinks, to the chain.
bool Chain::add_narrow(Value value, const Labels& labels) {
  if (has(value)) return labels_of(value) == labels;
  if (llvm::is_contained(labels, keys)) return false;
  auto op = value.getDefiningOp<LinalgOp>();
  if (!op || !is_elementwise(op) || !begins_with_number(op)) return false;
  Step step(op, Kind::narrow);
  step.loops.assign(op.getNumLoops(), unknown);
  if (!label_loops(step.loops, op.getMatchingIndexingMap(op.getDpsInitOperand(0)), labels)) {
    return false;
  }
  finish(step.loops);
  labels_[value] = labels;
  steps_.push_back(step);
  return llvm::all_of(op.getDpsInputOperands(), [&](mlir::OpOperand* input) {
    return !depends(input->get()) || add_narrow(input->get(), labels_of(step, *input));
  });
}

bool Chain::find_narrow() {
  const llvm::SmallVector<Step> so_far = steps_;
  for (const Step& step : so_far) {
    LinalgOp op = step.op;
    for (mlir::OpOperand* input : op.getDpsInputOperands()) {
      if (has(input->get()) || !depends(input->get())) continue;
      if (!add_narrow(input->get(), labels_of(step, *input))) return false;
    }
  }
  sort_steps();
  return true;
}

// Elementwise operations on the results, as far as they follow immediately.
void Chain::absorb_readers() {
  mlir::Operation* const last = steps_.back().op;
  for (mlir::Operation* at = last->getNextNode(); at != nullptr; at = at->getNextNode()) {
    if (mlir::isa<mlir::tensor::EmptyOp, mlir::linalg::FillOp, arith::ConstantOp>(at)) continue;
    auto op = mlir::dyn_cast<LinalgOp>(at);
    // A value with a chosen destination is copied there afterwards.
    if (!op || !is_elementwise(op) || op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !op.getDpsInits().front().getDefiningOp<mlir::tensor::EmptyOp>()) {
      return;
    }
    Step step(op, Kind::narrow);
    step.loops.assign(op.getNumLoops(), unknown);
    bool reads = false;
    for (mlir::OpOperand* input : op.getDpsInputOperands()) {
      if (!has(input->get())) continue;
      reads = true;
      if (!label_loops(step.loops, op.getMatchingIndexingMap(input), labels_of(input->get()))) {
        return;
      }
    }
    finish(step.loops);
    const Labels made = result_labels(op, step.loops);
    if (!reads || !has_all_rows(made, rows_.size())) return;
    labels_[op->getResult(0)] = made;
    steps_.push_back(step);
  }
}

bool Chain::find_outputs() {
  mlir::Operation* const last = steps_.back().op;
  for (const Step& step : steps_) {
    if (step.kind == Kind::wide) continue;
    const Value made = step.op->getResult(0);
    bool is_read = false;
    for (mlir::OpOperand& use : made.getUses()) {
      mlir::Operation* reader = last->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (reader->getNumResults() == 1 && has(reader->getResult(0))) continue;
      if (reader->isBeforeInBlock(last)) return false;
      is_read = true;
    }
    if (!is_read) continue;
    if (!has_all_rows(labels_of(made), rows_.size())) return false;
    outputs_.push_back(made);
  }
  return !outputs_.empty();
}

std::optional<Chain> Chain::find(LinalgOp contraction) {
  for (mlir::OpOperand* operand : contraction.getDpsInputOperands()) {
    Chain chain;
    if (!chain.start(contraction, *operand) || !chain.find_sinks() || !chain.keep_closed() ||
        !chain.has(contraction->getResult(0)) || !chain.has(operand->get())) {
      continue;
    }
    if (!chain.find_narrow() || !chain.find_scales()) continue;
    chain.absorb_readers();
    if (chain.find_outputs()) return chain;
  }
  return std::nullopt;
}

}  // namespace tandem::compiler::online
