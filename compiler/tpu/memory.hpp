// From buffers and views to addresses: copies and loads of the level `buffers` in terms of the
// machine.
#pragma once

#include "compiler/moves/plan.hpp"
#include "compiler/tpu/in_flight.hpp"
#include "compiler/tpu/kept_rows.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "compiler/tpu/touches.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// The memory that a descriptor names.
enum class Space : std::uint8_t { hbm, vmem, smem };

// The address of a view's first element, in words of its memory.
struct Place {
  Space space = Space::hbm;
  std::int64_t slot = 0;      // HBM: the word of SMEM that holds the address of its region
  std::int64_t start = 0;     // of the buffer in its region
  mlir::OpFoldResult offset;  // of the view in the buffer
  BufferId buffer = no_buffer;
};

// A row of VMEM: a constant, plus a run-time value, if any.
struct VmemRow {
  std::int64_t fixed = 0;
  mlir::Value moved;
  BufferId buffer = no_buffer;  // the buffer of the row

  bool operator==(const VmemRow& other) const {
    return fixed == other.fixed && moved == other.moved;
  }
};

class Memory {
 public:
  Memory(mlir::func::FuncOp function, const Parameters& machine);

  mlir::FailureOr<Place> place_of(mlir::Value buffer);
  // The view must begin at a whole row; or anywhere in one, and `lane` is the lane.
  mlir::FailureOr<VmemRow> row_of(mlir::OpBuilder& builder, mlir::Value buffer,
                                  std::int64_t* lane = nullptr);

  [[nodiscard]] InFlight& in_flight() { return in_flight_; }
  [[nodiscard]] KeptRows& kept_rows() { return kept_rows_; }
  mlir::LogicalResult lower_copy(mlir::OpBuilder& builder, mlir::memref::CopyOp copy);
  // The element as a scalar.
  mlir::FailureOr<mlir::Value> lower_load(mlir::OpBuilder& builder, mlir::memref::LoadOp load);
  mlir::LogicalResult lower_store(mlir::OpBuilder& builder, mlir::memref::StoreOp store,
                                  mlir::Value scalar);
  // The word offset of a view, which `extract_strided_metadata` asks for.
  mlir::Value offset_value(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer);
  // The part of an address in words that is not in the descriptor; for HBM all of it.
  mlir::Value address(mlir::OpBuilder& builder, mlir::Location loc, const Place& place,
                      mlir::OpFoldResult extra);

 private:
  using Dimension = moves::Dimension;

  mlir::FailureOr<Place> find_place(mlir::Value buffer);
  // Whether the innermost dimension is contiguous on both sides.
  static bool runs(llvm::ArrayRef<Dimension> dimensions);
  // The contiguous run first, if there is one.
  static void put_in_order(moves::Dimensions& dimensions);
  void copy_now(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                const Place& target);

  void start_copy(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                  const Place& target, llvm::ArrayRef<Dimension> dimensions,
                  mlir::OpFoldResult source_extra, mlir::OpFoldResult target_extra);
  void copy_loops(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                  const Place& target, llvm::ArrayRef<Dimension> dimensions,
                  mlir::OpFoldResult source_extra, mlir::OpFoldResult target_extra);

  const Parameters& machine_;
  SmemLayout smem_;
  BufferNumbers numbers_;
  InFlight in_flight_;
  KeptRows kept_rows_;
  int flag_ = 0;                 // of the current copy
  bool waits_in_loops_ = false;  // each iteration of its loops has its own
  // By offset in words.
  llvm::DenseMap<mlir::Value, mlir::Value> moved_rows_;
  llvm::StringMap<std::int64_t> globals_;  // word offsets of constants
};

}  // namespace tandem::compiler
