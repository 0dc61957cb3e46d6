#include "compiler/stablehlo/collectives/product_steps.hpp"

#include <algorithm>

#include "compiler/contract/thresholds.hpp"
#include "compiler/stablehlo/collectives/rings.hpp"
#include "compiler/stablehlo/maker.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

llvm::ArrayRef<std::int64_t> numbers(Operation* op, llvm::StringRef name) {
  const auto list = op->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return list ? list.asArrayRef() : llvm::ArrayRef<std::int64_t>();
}

}  // namespace

std::optional<std::int64_t> result_dimension(Operation* product, unsigned operand,
                                             std::int64_t dimension) {
  const bool is_left = operand == 0;
  const llvm::StringRef side = is_left ? "lhs" : "rhs";
  const auto batch = numbers(product, (side + "_batching_dimensions").str());
  const auto contracted = numbers(product, (side + "_contracting_dimensions").str());
  const auto is_free = [&](std::int64_t each) {
    return !llvm::is_contained(batch, each) && !llvm::is_contained(contracted, each);
  };
  if (!is_free(dimension)) return {};
  auto place = static_cast<std::int64_t>(batch.size());
  if (!is_left) {
    place += type_of(product->getOperand(0)).getRank() - static_cast<std::int64_t>(batch.size()) -
             static_cast<std::int64_t>(numbers(product, "lhs_contracting_dimensions").size());
  }
  for (std::int64_t i = 0; i < dimension; ++i) place += is_free(i) ? 1 : 0;
  return place;
}

std::optional<OperandDimension> operand_dimension(Operation* product, std::int64_t along) {
  for (const unsigned operand : {0U, 1U}) {
    for (std::int64_t i = 0; i < type_of(product->getOperand(operand)).getRank(); ++i) {
      if (result_dimension(product, operand, i) == along) return OperandDimension{operand, i};
    }
  }
  return {};
}

Operation* product_with(mlir::OpBuilder& builder, Operation* product, unsigned operand, Value part,
                        std::int64_t along, std::int64_t extent) {
  Operation* made = builder.clone(*product);
  made->setOperand(operand, part);
  const RankedTensorType type = type_of(product->getResult(0));
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape[along] = extent;
  made->getResult(0).setType(RankedTensorType::get(shape, type.getElementType()));
  return made;
}

bool pays_in_steps(Operation* product, const ProductStep& step, std::int64_t places,
                   const Parameters& machine) {
  const std::int64_t lanes = machine.lanes;
  // Cycles at each product's beginning and end, overlapped with the arrival of its other operand.
  // Rows that make four blocks or more arrive while others are multiplied
  // (tiled/cut_into_blocks.cpp).
  const bool is_streamed = step.operand == 0 && step.rows != 0 && step.rows % (4 * lanes) == 0;
  const std::int64_t product_cycles = is_streamed ? 500 : 1500;
  const std::int64_t other = type_of(product->getOperand(1 - step.operand)).getNumElements();
  if (threshold::stepped_operand(other, machine)) return false;
  std::int64_t depth = 1;
  const RankedTensorType left = type_of(product->getOperand(0));
  for (const std::int64_t dimension : numbers(product, "lhs_contracting_dimensions")) {
    depth *= left.getDimSize(dimension);
  }
  // Of each, as much as the shorter one takes may be hidden.
  const std::int64_t hidden =
      std::min(link_cycles(step.words, machine), step.results * depth / lanes / lanes);
  const std::int64_t lost = 2 * places * (product_cycles + other / lanes);
  return threshold::stepped_product((places - 1) * hidden - lost, machine);
}

}  // namespace tandem::compiler
