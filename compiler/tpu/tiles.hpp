// Operations on tiles in VMEM as loops over vectors.
#pragma once

#include <memory>
#include <optional>

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// An address in VMEM in the form of an instruction: the constant part is in the instruction, as far
// as it fits.
struct VmemAddress {
  llvm::SmallVector<mlir::Value> registers;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  BufferId buffer = no_buffer;  // the contents there
};
VmemAddress vmem_address(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t fixed,
                         mlir::OpFoldResult moved, BufferId buffer);
// The load (with its result) or store of this mnemonic there; registers and attributes other than
// those of the address are already in it.
mlir::Value load_at(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef mnemonic,
                    const VmemAddress& address);
void store_at(mlir::OpBuilder& builder, mlir::Location loc, const VmemAddress& address);

// A linalg operation whose operands are all in VMEM, flat and of equal length:
//   parallel           maps (t) -> (t)
//   one reducing loop  inputs (r, t) -> (r, t) or (t), outputs (r, t) -> (t)
mlir::LogicalResult lower_tile(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op);

// The same with one reducing loop over rows that are an odd number of rows of VMEM apart: eight of
// them in a register, a chunk of columns at a time. Nothing, and nothing emitted, where one after
// the other is as fast, or where the cross-lane unit lacks the operation.
std::optional<mlir::LogicalResult> lower_down_columns(mlir::OpBuilder& builder, Memory& memory,
                                                      const Parameters& machine,
                                                      mlir::linalg::LinalgOp op);

// Operations on rows that are executed one group of eight rows at a time.
class RowWork {
 public:
  virtual ~RowWork() = default;
  // The number of operations executed together: the first ones of those given.
  [[nodiscard]] virtual std::size_t operations() const = 0;
  // The number of whole groups, if they can be done one by one, in straight code; 0: not possible.
  [[nodiscard]] virtual std::int64_t groups() const = 0;
  // Does the group of this number, at the builder's place.
  virtual void group(const mlir::OpBuilder& at, mlir::OpFoldResult number) = 0;
  // Does all groups from this one on, in a loop where there are many.
  virtual mlir::LogicalResult finish(std::int64_t from) = 0;
};

// Operations in the row layout of tiled/rows.cpp, with the attribute `tandem.rows`, that follow
// each other with nothing between that touches memory. Operations that cannot be combined with the
// first one come first next time. Null after an error.
std::unique_ptr<RowWork> row_work(mlir::OpBuilder& builder, Memory& memory,
                                  const Parameters& machine,
                                  llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

// Rows of words in VMEM to rows of the bf16 that they hold, with the attribute `tandem.unpack`, or
// back, with `tandem.pack`.
mlir::LogicalResult lower_repack(mlir::OpBuilder& builder, Memory& memory,
                                 const Parameters& machine, mlir::linalg::LinalgOp op);

// Clears both buffers of weights, for contractions that do not fill theirs.
void clear_weights(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& parameters);

// A contraction whose last multiplications and results are not emitted yet: they overlap with the
// beginning of the next one.
class OpenContraction {
 public:
  virtual ~OpenContraction() = default;
  // Whether it may stay open while the operation, which follows, is lowered.
  [[nodiscard]] virtual bool allows(mlir::Operation* op) const = 0;
  // Emits the rest, at the builder's position, and starts the copies.
  virtual mlir::LogicalResult close(mlir::OpBuilder& builder) = 0;

  // Copies of results, which start when these are read: operations after a copy in the text wait
  // for it, and the next contraction has operands to wait for.
  llvm::SmallVector<mlir::memref::CopyOp> copies;
  // Those of the contraction before, which start after the last multiplications.
  llvm::SmallVector<mlir::memref::CopyOp> copies_before;
};

// A contraction with the attribute `tandem.precision`, in the layout of tiled/contraction/.
// Continues from the open one, if any, which allows it, and may become the open one. `fills_up`:
// the contents of the buffers of weights are unknown, and the first set must be a whole one.
// `beside`: independent rows, or null; it does as many groups of them as overlap with its
// multiplications, from the first on, and returns their number.
mlir::FailureOr<std::int64_t> lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                                const Parameters& machine,
                                                mlir::linalg::LinalgOp op, bool fills_up,
                                                RowWork* beside,
                                                std::unique_ptr<OpenContraction>& open);

}  // namespace tandem::compiler
