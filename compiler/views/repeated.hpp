// Views of a buffer that repeat it: one more dimension, whose stride is zero.
#pragma once

#include <optional>

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// A view of a buffer of this type, or one that will be of it, with a dimension of `count` and
// stride zero before dimension `at`.
mlir::Value repeated_view(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                          mlir::MemRefType of, unsigned at, std::int64_t count);

// The additional dimension of such a view; nothing where it is no such view.
std::optional<unsigned> repeated_dimension(mlir::Operation* view);

// The type of such a view when its source has another layout or space.
mlir::MemRefType repeated_type(mlir::Operation* view, mlir::MemRefType source);
// Gives the view this type.
void set_repeated_type(mlir::Operation* view, mlir::MemRefType type);

}  // namespace tandem::compiler
