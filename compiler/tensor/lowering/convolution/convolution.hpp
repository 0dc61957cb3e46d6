// A convolution, with the forms that it can take at `tensor`.
//
// Each dimension of input, kernel and result is an axis: a group, a batch, an input feature, an
// output feature, or a spatial dimension. Groups are axes of their own, before the axes that they
// were split from. Along the spatial dimension i, result r and window k meet at element r * stride
// + k * dilation of the padded input.
#pragma once

#include "compiler/tensor/lowering/handlers.hpp"

namespace tandem::compiler::convolution {

using List = llvm::SmallVector<std::int64_t>;
using Expressions = llvm::SmallVector<mlir::AffineExpr>;

enum class Role : std::uint8_t { group, batch, feature, out, spatial };

struct Axis {
  Role role = Role::batch;
  std::int64_t number = 0;  // its spatial dimension

  [[nodiscard]] bool operator==(const Axis&) const = default;
};
using Axes = llvm::SmallVector<Axis>;

struct Spatial {
  std::int64_t result = 1;  // extents
  std::int64_t window = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t low = 0;  // padding
  std::int64_t high = 0;
  std::int64_t input_dilation = 1;
  bool reversed = false;

  // The first element of the padded input that a place of the kernel sees.
  [[nodiscard]] std::int64_t offset(std::int64_t place) const {
    return (reversed ? window - 1 - place : place) * dilation;
  }
};

struct Convolution {
  mlir::Operation* op = nullptr;
  llvm::StringRef precision;
  std::int64_t groups = 1;
  llvm::SmallVector<Spatial> spatial;
  mlir::Value input;  // groups are split off, nothing is padded
  mlir::Value kernel;
  Axes input_axes;
  Axes kernel_axes;
  Axes result_axes;
  List result_shape;  // one extent per axis
};

std::int64_t place_of(const Axes& axes, Axis axis);
// The last axis that has more than one element, or the last one.
Axis innermost(const Axes& axes, llvm::ArrayRef<std::int64_t> shape);

// Reads the attributes, with errors at the operation, and splits off the groups.
mlir::FailureOr<Convolution> read(Lowering& lowering, mlir::Operation* op);

// The input with padding and dilation inserted, and `more` after each spatial dimension (cut off
// where that is negative).
mlir::Value padded_input(Lowering& lowering, const Convolution& convolution, mlir::Value input,
                         const Axes& axes, llvm::ArrayRef<std::int64_t> more = {});

std::int64_t product(llvm::ArrayRef<std::int64_t> extents);
// How many parts of `by` there are, the last one perhaps shorter.
std::int64_t divided(std::int64_t value, std::int64_t by);
// The indices of dimensions of these extents, the last one fastest.
List place(std::int64_t number, llvm::ArrayRef<std::int64_t> extents);

// Joins dimensions: `counts` gives the number for each dimension of the result.
mlir::Value joined(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                   llvm::ArrayRef<std::int64_t> counts);
// The inverse: dimension `at` becomes dimensions of these extents.
mlir::Value parted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, std::int64_t at,
                   llvm::ArrayRef<std::int64_t> extents);

// A tensor of these sizes, whose elements are those at `from`, in its dimensions.
mlir::Value moved(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                  llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<mlir::AffineExpr> from);

// A part of a tensor, every step-th element of it (each, without steps), and a tensor with a part
// replaced.
mlir::Value extracted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<std::int64_t> at, llvm::ArrayRef<std::int64_t> sizes,
                      llvm::ArrayRef<std::int64_t> steps = {});
mlir::Value inserted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value part,
                     mlir::Value into, llvm::ArrayRef<std::int64_t> at,
                     llvm::ArrayRef<std::int64_t> sizes);
// The first ones of the last dimension, this many.
mlir::Value shortened(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                      std::int64_t extent);
llvm::SmallVector<mlir::OpFoldResult> fixed(mlir::OpBuilder& builder,
                                            llvm::ArrayRef<std::int64_t> values);

// fp32, or words, like the result.
mlir::Type type_of_sums(const Convolution& convolution);

// The forms: tensors of the result's axes, with elements of the sums' type. Null: not applicable.

// Each window is linear in the loops, and no patches are built. Handles everything.
mlir::Value by_windows(Lowering& lowering, const Convolution& convolution);
// A matrix of patches times the kernel.
mlir::Value by_patches(Lowering& lowering, const Convolution& convolution);
// The same, with several positions of a row next to each other, where there are few output
// features.
mlir::Value by_blocks(Lowering& lowering, const Convolution& convolution);
// The gradient of a kernel: patches along a row serve all rows of the result.
mlir::Value by_result_rows(Lowering& lowering, const Convolution& convolution);
// Sums of shifted inputs, for groups of one input and one output feature.
mlir::Value by_channel(Lowering& lowering, const Convolution& convolution);
// The same, with positions of a row next to each other, where channels would leave lanes empty.
mlir::Value by_full_rows(Lowering& lowering, const Convolution& convolution);

}  // namespace tandem::compiler::convolution
