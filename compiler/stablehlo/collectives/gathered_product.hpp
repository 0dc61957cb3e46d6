// all_gather and a product of what is gathered, as one ring with the product inside (decision 192).
//
// Each device multiplies the part that it has while the others' are on the way, and then each part
// when it has come. Parts travel as in functions/ring_text.hpp, in halves both ways; what comes in
// one step, a half from either side, is as much as one part.
#pragma once

#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The dot_general that takes all of what the operation gathers, if it may go by parts (the gathered
// dimension is one of the result's) and an estimate says that it is faster; else null.
mlir::Operation* product_of_gathered(mlir::Operation* gather, const Groups& groups,
                                     const Parameters& machine);

// In place of both.
void expand_gathered_product(mlir::Operation* gather, mlir::Operation* product,
                             const Groups& groups, const ExchangeFlags::Choice& flags);

}  // namespace tandem::compiler
