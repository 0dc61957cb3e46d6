// Whatever comes in becomes a module at the `stablehlo` level, or the level that a text is at.
#include "compiler/reader/read.hpp"

#include "compiler/contract/levels.hpp"
#include "compiler/reader/artifact_version.hpp"
#include "compiler/reader/pretty.hpp"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"

namespace tandem::compiler {
namespace {

// What a text seems to be that does not parse; the parser has said already where it fails.
void hint(mlir::MLIRContext& context, llvm::StringRef text, llvm::StringRef name) {
  const mlir::Location place = mlir::FileLineColLoc::get(&context, name, 1, 1);
  if (needs_python(text)) {
    mlir::emitRemark(place)
        << "this is StableHLO in its pretty form, or has CHLO in it: a Python with jax converts it "
           "(TANDEM_JAX_PYTHON names one; none was found). The generic form of StableHLO is read, "
           "and "
           "the artifact. In Python: "
           "`lowered.compiler_ir().operation.get_asm(print_generic_op_form=True)`";
  } else if (text.contains(".target") || text.contains(".linear")) {
    mlir::emitRemark(place) << "if this is assembly: --from=asm, or --from=vliw";
  } else if (text.starts_with("\x7f"
                              "ELF")) {
    mlir::emitRemark(place) << "this is a program already: tandem run, tandem dis";
  }
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
    hint(context, bytes, name);
    return nullptr;
  }
  if (level_of(*module) == Level::stablehlo && mlir::failed(normalise(*module))) return nullptr;
  return module;
}

}  // namespace tandem::compiler
