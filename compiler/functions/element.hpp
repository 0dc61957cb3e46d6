// Element types of StableHLO as the machine has them in HBM.
#pragma once

#include <optional>

#include "isa/image.hpp"
#include "mlir/IR/Types.h"

namespace tandem::compiler {

std::optional<ElementType> element_of(mlir::Type type);

}  // namespace tandem::compiler
