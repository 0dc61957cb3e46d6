// Arguments of @main whose memory is packed, read and written as words.
#pragma once

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// The argument's buffer has words from here on: rows of words, several elements each. Copies of
// elements from or to it stay valid. Does nothing if called again.
void bind_as_words(mlir::func::FuncOp function, mlir::BlockArgument argument);

// The copy between an argument whose rows are packed and a buffer of one element per word.
struct EdgeCopy {
  mlir::BlockArgument argument;
  mlir::memref::CopyOp copy;
};
// Of the memory that the tensor is read from, if it has no other users.
std::optional<EdgeCopy> packed_read(mlir::bufferization::ToTensorOp read);
// Of the memory that the tensor is finally written to.
std::optional<EdgeCopy> packed_write(mlir::bufferization::MaterializeInDestinationOp write);
// Of the memory that the tensor takes, in a donated argument.
std::optional<EdgeCopy> packed_write(mlir::bufferization::ToBufferOp taken);

}  // namespace tandem::compiler
