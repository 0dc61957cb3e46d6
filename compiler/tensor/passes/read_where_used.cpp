// Bufferization treats only the operation that takes the memory of a tensor (to_buffer) as its
// reader, and does not see later reads of that memory. Two sorts of one tensor share this
// operation, and an operation between them may then write there. So each reader takes the memory
// itself, right where it reads.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::bufferization::ToBufferOp;

using Chain = llvm::SmallVector<mlir::Operation*>;

// Gives each reader of the last view of `chain` a chain of its own.
void move_to_readers(Chain& chain) {
  mlir::Operation* last = chain.back();
  const llvm::SetVector<mlir::Operation*> users(last->user_begin(), last->user_end());
  for (mlir::Operation* user : users) {
    if (mlir::isa<mlir::ViewLikeOpInterface>(user)) {
      chain.push_back(user);
      move_to_readers(chain);
      chain.pop_back();
      continue;
    }
    mlir::OpBuilder builder(user);
    mlir::IRMapping copies;
    for (mlir::Operation* op : chain) builder.clone(*op, copies);
    user->replaceUsesOfWith(last->getResult(0), copies.lookup(last->getResult(0)));
  }
  if (last->use_empty()) last->erase();
}

struct ReadWhereUsed : FunctionPass<ReadWhereUsed, PassName::read_where_used> {
  void run() {
    llvm::SmallVector<ToBufferOp> sources;
    getOperation().walk([&](ToBufferOp op) { sources.push_back(op); });
    for (const ToBufferOp source : sources) {
      Chain chain{source};
      move_to_readers(chain);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_read_where_used_pass() {
  return std::make_unique<ReadWhereUsed>();
}

}  // namespace tandem::compiler
