// Whatever comes in becomes a module at the `stablehlo` level, or the level that a text is at.
#include "compiler/reader/read.hpp"

#include "compiler/reader/artifact_version.hpp"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"

namespace tandem::compiler {
namespace {

// Pretty-printed StableHLO needs StableHLO's own parsers; everything else that does not parse has
// said why already.
void hint_at_generic_form(mlir::MLIRContext& context, llvm::StringRef text, llvm::StringRef name) {
  if (!text.contains("= stablehlo.")) return;
  mlir::emitRemark(mlir::FileLineColLoc::get(&context, name, 1, 1))
      << "this is StableHLO in its pretty form; the generic form is read, and the artifact. In "
         "Python: `lowered.compiler_ir().operation.get_asm(print_generic_op_form=True)`";
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> read_module(mlir::MLIRContext& context, llvm::StringRef bytes,
                                              llvm::StringRef name) {
  if (const std::string refusal = version_refusal(bytes); !refusal.empty()) {
    mlir::emitError(mlir::FileLineColLoc::get(&context, name, 1, 1)) << refusal;
    return nullptr;
  }
  // The verifier runs once the module is in normal form: calls of vhlo name functions by strings.
  const mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, name);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  if (!module) {
    hint_at_generic_form(context, bytes, name);
    return nullptr;
  }
  if (mlir::failed(normalise(*module))) return nullptr;
  return module;
}

}  // namespace tandem::compiler
