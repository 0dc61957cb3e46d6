// The parts of calls of kernels: dense buffers in HBM with one element per word, and a declaration
// that represents the kernel's text.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

mlir::MemRefType words_of(mlir::RankedTensorType type);
// The same elements as words: reals as fp32, integers with 32 bits.
mlir::RankedTensorType word_type(mlir::RankedTensorType type);
mlir::Value as_words(Lowering& lowering, mlir::Location loc, mlir::Value value, bool is_unsigned);
// A buffer that holds the tensor.
mlir::Value input_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor);
// A buffer that holds these words.
mlir::Value word_buffer(mlir::OpBuilder& builder, mlir::Location loc,
                        llvm::ArrayRef<std::uint32_t> words);
// The last operand of a call: the kernel's rows of VMEM, one at least.
mlir::Value kernel_rows(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t words);

struct KernelText {
  llvm::StringRef text;
  llvm::StringRef preset;  // "": any memory
  std::int64_t smem_words = 0;
};
// For one call, whose operands are inputs, then results, then rows.
mlir::func::FuncOp declare_kernel(mlir::OpBuilder& builder, mlir::Location loc,
                                  mlir::ValueRange operands, std::int64_t inputs,
                                  const KernelText& kernel);

}  // namespace tandem::compiler
