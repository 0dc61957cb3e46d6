// Products done in parts during a ring exchange: common code of the two kinds.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/parameters.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// The kernels of steps have one or two buffers for each.
inline constexpr std::int64_t most_places_of_steps = 8;

// The dimension of a dot_general's result that corresponds to this one of an operand (0: left);
// none where it is batched or contracted.
std::optional<std::int64_t> result_dimension(mlir::Operation* product, unsigned operand,
                                             std::int64_t dimension);

struct OperandDimension {
  unsigned operand = 0;
  std::int64_t dimension = 0;
};
// The operand's dimension that corresponds to this one of the result; none where it is batched.
std::optional<OperandDimension> operand_dimension(mlir::Operation* product, std::int64_t along);

// The same product with another operand, for other results along a dimension.
mlir::Operation* product_with(mlir::OpBuilder& builder, mlir::Operation* product, unsigned operand,
                              mlir::Value part, std::int64_t along, std::int64_t extent);

// The work of each step: a part of this operand, a message of this many words each way, and this
// many results, in two products.
struct ProductStep {
  unsigned operand = 0;
  std::int64_t words = 0;
  std::int64_t results = 0;
  std::int64_t rows = 0;  // of the operand in each product; 0 where they are not dense
};
// Whether an estimate shows that the product is faster in parts, among this many devices.
bool pays_in_steps(mlir::Operation* product, const ProductStep& step, std::int64_t places,
                   const Parameters& machine);

}  // namespace tandem::compiler
