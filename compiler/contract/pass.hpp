// The base of every pass of the compiler's own: passes.def has its name and its sentence.
#pragma once

#include <memory>

#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {

enum class PassName : std::uint8_t {
#define PASS(NAME, SCOPE, GIVEN, LEVEL, SENTENCE) NAME,
#include "compiler/contract/passes.def"
#undef PASS
};

// "tandem-fuse-attention" and its description.
llvm::StringRef pass_argument(PassName pass);
llvm::StringRef pass_sentence(PassName pass);

// MLIR identifies passes by a type.
template <PassName pass>
struct PassTag {};

template <typename Self, PassName pass>
class ModulePass;
template <typename Self, PassName pass>
class FunctionPass;

// `Self` is the pass, and has run() in place of runOnOperation(). Dialects are all loaded
// (driver/context.cpp), so no pass lists dependent dialects.
template <typename Self, PassName pass, typename Operation>
class OwnPass : public mlir::OperationPass<Operation> {
 public:
  [[nodiscard]] llvm::StringRef getName() const override { return pass_argument(pass); }
  [[nodiscard]] llvm::StringRef getArgument() const override { return pass_argument(pass); }
  [[nodiscard]] llvm::StringRef getDescription() const override { return pass_sentence(pass); }
  [[nodiscard]] std::unique_ptr<mlir::Pass> clonePass() const override {
    return std::make_unique<Self>(*static_cast<const Self*>(this));
  }

 private:
  OwnPass() : mlir::OperationPass<Operation>(mlir::TypeID::get<PassTag<pass>>()) {}
  friend Self;
  friend ModulePass<Self, pass>;
  friend FunctionPass<Self, pass>;
};

template <typename Self, PassName pass>
class ModulePass : public OwnPass<Self, pass, mlir::ModuleOp> {
 public:
  void runOnOperation() final { static_cast<Self*>(this)->run(); }

 private:
  ModulePass() = default;
  friend Self;
};

// Skips declarations of functions in assembly, which have no body.
template <typename Self, PassName pass>
class FunctionPass : public OwnPass<Self, pass, mlir::func::FuncOp> {
 public:
  void runOnOperation() final {
    if (!this->getOperation().isExternal()) static_cast<Self*>(this)->run();
  }

 private:
  FunctionPass() = default;
  friend Self;
};

}  // namespace tandem::compiler
