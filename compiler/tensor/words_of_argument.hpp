// Arguments of @main whose memory is packed, read and written as words.
#pragma once

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// The argument's buffer has words from here on: rows of words, several elements each. What copies
// it as elements keeps doing so. Nothing happens where that has been done before.
void bind_as_words(mlir::func::FuncOp function, mlir::BlockArgument argument);

// The copy between an argument whose rows are packed and a buffer of one element a word.
struct EdgeCopy {
  mlir::BlockArgument argument;
  mlir::memref::CopyOp copy;
};
// Of the memory that the tensor is read from, where nobody else uses that.
std::optional<EdgeCopy> packed_read(mlir::bufferization::ToTensorOp read);
// Of the memory that the tensor is written to, for good.
std::optional<EdgeCopy> packed_write(mlir::bufferization::MaterializeInDestinationOp write);
// Of the memory that the tensor takes, into an argument that is donated.
std::optional<EdgeCopy> packed_write(mlir::bufferization::ToBufferOp taken);

}  // namespace tandem::compiler
