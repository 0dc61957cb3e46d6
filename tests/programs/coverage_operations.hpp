// Bins of single operations; see coverage.hpp.
#pragma once

#include "tests/programs/coverage.hpp"

namespace tandem::directed {

// The forms that one operand can take, as words: "register", "constant", ".lo", "rows=3", ...
Bins operand_forms(const Operand& operand);
// The forms that this value of it shows.
Bins operand_forms(const Operand& operand, const OperandValue& value);

void add_operation(Slot slot, const Operation& operation, bool enabled, Bins& bins);

}  // namespace tandem::directed
