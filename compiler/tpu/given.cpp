#include "compiler/tpu/given.hpp"

#include "mlir/IR/Builders.h"

namespace tandem::compiler {

mlir::Location with_given(mlir::Location loc, const Touch& own, llvm::ArrayRef<Touch> given) {
  llvm::SmallVector<std::int64_t> numbers{own.reads, own.writes};
  for (const Touch& touch : given) numbers.append({touch.reads, touch.writes});
  return mlir::FusedLoc::get(loc.getContext(), {loc},
                             mlir::Builder(loc.getContext()).getDenseI64ArrayAttr(numbers));
}

llvm::SmallVector<Touch> given_of(mlir::Location loc) {
  const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc);
  const auto numbers =
      fused ? mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(fused.getMetadata()) : nullptr;
  llvm::SmallVector<Touch> given;
  for (std::int64_t i = 2; numbers && i + 1 < numbers.size(); i += 2) {
    given.push_back({static_cast<BufferId>(numbers[i]), static_cast<BufferId>(numbers[i + 1])});
  }
  return given;
}

}  // namespace tandem::compiler
