// How one operand of a linalg operation on buffers moves through memory with its loops.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

using Sizes = llvm::SmallVector<std::int64_t>;

// Element of `buffer` at loops (i0, i1, ...): the buffer's first element plus `offset` plus
// i0 * strides[0] + i1 * strides[1] + ..., in elements.
struct Access {
  mlir::Value buffer;
  std::int64_t offset = 0;
  Sizes strides;

  [[nodiscard]] bool is_constant_over(llvm::ArrayRef<unsigned> loops) const;
};

// Failure when the operand's map is not linear in the loops or its buffer has dynamic strides.
mlir::FailureOr<Access> access_of(mlir::Value buffer, mlir::AffineMap map);

// A view of the buffer: sizes and strides as given, beginning `offset` elements after its first
// one. Strides may be zero or negative.
mlir::Value strided_view(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                         mlir::OpFoldResult offset, llvm::ArrayRef<std::int64_t> sizes,
                         llvm::ArrayRef<std::int64_t> strides);

// Sum and product of positions, folded where they are constants.
mlir::OpFoldResult add(mlir::OpBuilder& builder, mlir::Location loc, mlir::OpFoldResult a,
                       mlir::OpFoldResult b);
mlir::OpFoldResult times(mlir::OpBuilder& builder, mlir::Location loc, mlir::OpFoldResult a,
                         std::int64_t factor);

// Strides of a dense box with the last dimension innermost.
Sizes dense_strides(llvm::ArrayRef<std::int64_t> sizes, std::int64_t innermost = 1);
std::int64_t product(llvm::ArrayRef<std::int64_t> sizes);

// Whether the value is a multiple of the number whenever it is computed, as far as its operations
// show.
bool is_multiple_of(mlir::Value value, std::int64_t number);
// What is left of the value after a division by the number, in [0, number); nothing where its
// operations do not tell.
std::optional<std::int64_t> remainder_of(mlir::Value value, std::int64_t number);

// Whether buffers of one memory have addresses, with words in common.
bool share_words(mlir::memref::AllocOp one, mlir::memref::AllocOp other);

// Whether the operation is a view of its first operand's memory; the allocation or argument that a
// view is of.
bool is_view(mlir::Operation* op);
mlir::Value buffer_behind(mlir::Value view);
// The words of its buffer that a view may touch, from `first` up to `end`; all of them where its
// type does not show it. For views whose rows are `stride` words apart, only `width` of them from
// `column` on: `stride` is 0 for other views.
struct Reach {
  mlir::Value buffer;
  std::int64_t first = 0;
  std::int64_t end = std::int64_t{1} << 60;  // larger than any buffer
  std::int64_t stride = 0;
  std::int64_t column = 0;
  std::int64_t width = 0;
};
Reach reach_of(mlir::Value view);
// Whether the operation may be anywhere after its operands.
bool is_free(mlir::Operation* op);
// The offset of the second view after the first, of the same buffer, in elements; nothing where
// that is not known.
std::optional<std::int64_t> distance(mlir::Value one, mlir::Value other);
// Whether the operation, or one inside it, uses the buffer, which is no view, other than for a
// view; and whether it may write it.
bool uses(mlir::Operation* op, mlir::Value root);
bool may_write(mlir::Operation* op, mlir::Value root);

// Whether the operation packs bf16 or unpacks it (tiled/repack.cpp).
bool is_repack(mlir::Operation* op);

// The strides of a buffer or view, in elements; none where its type does not show them.
Sizes strides_of(mlir::Value buffer);

// Whether a buffer or view is in VMEM, and whether an operand's first element, loops at zero, is at
// the beginning of a row there.
bool lies_in_vmem(mlir::Value buffer);
bool begins_at_row(const Access& access, std::int64_t lanes);
// The lane at which it begins, where that is known: 0 for the beginning of a row of VMEM.
std::optional<std::int64_t> first_lane(const Access& access, std::int64_t lanes);

// A new buffer in VMEM.
mlir::Value vmem_buffer(mlir::OpBuilder& builder, mlir::Location loc,
                        llvm::ArrayRef<std::int64_t> sizes, mlir::Type element);

}  // namespace tandem::compiler
