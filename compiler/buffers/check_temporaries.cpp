// The arguments and results of a program have room in memory (stablehlo/check_room.cpp); here its
// temporaries beside them must, too. No launch could give the program more.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/hbm_room.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

// Tensors of the launch are packed; an element of a temporary is a word.
HbmRoom needed_by(mlir::func::FuncOp function) {
  HbmRoom needed{.bytes = bytes_of({attribute::hbm_words.value_or(function, 0)}, 4),
                 .line = function.getLoc()};
  for (const mlir::BlockArgument argument : function.getArguments()) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(argument.getType());
    if (!type) continue;
    needed.add(bytes_of(type.getShape(), (type.getElementTypeBitWidth() + 7) / 8),
               argument.getLoc());
  }
  function.walk([&](mlir::memref::AllocOp alloc) {
    if (lies_in_vmem(alloc)) return;
    needed.look_at(bytes_of(alloc.getType().getShape(), 4), alloc.getLoc());
  });
  return needed;
}

struct CheckTemporaries : FunctionPass<CheckTemporaries, PassName::check_temporaries> {
  explicit CheckTemporaries(std::uint64_t room) : room(room) {}
  void run() {
    const HbmRoom needed = needed_by(getOperation());
    if (needed.bytes <= room) return;
    mlir::emitError(needed.line, "no room: arguments, results and temporaries take ")
        << needed.bytes << " bytes of HBM, there are " << room;
    signalPassFailure();
  }
  std::uint64_t room;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_check_temporaries_pass(std::uint64_t room) {
  return std::make_unique<CheckTemporaries>(room);
}

}  // namespace tandem::compiler
