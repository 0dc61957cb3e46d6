// Common tools of the lowerings to `tpu` operations: the builder, its position, and short names for
// an instruction, a constant and attributes.
#pragma once

#include "compiler/tpu/dialect.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {

class TpuBuilder {
 protected:
  TpuBuilder(mlir::OpBuilder& builder, mlir::Location loc) : builder_(builder), loc_(loc) {}

  // The instruction's result, or null where it writes no register.
  mlir::Value make(llvm::StringRef mnemonic, mlir::ValueRange operands = {},
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return machine(builder_, loc_, mnemonic, operands, attributes);
  }
  mlir::Value constant(std::int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder_, loc_, value);
  }
  mlir::NamedAttribute number(llvm::StringRef name, std::int64_t value) {
    return number_attribute(builder_, name, value);
  }
  mlir::NamedAttribute text(llvm::StringRef name, llvm::StringRef value) {
    return text_attribute(builder_, name, value);
  }
  mlir::NamedAttribute flag(llvm::StringRef name) { return flag_attribute(builder_, name); }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
};

}  // namespace tandem::compiler
