// `custom_call @tandem_step` (stablehlo/collectives/ring_steps.hpp): a step of a ring exchange that
// runs while the program computes, as a kernel. It takes and returns buffers: a landing, created by
// `@tandem_landing`, is the same memory in each step.
#include "compiler/contract/attributes.hpp"
#include "compiler/functions/step_text.hpp"
#include "compiler/tensor/lowering/exchange/exchange_call.hpp"
#include "compiler/tensor/lowering/exchange/ring_group.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

constexpr std::size_t message_numbers = 6;

bool is_word_tensor(mlir::Type type) {
  const auto tensor = plain_tensor(type);
  return tensor.getElementType().isF32() || tensor.getElementType().isInteger(32);
}

Value tensor_of(Lowering& lowering, mlir::Location loc, Value buffer) {
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  return mlir::bufferization::ToTensorOp::create(
      lowering.builder, loc, mlir::RankedTensorType::get(type.getShape(), type.getElementType()),
      buffer,
      /*restrict=*/true);
}

// The buffer that the tensor is read from, if an operation of this kind creates it.
template <typename Made>
Value buffer_of(Value tensor) {
  auto read = tensor.getDefiningOp<mlir::bufferization::ToTensorOp>();
  return read && read.getBuffer().getDefiningOp<Made>() ? read.getBuffer() : Value();
}

class Step {
 public:
  Step(mlir::Operation* op, RingStep& step) : op_(op), step_(step) {}

  // The attributes of the call, checked; a text may contain anything.
  mlir::LogicalResult read() {
    const auto sources = integer(op_, "sources");
    const auto came = integer(op_, "came");
    const auto come = integer(op_, "come");
    const auto sent = integer(op_, "sent");
    const auto list = integers(op_, "messages");
    const auto first = op_->getAttrOfType<mlir::BoolAttr>("first");
    if (mlir::failed(sources) || mlir::failed(came) || mlir::failed(come) || mlir::failed(sent) ||
        mlir::failed(list) || !first) {
      return op_->emitError("a step has sources, messages, and how many have come and gone");
    }
    const auto count = static_cast<std::int64_t>(op_->getNumOperands());
    if (!is_below(*sources, count + 1) || !is_below(*came, most) || !is_below(*come, most) ||
        !is_below(*sent, most) || list->size() % message_numbers != 0) {
      return op_->emitError("a step has sources, messages, and how many have come and gone");
    }
    step_.sources = static_cast<std::uint32_t>(*sources);
    step_.is_first = first.getValue();
    step_.came = static_cast<std::uint32_t>(*came);
    step_.come = static_cast<std::uint32_t>(*come);
    step_.sent = static_cast<std::uint32_t>(*sent);
    for (std::size_t i = 0; i < list->size(); i += message_numbers) {
      if (mlir::failed(add(llvm::ArrayRef(*list).slice(i, message_numbers)))) {
        return mlir::failure();
      }
    }
    return mlir::success();
  }

 private:
  static constexpr std::int64_t most = 1 << 16;

  // Whether this many words from this one on are in the operand.
  bool is_in(std::int64_t operand, std::int64_t word, std::int64_t words) {
    if (!is_below(operand, op_->getNumOperands())) return false;
    const auto type = plain_tensor(op_->getOperand(operand).getType());
    return word >= 0 && words > 0 && word <= type.getNumElements() - words;
  }

  [[nodiscard]] StepBuffer buffer(std::int64_t operand, std::int64_t word) const {
    const auto number = static_cast<std::uint32_t>(operand);
    const bool is_landing = number >= step_.sources;
    return {is_landing, is_landing ? number - step_.sources : number,
            static_cast<std::uint32_t>(word)};
  }

  // To the left: source operand and word, target, and number of words.
  mlir::LogicalResult add(llvm::ArrayRef<std::int64_t> numbers) {
    const std::int64_t words = numbers[5];
    if (!is_below(numbers[0], 2) || !is_in(numbers[1], numbers[2], words) ||
        !is_in(numbers[3], numbers[4], words) || numbers[3] < step_.sources) {
      return op_->emitError("a step's message is of words of a buffer, to those of a landing");
    }
    step_.messages.push_back({numbers[0] != 0, buffer(numbers[1], numbers[2]),
                              buffer(numbers[3], numbers[4]), static_cast<std::uint32_t>(words)});
    return check_message(op_, words);
  }

  mlir::Operation* op_;
  RingStep& step_;
};

}  // namespace

mlir::FailureOr<Values> lower_landing(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      !is_word_tensor(op->getResult(0).getType())) {
    return op->emitError("a landing has words, and takes nothing");
  }
  const mlir::MemRefType type = words_of(plain_tensor(op->getResult(0).getType()));
  const Value buffer = memref::AllocOp::create(lowering.builder, op->getLoc(), type);
  return Values{tensor_of(lowering, op->getLoc(), buffer)};
}

// A part of a landing of this device's own, from an index of one dimension on.
mlir::FailureOr<Values> lower_window(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const auto along = integer(op, "dimension");
  if (mlir::failed(along) || op->getNumOperands() != 2 || op->getNumResults() != 1) {
    return op->emitError("a window has a landing, an index, and its dimension");
  }
  const Value whole = buffer_of<memref::AllocOp>(lowering.map.lookup(op->getOperand(0)));
  const auto index = plain_tensor(op->getOperand(1).getType());
  const auto type = plain_tensor(op->getResult(0).getType());
  if (!whole || index != mlir::RankedTensorType::get({}, builder.getI32Type())) {
    return op->emitError("a window has a landing, an index, and its dimension");
  }
  const auto from = mlir::cast<mlir::MemRefType>(whole.getType());
  const std::int64_t rest = from.getElementType() == type.getElementType() &&
                                    from.getRank() == type.getRank() &&
                                    is_below(*along, type.getRank())
                                ? from.getDimSize(*along) - type.getDimSize(*along)
                                : -1;
  if (rest < 0) return op->emitError("a window is in its landing");
  Value first = mlir::arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      scalar_of(builder, loc, lowering.map.lookup(op->getOperand(1))));
  first = mlir::arith::MaxSIOp::create(builder, loc, first, index_constant(builder, loc, 0));
  first = mlir::arith::MinSIOp::create(builder, loc, first, index_constant(builder, loc, rest));
  llvm::SmallVector<mlir::OpFoldResult> begin(type.getRank(), builder.getIndexAttr(0));
  begin[*along] = first;
  const llvm::SmallVector<mlir::OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
  const Value window = memref::SubViewOp::create(
      builder, loc, whole, begin,
      mlir::getAsIndexOpFoldResult(builder.getContext(), type.getShape()), steps);
  return Values{tensor_of(lowering, loc, window)};
}

// A window := a tensor. It returns the whole landing.
mlir::FailureOr<Values> lower_put(Lowering& lowering, mlir::Operation* op) {
  const Value window = op->getNumOperands() == 2
                           ? buffer_of<memref::SubViewOp>(lowering.map.lookup(op->getOperand(0)))
                           : Value();
  if (!window || op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getOperand(1).getType()) {
    return op->emitError("what is put somewhere has a window");
  }
  const Value whole = window.getDefiningOp<memref::SubViewOp>().getSource();
  mlir::bufferization::MaterializeInDestinationOp::create(
      lowering.builder, op->getLoc(), mlir::Type(), lowering.map.lookup(op->getOperand(1)), window,
      /*restrict=*/true, /*writable=*/true);
  return Values{tensor_of(lowering, op->getLoc(), whole)};
}

mlir::FailureOr<Values> lower_step(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const auto group = ring_group(op);
  if (mlir::failed(group)) return mlir::failure();
  RingStep step;
  step.places = group->places;
  step.has_table = group->has_table;
  step.ready_flag = group->ready_flag;
  step.right_flag = group->right_flag;
  step.left_flag = group->left_flag;
  step.sent_flag = group->local_flag;
  if (mlir::failed(Step(op, step).read())) return mlir::failure();
  if (op->getOperandTypes() != op->getResultTypes() ||
      !llvm::all_of(op->getOperandTypes(), is_word_tensor)) {
    return op->emitError("a step takes buffers of words, and gives them");
  }
  Values buffers;
  for (const auto [index, operand] : llvm::enumerate(op->getOperands())) {
    // A landing, or a buffer of an earlier step.
    Value buffer = buffer_of<memref::AllocOp>(lowering.map.lookup(operand));
    if (!buffer && index >= step.sources) return op->emitError("a step receives in landings");
    if (!buffer) buffer = input_buffer(builder, loc, lowering.map.lookup(operand));
    buffers.push_back(buffer);
  }
  Values operands(llvm::ArrayRef(buffers).take_front(step.sources));
  if (step.has_table) operands.push_back(word_buffer(builder, loc, group->table()));
  const auto inputs = static_cast<std::int64_t>(operands.size());
  operands.append(buffers.begin() + step.sources, buffers.end());
  operands.push_back(kernel_rows(builder, loc, 0));
  const std::string text = step_text(step);
  auto function = declare_kernel(builder, loc, operands, inputs, {text, "", step_smem_words()});
  attribute::exchange.set(function, group->last_pair);
  mlir::func::CallOp::create(builder, loc, function, operands);
  Values results;
  for (const Value buffer : buffers) results.push_back(tensor_of(lowering, loc, buffer));
  return results;
}

}  // namespace tandem::compiler
