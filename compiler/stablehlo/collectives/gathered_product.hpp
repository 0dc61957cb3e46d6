// all_gather and a product of its result, as one ring with the product inside (decision 192).
//
// Each device multiplies its own part while the others are on the way, and then each part as it
// arrives. Parts travel as in functions/ring_text.hpp, in halves both ways; a step brings as much
// as one part, a half from either side.
#pragma once

#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The dot_general that uses all of the operation's result, if it can be done in parts (the gathered
// dimension is one of its own result's) and an estimate shows that it is faster; else null.
mlir::Operation* product_of_gathered(mlir::Operation* gather, const Groups& groups,
                                     const Parameters& machine);

// Replaces both.
void expand_gathered_product(mlir::Operation* gather, mlir::Operation* product,
                             const Groups& groups, const ExchangeFlags::Choice& flags);

}  // namespace tandem::compiler
