// The types and attributes that VHLO and Shardy write into bytecode, read as builtin ones.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

namespace mlir {
class DialectBytecodeReader;
class MLIRContext;
}  // namespace mlir

namespace tandem::compiler {

// Both emit an error at the reader and return null for unknown or damaged codes.
mlir::Type read_vhlo_type(mlir::DialectBytecodeReader& reader, mlir::MLIRContext* context);
mlir::Attribute read_vhlo_attribute(mlir::DialectBytecodeReader& reader,
                                    mlir::MLIRContext* context);
// The sizes of a tensor beyond 2^40 elements, for which read_vhlo_type() returned another type.
std::optional<llvm::StringRef> too_large_tensor(mlir::Type type);
// Shardings mean nothing on one device, so only their extent matters.
mlir::Attribute read_shardy_attribute(mlir::DialectBytecodeReader& reader,
                                      mlir::MLIRContext* context);

}  // namespace tandem::compiler
