// An exchange between devices (tensor/lowering/exchange/exchange.cpp, ring.cpp) sends its rows in
// place, and receives in the program's result, instead of copying both.
//
// Any buffer may be sent, also an argument, whose address only this device knows. The receiving
// buffer must be at the same address on all devices: results of the program are, except those that
// take an argument's memory, which have no argument 'out' of their own.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/exchange_calls.hpp"
#include "compiler/views/access.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Operation;
using mlir::Value;

bool is_dense(Value buffer) {
  return mlir::cast<mlir::MemRefType>(buffer.getType()).getLayout().isIdentity();
}

// Whether nothing between the two, of one block, may write the buffer.
bool stays(Value buffer, Operation* from, Operation* to) {
  const Value root = buffer_behind(buffer);
  for (Operation* op = from->getNextNode(); op != to; op = op->getNextNode()) {
    if (op == nullptr || may_write(op, root)) return false;
  }
  return true;
}

// Whether an exchange only sends from the buffer.
bool is_sent(mlir::func::CallOp call, Value buffer) {
  auto callee = exchange_of(call);
  if (!callee) return false;
  const auto inputs = static_cast<std::size_t>(attribute::inputs.get(callee).getInt());
  return !llvm::is_contained(call.getOperands().drop_front(inputs), buffer);
}

// The users of rows that are sent: one copy, which writes them, and exchanges, in one block and in
// this order; none where there are others.
struct SentRows {
  memref::CopyOp copy;
  llvm::SmallVector<mlir::func::CallOp> calls;
  Operation* last = nullptr;
};

std::optional<SentRows> users_of(Value rows) {
  SentRows users;
  for (Operation* user : rows.getUsers()) {
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(user); call && is_sent(call, rows)) {
      users.calls.push_back(call);
      continue;
    }
    auto copy = mlir::dyn_cast<memref::CopyOp>(user);
    if (!copy || users.copy || copy.getTarget() != rows) return {};
    users.copy = copy;
  }
  if (!users.copy) return {};
  for (mlir::func::CallOp call : users.calls) {
    if (call->getBlock() != users.copy->getBlock() || !users.copy->isBeforeInBlock(call)) return {};
    if (users.last == nullptr || users.last->isBeforeInBlock(call)) users.last = call;
  }
  return users;
}

void send_from_source(Value rows) {
  auto made = rows.getDefiningOp<memref::AllocOp>();
  if (!made) return;
  const auto users = users_of(rows);
  if (!users) return;
  memref::CopyOp copy = users->copy;
  const Value source = copy.getSource();
  if (source.getType() != rows.getType() || !is_dense(source) || lies_in_vmem(source) ||
      !stays(source, copy, users->last)) {
    return;
  }
  rows.replaceUsesWithIf(source, [&](mlir::OpOperand& use) { return use.getOwner() != copy; });
  copy->erase();
  made->erase();
}

// The result that the whole buffer is copied to, and nothing else, if the buffer may be placed
// there.
mlir::BlockArgument result_for(memref::AllocOp made, memref::CopyOp copy) {
  const auto result = mlir::dyn_cast<mlir::BlockArgument>(copy.getTarget());
  if (!result || !result.hasOneUse() || result.getOwner() != made->getBlock() ||
      copy->getBlock() != made->getBlock() || !is_dense(result) || !is_dense(copy.getSource())) {
    return {};
  }
  auto function = mlir::dyn_cast<mlir::func::FuncOp>(made->getParentOp());
  const auto direction =
      function ? attribute::direction.get(function, result.getArgNumber()) : mlir::StringAttr();
  const auto type = mlir::cast<mlir::MemRefType>(result.getType());
  const bool is_all = type.getNumElements() == made.getType().getNumElements() &&
                      type.getElementType() == made.getType().getElementType();
  if (!direction || direction.getValue() != "out" || !is_all) return {};
  for (Operation* op = copy->getNextNode(); op != nullptr; op = op->getNextNode()) {
    if (may_write(op, made)) return {};
  }
  return result;
}

void receive_in_result(memref::CopyOp copy) {
  auto made = buffer_behind(copy.getSource()).getDefiningOp<memref::AllocOp>();
  if (!made || lies_in_vmem(made.getResult())) return;
  const bool is_received = llvm::any_of(made->getUsers(), [&](Operation* user) {
    auto call = mlir::dyn_cast<mlir::func::CallOp>(user);
    return call && exchange_of(call);
  });
  const mlir::BlockArgument result = is_received ? result_for(made, copy) : mlir::BlockArgument();
  if (!result) return;
  mlir::OpBuilder builder(made);
  const mlir::MemRefType type = made.getType();
  const Value there =
      memref::ReinterpretCastOp::create(builder, made.getLoc(), type, result, /*offset=*/0,
                                        type.getShape(), dense_strides(type.getShape()));
  copy->erase();
  made.getResult().replaceAllUsesWith(there);
  made->erase();
}

struct ExchangeInPlace : FunctionPass<ExchangeInPlace, PassName::exchange_in_place> {
  void run() {
    llvm::SmallVector<mlir::func::CallOp> calls;
    llvm::SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](Operation* op) {
      if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) copies.push_back(copy);
      auto call = mlir::dyn_cast<mlir::func::CallOp>(op);
      if (call && exchange_of(call)) calls.push_back(call);
    });
    if (calls.empty()) return;
    for (memref::CopyOp copy : copies) receive_in_result(copy);
    // Operands are replaced meanwhile. A table after the rows is fetched, not sent.
    for (mlir::func::CallOp call : calls) {
      const llvm::SmallSetVector<Value, 8> operands(call.operand_begin(), call.operand_end());
      for (const Value rows : operands) send_from_source(rows);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_exchange_in_place_pass() {
  return std::make_unique<ExchangeInPlace>();
}

}  // namespace tandem::compiler
