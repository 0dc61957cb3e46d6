// Any input becomes a module at the `stablehlo` level, or at the level of its text.
#include "compiler/reader/read.hpp"

#include "compiler/contract/levels.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/reader/artifact_version.hpp"
#include "compiler/reader/pretty.hpp"
#include "compiler/stablehlo/verify/verify.hpp"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"

namespace tandem::compiler {
namespace {

// A guess at the format of a text that does not parse; the parser has already reported where it
// fails.
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

// Checks the nesting of brackets outside strings and comments: the line where they are too deep, or
// 0. The parser is recursive.
unsigned too_deep(llvm::StringRef text) {
  constexpr unsigned deepest = 1000;
  unsigned depth = 0;
  unsigned line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '"') {
      ++i;
      for (; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\' ? 1 : 0;
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '(' || c == '[' || c == '{' || (c == '<' && i > 0 && text[i - 1] != ' ')) {
      ++depth;
      if (depth > deepest) return line;
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && i > 0 && text[i - 1] != '-')) {
      depth -= depth > 0 ? 1 : 0;
    }
  }
  return 0;
}

// The line of the first array of numbers whose elements are indices, or of a type that an alias
// names, or 0: MLIR's parser asks such a type for its width, and it has none.
unsigned array_without_width(llvm::StringRef text) {
  constexpr llvm::StringLiteral word = "array<";
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + 1)) {
    const llvm::StringRef type = text.drop_front(at + word.size()).ltrim();
    const llvm::StringRef behind = type.drop_front(type.starts_with("index") ? 5 : 0).ltrim();
    const bool is_index =
        type.starts_with("index") && (behind.starts_with(":") || behind.starts_with(">"));
    if (is_index || type.starts_with("!")) {
      return static_cast<unsigned>(text.take_front(at).count('\n')) + 1;
    }
  }
  return 0;
}

bool is_bytecode(llvm::StringRef bytes) { return bytes.starts_with("ML\xefR"); }

}  // namespace

std::string unreadable(const std::string& name, std::size_t bytes, unsigned seconds) {
  return name + ": error: reading these " + std::to_string(bytes) + " bytes takes more than " +
         std::to_string(seconds) + " seconds: the file is damaged\n";
}

mlir::OwningOpRef<mlir::ModuleOp> read_module(mlir::MLIRContext& context, llvm::StringRef bytes,
                                              llvm::StringRef name) {
  if (const std::string refusal = version_refusal(bytes); !refusal.empty()) {
    mlir::emitError(mlir::FileLineColLoc::get(&context, name, 1, 1)) << refusal;
    return nullptr;
  }
  if (const unsigned line = is_bytecode(bytes) ? 0 : too_deep(bytes); line != 0) {
    mlir::emitError(mlir::FileLineColLoc::get(&context, name, line, 1))
        << "too deep: brackets inside of each other";
    return nullptr;
  }
  if (const unsigned line = is_bytecode(bytes) ? 0 : array_without_width(bytes); line != 0) {
    mlir::emitError(mlir::FileLineColLoc::get(&context, name, line, 1))
        << "the elements of an `array` are integers or floats";
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
  if (mlir::failed(verify_depth(*module))) return nullptr;
  if (!has_short_locations(*module)) {
    mlir::emitError(mlir::FileLineColLoc::get(&context, name, 1, 1))
        << "too deep: locations inside of each other";
    return nullptr;
  }
  if (level_of(*module) == Level::stablehlo && mlir::failed(normalise(*module))) return nullptr;
  return module;
}

}  // namespace tandem::compiler
