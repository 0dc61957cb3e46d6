// An exchange between devices (tensor/lowering/exchange/exchange.cpp, ring.cpp) sends from where
// its rows are, and receives in the program's result, where it was to be copied to and from there.
//
// Anything may be sent from, an argument too, whose place only this device knows. What is received
// has to lie at the same place on all devices: results of the program do, but for those that take
// an argument's memory, which have no argument 'out' of their own.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/access.hpp"
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

// The rows that are sent: written by nothing but one copy, and read by nothing but the exchange.
void send_from_source(mlir::func::CallOp call) {
  const Value rows = call.getOperand(0);
  auto made = rows.getDefiningOp<memref::AllocOp>();
  if (!made) return;
  memref::CopyOp copy;
  for (Operation* user : rows.getUsers()) {
    if (user == call) continue;
    auto each = mlir::dyn_cast<memref::CopyOp>(user);
    if (!each || copy || each.getTarget() != rows) return;
    copy = each;
  }
  if (!copy || copy->getBlock() != call->getBlock() || !copy->isBeforeInBlock(call)) return;
  const Value source = copy.getSource();
  if (source.getType() != rows.getType() || !is_dense(source) || lies_in_vmem(source) ||
      !stays(source, copy, call)) {
    return;
  }
  call->setOperand(0, source);
  copy->erase();
  made->erase();
}

// The result that all of the buffer is copied to, and nothing else, if it may lie there.
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
    return call && attribute::exchange.is_on(
                       call->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(
                           call.getCallee()));
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
    auto module = getOperation()->getParentOfType<mlir::ModuleOp>();
    getOperation().walk([&](Operation* op) {
      if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) copies.push_back(copy);
      auto call = mlir::dyn_cast<mlir::func::CallOp>(op);
      if (!call) return;
      auto callee = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
      if (callee && attribute::exchange.is_on(callee)) calls.push_back(call);
    });
    if (calls.empty()) return;
    for (memref::CopyOp copy : copies) receive_in_result(copy);
    for (mlir::func::CallOp call : calls) send_from_source(call);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_exchange_in_place_pass() {
  return std::make_unique<ExchangeInPlace>();
}

}  // namespace tandem::compiler
