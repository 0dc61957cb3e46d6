#include "compiler/stablehlo/dialect.hpp"

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include "mlir/Transforms/InliningUtils.h"

namespace tandem::compiler {
namespace {

struct Inliner : mlir::DialectInlinerInterface {
  explicit Inliner(mlir::Dialect* dialect) : DialectInlinerInterface(dialect) {}
  bool isLegalToInline(mlir::Operation*, mlir::Operation*, bool) const override { return true; }
  bool isLegalToInline(mlir::Region*, mlir::Region*, bool, mlir::IRMapping&) const override {
    return true;
  }
  bool isLegalToInline(mlir::Operation*, mlir::Region*, bool, mlir::IRMapping&) const override {
    return true;
  }
};

// `stablehlo.add %a, %b : tensor<4xf32>`, the pretty form of operations whose operands and result
// have one type. Frameworks other than JAX pass text; all other operations stay generic.
mlir::ParseResult parse_same_type(mlir::OpAsmParser& parser, mlir::OperationState& state) {
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> operands;
  mlir::Type type;
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) || parser.resolveOperands(operands, type, state.operands)) {
    return mlir::failure();
  }
  state.addTypes(type);
  return mlir::success();
}

struct Stablehlo : mlir::Dialect {
  explicit Stablehlo(mlir::MLIRContext* context)
      : Dialect("stablehlo", context, mlir::TypeID::get<Stablehlo>()) {
    allowUnknownOperations();
    allowUnknownTypes();
    addInterfaces<Inliner>();
  }

  std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef name) const override {
    static const std::array<llvm::StringRef, 12> same_type{
        "add",    "subtract", "multiply",    "divide", "maximum", "minimum",
        "negate", "power",    "exponential", "log",    "tanh",    "sqrt"};
    name.consume_front("stablehlo.");
    if (!llvm::is_contained(same_type, name)) return std::nullopt;
    return ParseOpHook(parse_same_type);
  }

  mlir::Type parseType(mlir::DialectAsmParser& parser) const override {
    const llvm::SMLoc place = parser.getCurrentLocation();
    llvm::StringRef name;
    if (mlir::failed(parser.parseKeyword(&name))) return {};
    if (name == "token") return token_type(getContext());
    parser.emitError(place, "unimplemented: values of type !stablehlo.") << name;
    return {};
  }

  // The reader parses them (reader/opaque_attributes.cpp).
  mlir::Attribute parseAttribute(mlir::DialectAsmParser& parser, mlir::Type) const override {
    return mlir::OpaqueAttr::get(mlir::StringAttr::get(getContext(), "stablehlo"),
                                 parser.getFullSymbolSpec(), mlir::NoneType::get(getContext()));
  }
};

}  // namespace

bool is_stablehlo(mlir::Operation* op, llvm::StringRef name) {
  if (op == nullptr) return false;
  llvm::StringRef whole = op->getName().getStringRef();
  return whole.consume_front("stablehlo.") && whole == name;
}

mlir::Type token_type(mlir::MLIRContext* context) {
  return mlir::RankedTensorType::get({0}, mlir::IntegerType::get(context, 1));
}

void load_stablehlo_dialect(mlir::MLIRContext& context) {
  context.getOrLoadDialect("stablehlo", mlir::TypeID::get<Stablehlo>(),
                           [&context] { return std::make_unique<Stablehlo>(&context); });
}

}  // namespace tandem::compiler
