// The arguments and results of a program must fit into memory, and have no more dimensions than
// launches can name. This is checked before anything is compiled, which takes long for a large
// program.
#include "compiler/contract/hbm_room.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/lines.hpp"
#include "isa/image.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

// All tensors that the launch binds.
struct Bound {
  HbmRoom room;
  bool has_too_many_dimensions = false;

  void add(mlir::Type type, mlir::Location loc) {
    const auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    const auto rank = static_cast<std::size_t>(tensor.getRank());
    if (rank > max_rank && !has_too_many_dimensions) {
      has_too_many_dimensions = true;
      mlir::emitError(loc, "unimplemented: an argument or result of ")
          << rank << " dimensions; there may be " << max_rank;
    }
    room.add(bytes_of(tensor.getShape(), (tensor.getElementTypeBitWidth() + 7) / 8), loc);
  }
};

Bound bound_by(FuncOp function) {
  Bound bound{{.line = function.getLoc()}};
  llvm::SmallVector<bool> shared(function.getNumResults(), false);
  for (const mlir::BlockArgument argument : function.getArguments()) {
    bound.add(argument.getType(), line_of(argument));
    const auto alias =
        function.getArgAttrOfType<mlir::IntegerAttr>(argument.getArgNumber(), "tf.aliasing_output");
    if (alias && alias.getInt() >= 0 && alias.getInt() < function.getNumResults()) {
      shared[alias.getInt()] = true;
    }
  }
  mlir::Operation* end = function.getBody().front().getTerminator();
  for (const auto [number, value] : llvm::enumerate(end->getOperands())) {
    if (!shared[number]) bound.add(value.getType(), value.getLoc());
  }
  return bound;
}

struct CheckRoom : ModulePass<CheckRoom, PassName::check_room> {
  explicit CheckRoom(std::uint64_t room) : room(room) {}
  void run() {
    const Bound bound = bound_by(getOperation().lookupSymbol<FuncOp>("main"));
    if (bound.has_too_many_dimensions) return signalPassFailure();
    if (bound.room.bytes <= room) return;
    mlir::emitError(bound.room.line, "no room: arguments and results take ")
        << bound.room.bytes << " bytes of HBM, there are " << room;
    signalPassFailure();
  }
  std::uint64_t room;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_check_room_pass(std::uint64_t room) {
  return std::make_unique<CheckRoom>(room);
}

}  // namespace tandem::compiler
