// Where tensors begin in HBM: their word addresses, as copies take them, are in the argument block.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// A tensor's word address is loaded at its first use, or before the loop that has it, and stays in
// its register; not where control flow comes before that, nor in functions that call others.
void make_bases_in_place(mlir::func::FuncOp function);

// Whether the function reads that word of SMEM by its number.
bool reads_word(mlir::func::FuncOp function, std::int64_t word);

}  // namespace tandem::compiler
