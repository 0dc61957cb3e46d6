#include "compiler/mosaic/module.hpp"

#include "compiler/contract/places.hpp"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace tandem::compiler::mosaic {
namespace {

constexpr llvm::StringLiteral prefix = "stable_mosaic.";
constexpr std::int64_t oldest = 11;
constexpr std::int64_t newest = 15;

// JSON's parser goes down by calling itself. Brackets in strings count, too: none has that many.
bool is_too_deep(llvm::StringRef json) {
  constexpr unsigned deepest = 100;
  unsigned depth = 0;
  for (const char c : json) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') depth -= depth > 0 ? 1 : 0;
    if (depth > deepest) return true;
  }
  return false;
}

// The bytes of the module; failure after an error.
mlir::FailureOr<std::vector<char>> bytes_of(mlir::Operation* call) {
  const auto text = call->getAttrOfType<mlir::StringAttr>("backend_config");
  if (!text) return call->emitError("a Pallas kernel without its configuration");
  if (is_too_deep(text.getValue())) {
    return call->emitError("too deep: a Pallas kernel's configuration");
  }
  auto json = llvm::json::parse(text.getValue());
  if (!json) {
    llvm::consumeError(json.takeError());
    return call->emitError("a Pallas kernel whose configuration is no JSON");
  }
  const llvm::json::Object* top = json->getAsObject();
  const llvm::json::Object* config =
      top != nullptr ? top->getObject("custom_call_config") : nullptr;
  const auto body = config != nullptr ? config->getString("body") : std::nullopt;
  if (!body) return call->emitError("a Pallas kernel without a body");
  if (config->getBoolean("has_communication").value_or(false)) {
    return call->emitError("unimplemented: a Pallas kernel that talks to other chips");
  }
  std::vector<char> bytes;
  if (auto error = llvm::decodeBase64(*body, bytes)) {
    llvm::consumeError(std::move(error));
    return call->emitError("a Pallas kernel whose body is not in base64");
  }
  return bytes;
}

std::unique_ptr<mlir::MLIRContext> own_context() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  return context;
}

mlir::LogicalResult parse(mlir::Operation* call, Module& result) {
  const auto bytes = bytes_of(call);
  if (mlir::failed(bytes)) return mlir::failure();
  result.context = own_context();
  std::string trouble;
  const mlir::ScopedDiagnosticHandler handler(result.context.get(), [&](mlir::Diagnostic& said) {
    if (trouble.empty()) trouble = said.str();
    return mlir::success();
  });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(bytes->data(), bytes->size()), "kernel"),
      llvm::SMLoc());
  const mlir::ParserConfig config(result.context.get(), /*verifyAfterParse=*/false);
  result.module = mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  if (!result.module) {
    // The bytecode has types that this MLIR lacks: floats of 8 bits and fewer.
    if (llvm::StringRef(trouble).starts_with("unknown attribute code")) {
      return call->emitError("unimplemented: elements of 8-bit floats or other types that MLIR ")
             << LLVM_VERSION_STRING << " does not know, in a Pallas kernel";
    }
    return call->emitError("a Pallas kernel that cannot be read: ") << trouble;
  }
  if (!has_short_locations(*result.module)) {
    return call->emitError("too deep: the locations of a Pallas kernel");
  }
  const auto version = (*result.module)->getAttrOfType<mlir::IntegerAttr>("stable_mosaic.version");
  if (!version || version.getInt() < oldest || version.getInt() > newest) {
    auto error = call->emitError("unimplemented: a Pallas kernel of version ");
    if (version) error << version.getInt();
    return error << "; there are " << oldest << " to " << newest;
  }
  return mlir::success();
}

mlir::Operation* function(Module& module, llvm::StringRef name) {
  for (mlir::Operation& op : *module.module->getBody()) {
    const auto symbol = op.getAttrOfType<mlir::StringAttr>("sym_name");
    if (name_of(&op) == "func.func" && symbol && (name.empty() || symbol.getValue() == name) &&
        op.getNumRegions() == 1 && op.getRegion(0).hasOneBlock() &&
        !op.getRegion(0).front().empty() &&
        name_of(&op.getRegion(0).front().back()) == "func.return") {
      return &op;
    }
  }
  return nullptr;
}

mlir::LogicalResult read_windows(mlir::Operation* call, mlir::Operation* kernel, Module& result) {
  const auto windows = kernel->getAttrOfType<mlir::ArrayAttr>("window_params");
  if (!windows) return mlir::success();
  for (const mlir::Attribute entry : windows) {
    const auto said = mlir::dyn_cast<mlir::DictionaryAttr>(entry);
    Window window;
    // Operands that the kernel itself copies from have no window.
    const auto name =
        said ? said.getAs<mlir::FlatSymbolRefAttr>("transform_indices") : mlir::FlatSymbolRefAttr();
    if (name) {
      if (said.get("window_kind")) {
        return call->emitError(
            "unimplemented: a Pallas kernel with blocks that are said in elements "
            "(pl.Element)");
      }
      mlir::Operation* transform = function(result, name.getValue());
      const auto block = said.getAs<mlir::DenseI64ArrayAttr>("window_bounds");
      if (transform == nullptr || !block)
        return call->emitError("a Pallas kernel's damaged window");
      window.transform = &transform->getRegion(0).front();
      window.block.assign(block.asArrayRef().begin(), block.asArrayRef().end());
    }
    result.windows.push_back(std::move(window));
  }
  return mlir::success();
}

}  // namespace

mlir::FailureOr<Module> read_module(mlir::Operation* call) {
  Module result;
  if (mlir::failed(parse(call, result))) return mlir::failure();
  mlir::Operation* kernel = function(result, "");
  if (kernel == nullptr) return call->emitError("a Pallas kernel without a function");
  result.body = &kernel->getRegion(0).front();
  result.grid = integers_of(kernel, "iteration_bounds");
  const auto number = [&](llvm::StringRef name) {
    const auto value = kernel->getAttrOfType<mlir::IntegerAttr>(name);
    return value ? value.getInt() : 0;
  };
  result.prefetched = number("scalar_prefetch");
  result.scratch = number("scratch_operands");
  if (mlir::failed(read_windows(call, kernel, result))) return mlir::failure();
  return result;
}

llvm::StringRef name_of(mlir::Operation* op) {
  llvm::StringRef name = op->getName().getStringRef();
  name.consume_front(prefix);
  return name;
}

llvm::StringRef text_of(mlir::Attribute attribute) {
  const auto opaque = mlir::dyn_cast_or_null<mlir::OpaqueAttr>(attribute);
  if (!opaque) return "";
  llvm::StringRef text = opaque.getAttrData();
  text = text.split('<').second;
  text.consume_back(">");
  return text;
}

llvm::StringRef text_of(mlir::Operation* op, llvm::StringRef name) {
  return text_of(op->getAttr(name));
}

llvm::StringRef space_of(mlir::MemRefType type) { return text_of(type.getMemorySpace()); }

llvm::SmallVector<std::int64_t> integers_of(mlir::Operation* op, llvm::StringRef name) {
  llvm::SmallVector<std::int64_t> result;
  const mlir::Attribute value = op->getAttr(name);
  if (const auto wide = mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(value)) {
    result.append(wide.asArrayRef().begin(), wide.asArrayRef().end());
  } else if (const auto words = mlir::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(value)) {
    result.append(words.asArrayRef().begin(), words.asArrayRef().end());
  }
  return result;
}

std::optional<std::int64_t> constant_of(mlir::Value value) {
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr) return std::nullopt;
  if (name_of(op) == "arith.index_cast") return constant_of(op->getOperand(0));
  if (name_of(op) != "arith.constant") return std::nullopt;
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("value");
  if (!number) return std::nullopt;
  return number.getInt();
}

}  // namespace tandem::compiler::mosaic
