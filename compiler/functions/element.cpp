#include "compiler/functions/element.hpp"

#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

std::optional<ElementType> element_of(mlir::Type type) {
  if (type.isF32()) return ElementType::f32;
  if (type.isBF16()) return ElementType::bf16;
  if (type.isF16()) return ElementType::f16;
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  if (!integer) return std::nullopt;
  if (integer.getWidth() == 1) return ElementType::i1;
  if (integer.getWidth() == 8) return integer.isUnsigned() ? ElementType::u8 : ElementType::s8;
  if (integer.getWidth() == 16) return integer.isUnsigned() ? ElementType::u16 : ElementType::s16;
  if (integer.getWidth() == 32) return integer.isUnsigned() ? ElementType::u32 : ElementType::s32;
  return std::nullopt;
}

}  // namespace tandem::compiler
