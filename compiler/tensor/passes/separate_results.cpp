// Upstream builds a result in the memory of the launch from its first, empty tensor on. That is
// wrong where an intermediate value has other uses: the copy of the finished result into that
// memory comes at the end, and it is not seen that it overwrites values that others still have
// there. Nor does upstream look into more than one branch: the others would yield other memory.
// Such results get memory of their own and are copied.
//
// The same is true of memory that a tensor is taken from. Readers of that tensor are seen, but not
// readers of its memory (folding leaves no tensor between the two), nor, for a donated argument,
// the caller, who finds it there as a result when nothing is written. Such memory is not
// overwritten in place.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tied_tensor.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;

bool grows_alone(Value value) {
  while (const auto result = mlir::dyn_cast_or_null<mlir::OpResult>(value)) {
    if (mlir::isa<mlir::scf::IfOp>(result.getOwner())) return false;
    value = tied_tensor(result);
    if (!value) return true;
    if (mlir::isa_and_nonnull<mlir::tensor::EmptyOp>(value.getDefiningOp())) return true;
    if (!value.hasOneUse()) return false;
  }
  return true;
}

// Whether it is an argument that is not written: the caller finds it there as a result.
bool is_given_back(Value buffer) {
  return mlir::isa<mlir::BlockArgument>(buffer) &&
         llvm::none_of(buffer.getUsers(), [&](mlir::Operation* user) {
           auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(user);
           return copy && copy.getTarget() == buffer;
         });
}

// Whether `user` may run after `read`, within the lifetime of `buffer`.
bool may_follow(mlir::Operation* user, ToTensorOp read, Value buffer) {
  mlir::Block* block = buffer.getParentBlock();
  mlir::Operation* const first = block->findAncestorOpInBlock(*read);
  mlir::Operation* const second = block->findAncestorOpInBlock(*user);
  return first == nullptr || second == nullptr || first == second || first->isBeforeInBlock(second);
}

// Whether the contents of the buffer are read after the tensor may have been overwritten.
bool is_read_later(Value memory, ToTensorOp read, Value buffer) {
  return llvm::any_of(memory.getUsers(), [&](mlir::Operation* user) {
    if (user == read) return false;
    if (mlir::isa<ToTensorOp>(user)) return true;
    if (mlir::isa<mlir::ViewLikeOpInterface>(user)) {
      return is_read_later(user->getResult(0), read, buffer);
    }
    auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(user);
    const bool reads = !effects || effects.getEffectOnValue<mlir::MemoryEffects::Read>(memory);
    return reads && may_follow(user, read, buffer);
  });
}

struct SeparateResults : FunctionPass<SeparateResults, PassName::separate_results> {
  void run() {
    getOperation().walk([](ToTensorOp read) {
      if (!read.getWritable()) return;
      const Value buffer = read.getBuffer();
      if (is_given_back(buffer) || is_read_later(buffer, read, buffer)) read.setWritable(false);
    });
    getOperation().walk([](MaterializeInDestinationOp op) {
      const Value value = op.getSource();
      if (grows_alone(value)) return;
      mlir::OpBuilder builder(op);
      const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
      const Value room = mlir::tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                                       type.getElementType());
      op.getSourceMutable().assign(
          mlir::linalg::CopyOp::create(builder, op.getLoc(), value, room).getResult(0));
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_separate_results_pass() {
  return std::make_unique<SeparateResults>();
}

}  // namespace tandem::compiler
