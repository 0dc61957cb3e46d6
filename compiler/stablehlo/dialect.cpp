#include "compiler/stablehlo/dialect.hpp"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
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

struct Stablehlo : mlir::Dialect {
  explicit Stablehlo(mlir::MLIRContext* context)
      : Dialect("stablehlo", context, mlir::TypeID::get<Stablehlo>()) {
    allowUnknownOperations();
    allowUnknownTypes();
    addInterfaces<Inliner>();
  }

  // The reader takes them apart (reader/opaque_attributes.cpp).
  mlir::Attribute parseAttribute(mlir::DialectAsmParser& parser, mlir::Type) const override {
    return mlir::OpaqueAttr::get(mlir::StringAttr::get(getContext(), "stablehlo"),
                                 parser.getFullSymbolSpec(),
                                 mlir::NoneType::get(getContext()));
  }
};

}  // namespace

void load_stablehlo_dialect(mlir::MLIRContext& context) {
  context.getOrLoadDialect("stablehlo", mlir::TypeID::get<Stablehlo>(),
                           [&context] { return std::make_unique<Stablehlo>(&context); });
}

}  // namespace tandem::compiler
