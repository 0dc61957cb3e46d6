// Common code for the calls of the two kinds of exchanges between devices, exchange.cpp and
// ring.cpp.
#pragma once

#include "compiler/tensor/lowering/kernel_buffers.hpp"

namespace tandem::compiler {

struct ExchangeRows {
  mlir::RankedTensorType sent;  // rows of this device, all of one length
  mlir::RankedTensorType received;
};

// For a custom call that takes rows and gives rows; failure after an error at it.
mlir::FailureOr<ExchangeRows> exchange_rows(mlir::Operation* op);
// Whether messages of this many words can be one run of a copy each; else failure after an error.
mlir::LogicalResult check_message(mlir::Operation* op, std::int64_t words);
// Whether it is one of the numbers from 0 to below `end`.
bool is_below(std::int64_t number, std::int64_t end);
// The operand's rows as words, in a buffer.
mlir::Value sent_rows(Lowering& lowering, mlir::Operation* op);
// Calls the kernel with `inputs`, the buffer `received` and this many words of VMEM; `flags` is the
// last pair of flags that it has. The received data is returned as the call's result.
Values call_exchange(Lowering& lowering, mlir::Operation* op, Values inputs, mlir::Value received,
                     std::int64_t vmem_words, const KernelText& kernel, std::int64_t flags);

}  // namespace tandem::compiler
