// The kernel that a `custom_call @tpu_custom_call` of JAX's Pallas brings along, as JAX wrote it.
//
// The call's configuration is a JSON text with the kernel's module as MLIR bytecode in base64. Its
// operations have the prefix `stable_mosaic.` and are not registered. Their dialect has the name of
// our own, `tpu`, so the module is read in a context of its own, in which attributes of dialects
// are texts.
#pragma once

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler::mosaic {

// Where a window of an operand or result begins in each iteration.
struct Window {
  mlir::Block* transform = nullptr;  // the function from indices of the grid to those of blocks
  llvm::SmallVector<std::int64_t> block;
};

struct Module {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Block* body = nullptr;  // of the kernel
  llvm::SmallVector<std::int64_t> grid;
  std::int64_t prefetched = 0;        // operands that are scalars, at the front
  std::int64_t scratch = 0;           // arguments at the end
  llvm::SmallVector<Window> windows;  // of inputs and results; empty: they are passed whole
};

// In `grid`: known at run time only, an operand of the call.
constexpr std::int64_t dynamic_bound = std::numeric_limits<std::int64_t>::min();

// Failure after an error at the operation.
mlir::FailureOr<Module> read_module(mlir::Operation* call);

// The operation's name without the prefix, as "arith.addf".
llvm::StringRef name_of(mlir::Operation* op);
// The text between the angle brackets of an attribute of a dialect: "vmem"; "" where there is no
// such attribute.
llvm::StringRef text_of(mlir::Attribute attribute);
llvm::StringRef text_of(mlir::Operation* op, llvm::StringRef name);
// "vmem", "smem", "any", "hbm", "semaphore_mem".
llvm::StringRef space_of(mlir::MemRefType type);
// A list of integers of any width; empty where there is none.
llvm::SmallVector<std::int64_t> integers_of(mlir::Operation* op, llvm::StringRef name);
// The constant that a value always is.
std::optional<std::int64_t> constant_of(mlir::Value value);

}  // namespace tandem::compiler::mosaic
