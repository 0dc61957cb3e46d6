// `custom_call @tandem_exchange` (stablehlo/collectives/expand.cpp): rows to other devices and rows
// from them, as a kernel. Both are in dense buffers in HBM that are the program's own, so they have
// the same address on every device.
#include <set>

#include "compiler/contract/exchange_flags.hpp"
#include "compiler/functions/exchange_text.hpp"
#include "compiler/tensor/lowering/exchange/exchange_call.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

struct Rows {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

// The attributes of the call, checked; a text may contain anything.
mlir::FailureOr<Exchange> exchange_of(mlir::Operation* op, const Rows& rows,
                                      std::int64_t row_words) {
  const auto list = integers(op, "messages");
  const auto chips = integer(op, "chips");
  const auto flags = integer(op, "flags");
  if (mlir::failed(list) || mlir::failed(chips) || mlir::failed(flags)) return mlir::failure();
  if (!is_below(*flags, exchange_flags.size()) || !is_below(*chips - 1, 64) ||
      list->size() % 4 != 0) {
    return op->emitError("an exchange has devices, one of the pairs of flags, and messages");
  }
  const auto by_all = op->getAttrOfType<mlir::BoolAttr>("by_all");
  if (mlir::failed(check_message(op, row_words))) return mlir::failure();
  Exchange exchange{static_cast<std::uint32_t>(*chips), static_cast<std::uint32_t>(row_words),
                    exchange_flags[*flags].ready,       exchange_flags[*flags].arrived,
                    by_all && by_all.getValue(),        {}};
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  for (std::size_t i = 0; i < list->size(); i += 4) {
    const llvm::ArrayRef<std::int64_t> each = llvm::ArrayRef(*list).slice(i, 4);
    if (!is_below(each[0], *chips) || !is_below(each[1], *chips) || !is_below(each[2], rows.sent) ||
        !is_below(each[3], rows.received) || !known.emplace(each[0], each[1]).second) {
      return op->emitError(
          "a message is from a device to a device, one each, of one of its rows to another");
    }
    const auto word = [&](std::size_t number) { return static_cast<std::uint32_t>(each[number]); };
    exchange.messages.push_back({word(0), word(1), word(2), word(3)});
  }
  return exchange;
}

// Whether each device receives each of its rows.
bool fills_all(const Exchange& exchange, std::int64_t received) {
  return static_cast<std::int64_t>(exchange.messages.size()) == exchange.chips * received;
}

}  // namespace

mlir::FailureOr<Values> lower_exchange(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const auto rows = exchange_rows(op);
  if (mlir::failed(rows)) return mlir::failure();
  const auto& [from, to] = *rows;
  const auto exchange = exchange_of(op, {from.getDimSize(0), to.getDimSize(0)}, from.getDimSize(1));
  if (mlir::failed(exchange)) return mlir::failure();
  const ExchangeTable table = exchange_table(*exchange);
  Values inputs{sent_rows(lowering, op)};
  if (!table.words.empty()) inputs.push_back(word_buffer(builder, loc, table.words));
  const mlir::RankedTensorType word_rows = word_type(to);
  Value received;
  if (fills_all(*exchange, to.getDimSize(0))) {
    received = memref::AllocOp::create(builder, loc, words_of(word_rows));
  } else {  // a device that is sent nothing has zeros
    const Value zero = mlir::arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(word_rows.getElementType()));
    received = input_buffer(builder, loc, filled_tensor(builder, loc, word_rows, zero));
  }
  const std::string text = exchange_text(*exchange, table.row_words);
  const KernelText kernel{text, "", exchange_smem_words(table.row_words)};
  return call_exchange(lowering, op, std::move(inputs), received, 0, kernel, *integer(op, "flags"));
}

mlir::FailureOr<Values> lower_chip(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const bool is_word = op->getNumResults() == 1 && op->getNumOperands() == 0 &&
                       plain_tensor(op->getResult(0).getType()) ==
                           mlir::RankedTensorType::get({}, builder.getI32Type());
  if (!is_word) return op->emitError("the number of a device is a word, and takes nothing");
  const auto type = mlir::RankedTensorType::get({}, builder.getI32Type());
  const Values operands{memref::AllocOp::create(builder, loc, words_of(type)),
                        kernel_rows(builder, loc, 0)};
  const std::string text = chip_text();
  auto function = declare_kernel(builder, loc, operands, 0, {text, "", chip_smem_words});
  mlir::func::CallOp::create(builder, loc, function, operands);
  return Values{mlir::bufferization::ToTensorOp::create(builder, loc, type, operands.front(),
                                                        /*restrict=*/true)};
}

}  // namespace tandem::compiler
