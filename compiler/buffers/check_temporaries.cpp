// The arguments and results of a program have room in memory (stablehlo/check_room.cpp); here its
// temporaries beside them must, too. No launch could give the program more.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

std::uint64_t bytes_of(mlir::MemRefType type, std::uint64_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::int64_t extent : type.getShape()) {
    bytes = llvm::SaturatingMultiply<std::uint64_t>(bytes, extent);
  }
  return bytes;
}

// The bytes of a program in HBM, and the line of the largest tensor or temporary.
struct Needed {
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;
  mlir::Location line;

  void look_at(mlir::Value buffer, std::uint64_t own) {
    if (own <= largest) return;
    largest = own;
    line = buffer.getLoc();
  }
};

// Tensors of the launch are packed; an element of a temporary is a word.
Needed needed_by(mlir::func::FuncOp function) {
  Needed needed{.bytes = llvm::SaturatingMultiply<std::uint64_t>(
                    attribute::hbm_words.value_or(function, 0), 4),
                .line = function.getLoc()};
  for (const mlir::BlockArgument argument : function.getArguments()) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(argument.getType());
    if (!type) continue;
    const std::uint64_t own = bytes_of(type, (type.getElementTypeBitWidth() + 7) / 8);
    needed.bytes = llvm::SaturatingAdd(needed.bytes, own);
    needed.look_at(argument, own);
  }
  function.walk([&](mlir::memref::AllocOp alloc) {
    if (!lies_in_vmem(alloc)) needed.look_at(alloc, bytes_of(alloc.getType(), 4));
  });
  return needed;
}

struct CheckTemporaries : FunctionPass<CheckTemporaries, PassName::check_temporaries> {
  explicit CheckTemporaries(std::uint64_t room) : room(room) {}
  void run() {
    const Needed needed = needed_by(getOperation());
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
