// Operations on tiles in VMEM as loops over vectors.
#pragma once

#include <memory>
#include <optional>

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// An address in VMEM as an instruction takes it: what is a number is in the instruction, as far as
// it has room for it.
struct VmemAddress {
  llvm::SmallVector<mlir::Value> registers;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  BufferId buffer = no_buffer;  // what lies there
};
VmemAddress vmem_address(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t fixed,
                         mlir::OpFoldResult moved, BufferId buffer);
// The load (with its result) or store of this mnemonic there; registers and attributes beside those
// of the address are in it already.
mlir::Value load_at(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef mnemonic,
                    const VmemAddress& address);
void store_at(mlir::OpBuilder& builder, mlir::Location loc, const VmemAddress& address);

// A linalg operation whose operands all lie in VMEM, flat and of equal length:
//   parallel           maps (t) -> (t)
//   one reducing loop  inputs (r, t) -> (r, t) or (t), outputs (r, t) -> (t)
mlir::LogicalResult lower_tile(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op);

// The same with one reducing loop over rows that are an odd number of rows of VMEM apart: eight of
// them in a register, a chunk of columns at a time. Nothing, and nothing has been made, where one
// after the other is as fast, or where the cross-lane unit does not have what is reduced by.
std::optional<mlir::LogicalResult> lower_down_columns(mlir::OpBuilder& builder, Memory& memory,
                                                      const Parameters& machine,
                                                      mlir::linalg::LinalgOp op);

// Operations on rows that are done group of eight rows by group of eight rows.
class RowWork {
 public:
  virtual ~RowWork() = default;
  // How many operations go together: the first ones of those that were given.
  [[nodiscard]] virtual std::size_t operations() const = 0;
  // Whole groups that can be done one by one, in straight code; 0: no.
  [[nodiscard]] virtual std::int64_t groups() const = 0;
  // Does the group of this number, at the builder's place.
  virtual void group(const mlir::OpBuilder& at, mlir::OpFoldResult number) = 0;
  // Does all from this group on, in a loop where there are many.
  virtual mlir::LogicalResult finish(std::int64_t from) = 0;
};

// Operations in the row layout of tiled/rows.cpp, with the attribute `tandem.rows`, that follow
// each other with nothing between that touches memory. What does not go together with the first of
// them comes first next time. Null after an error.
std::unique_ptr<RowWork> row_work(mlir::OpBuilder& builder, Memory& memory,
                                  const Parameters& machine,
                                  llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

// Rows of words in VMEM to rows of the bf16 that they hold, with the attribute `tandem.unpack`, or
// back, with `tandem.pack`.
mlir::LogicalResult lower_repack(mlir::OpBuilder& builder, Memory& memory,
                                 const Parameters& machine, mlir::linalg::LinalgOp op);

// Both buffers of weights zero, for contractions that do not fill theirs.
void clear_weights(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& parameters);

// A contraction whose last multiplications and whose results are still to come: they go beside the
// beginning of the next one.
class OpenContraction {
 public:
  virtual ~OpenContraction() = default;
  // Whether it may stay open while the operation, which follows, is lowered.
  [[nodiscard]] virtual bool allows(mlir::Operation* op) const = 0;
  // Does what is left, at the builder's place, and starts the copies.
  virtual mlir::LogicalResult close(mlir::OpBuilder& builder) = 0;

  // Copies of results, which start when these are read: what comes behind a copy in the text waits
  // for it, and the next contraction has operands to wait for.
  llvm::SmallVector<mlir::memref::CopyOp> copies;
  // Those of the one before, which start behind the last multiplications.
  llvm::SmallVector<mlir::memref::CopyOp> copies_before;
};

// A contraction with the attribute `tandem.precision`, in the layout of tiled/contraction/. Goes
// on from the one that is open, if any, which allows it, and may be the one that is open then.
// `fills_up`: nobody knows what the buffers of weights hold, and the first set is to be a whole
// one. `beside`: rows that have nothing to do with it, or null; it does as many groups of them as
// go beside its multiplications, from the first on, and returns how many that were.
mlir::FailureOr<std::int64_t> lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                                const Parameters& machine,
                                                mlir::linalg::LinalgOp op, bool fills_up,
                                                RowWork* beside,
                                                std::unique_ptr<OpenContraction>& open);

}  // namespace tandem::compiler
