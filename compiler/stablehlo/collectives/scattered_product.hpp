// A product and its sum over devices, each of which gets a part (reduce_scatter) or all of it
// (all_reduce), as one ring with the product inside (decision 192).
//
// Each device multiplies the half parts that are sent next, adds the arrived sums for them, and
// sends them on, in the order of functions/ring_text.hpp, so sums are the same.
#pragma once

#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The dot_general whose sum over devices is the operation, if it can be done in parts (its first
// dimension, or the scattered one, is not a batch dimension) and an estimate shows that it is
// faster; else null.
mlir::Operation* product_of_scattered(mlir::Operation* reduce, const Groups& groups,
                                      const Parameters& machine);

// The device's part of the sum, replacing both; an all_reduce becomes an all_gather of it, which is
// yet to be expanded: null where there is none.
mlir::Operation* expand_scattered_product(mlir::Operation* reduce, mlir::Operation* product,
                                          const Groups& groups, const ExchangeFlags::Choice& flags);

}  // namespace tandem::compiler
