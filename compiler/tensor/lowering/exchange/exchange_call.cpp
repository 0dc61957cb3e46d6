#include "compiler/tensor/lowering/exchange/exchange_call.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {

using mlir::Value;

bool is_below(std::int64_t number, std::int64_t end) { return number >= 0 && number < end; }

mlir::FailureOr<ExchangeRows> exchange_rows(mlir::Operation* op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1) {
    return op->emitError("an exchange takes rows and gives rows");
  }
  const ExchangeRows rows{plain_tensor(op->getOperand(0).getType()),
                          plain_tensor(op->getResult(0).getType())};
  if (rows.sent.getRank() != 2 || rows.received.getRank() != 2 ||
      rows.sent.getDimSize(1) != rows.received.getDimSize(1) ||
      rows.sent.getElementType() != rows.received.getElementType()) {
    return op->emitError("an exchange takes rows and gives rows of the same length");
  }
  return rows;
}

mlir::LogicalResult check_message(mlir::Operation* op, std::int64_t words) {
  constexpr std::int64_t most_words = std::int64_t{1} << 29;
  if (words >= most_words) return op->emitError("no room: a message of 2 GiB or more");
  return mlir::success();
}

Value sent_rows(Lowering& lowering, mlir::Operation* op) {
  const Value operand = op->getOperand(0);
  const bool is_unsigned = mlir::getElementTypeOrSelf(operand).isUnsignedInteger();
  const Value words = as_words(lowering, op->getLoc(), lowering.map.lookup(operand), is_unsigned);
  return input_buffer(lowering.builder, op->getLoc(), words);
}

Values call_exchange(Lowering& lowering, mlir::Operation* op, Values inputs, Value received,
                     std::int64_t vmem_words, const KernelText& kernel, std::int64_t flags) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const auto count = static_cast<std::int64_t>(inputs.size());
  Values operands = std::move(inputs);
  operands.push_back(received);
  operands.push_back(kernel_rows(builder, loc, vmem_words));
  auto function = declare_kernel(builder, loc, operands, count, kernel);
  attribute::exchange.set(function, flags);
  mlir::func::CallOp::create(builder, loc, function, operands);
  const mlir::RankedTensorType to = plain_tensor(op->getResult(0).getType());
  const Value result = mlir::bufferization::ToTensorOp::create(builder, loc, word_type(to),
                                                               received, /*restrict=*/true);
  return Values{narrowed(lowering, loc, result, to)};
}

}  // namespace tandem::compiler
