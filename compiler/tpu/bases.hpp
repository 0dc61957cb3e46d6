// Where tensors begin in HBM: the machine passes their byte addresses to a program, and copies take
// word addresses. Programs with loops find those in SMEM, where the prologue stores them
// (asm/emit.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// In a function without control flow, a tensor's word address is computed at its first use and
// stays in its register.
void make_bases_in_place(mlir::func::FuncOp function);

// Whether the function reads that word of SMEM by its number.
bool reads_word(mlir::func::FuncOp function, std::int64_t word);

}  // namespace tandem::compiler
