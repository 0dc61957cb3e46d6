// A product and the sum of it over devices, each of which gets a part (reduce_scatter) or all of it
// (all_reduce), as one ring with the product inside (decision 192).
//
// Each device multiplies the half parts that are next to go, adds what has come for them, and sends
// them on, in the order of functions/ring_text.hpp: so sums are the same.
#pragma once

#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The dot_general whose sum over devices the operation is, if it may go by parts (its first
// dimension, or that which is scattered, is no batch) and an estimate says that it is faster; else
// null.
mlir::Operation* product_of_scattered(mlir::Operation* reduce, const Groups& groups,
                                      const Parameters& machine);

// The device's part of the sum, in place of both; an all_reduce becomes an all_gather of it, which
// is left to be expanded: null where there is none.
mlir::Operation* expand_scattered_product(mlir::Operation* reduce, mlir::Operation* product,
                                          const Groups& groups, const ExchangeFlags::Choice& flags);

}  // namespace tandem::compiler
