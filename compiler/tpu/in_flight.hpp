// The copies that have been started and not waited for.
//
// Copies run in parallel to the program until something needs their target, or writes their source.
// Every block of the program has a flag for the copies started in it, since copies of one flag
// complete in order: waiting for one is waiting for those before it, too. A block begins and ends
// with nothing in flight under its own flag; copies of the blocks around it continue.
//
// A copy in a loop with the attribute `tandem.carried` continues into the next iteration, and that
// of the last iteration beyond the loop. It has a flag of its own, which is set to complete before
// the loop.
//
// Copies of a loop that no iteration needs (free_copies.hpp) all continue, and are waited for after
// it.
#pragma once

#include <optional>

#include "compiler/contract/exchange_flags.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// Whether two buffers, which are no views, share memory: the plan gives the same memory to buffers
// whose lives do not overlap.
bool share_memory(mlir::Value a, mlir::Value b);
// Whether one of the operations writes memory that the other touches.
bool meet(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other);
// Whether two ranges have words in common.
bool meet(const Reach& a, const Reach& b);

class InFlight {
 public:
  static constexpr int flag_of_single_copies = 31;
  // For loops that start copies for later iterations and wait by count (tiled/row_stream.hpp).
  static constexpr int flag_of_coming = 22;
  static constexpr int flag_of_going = 23;
  static constexpr std::int64_t most = 200;  // a wait's number has eight bits

  // `exchanges`: the number of their pairs of flags (contract/exchange_flags.hpp).
  InFlight(std::int64_t lanes, std::size_t exchanges)
      : lanes_(lanes), end_carried_(static_cast<int>(end_of_carried_flags(exchanges))) {}

  // `builder` is before the operation that the block belongs to.
  void enter_block(mlir::OpBuilder& builder, mlir::Block& block);
  // Waits for all copies that the block has started; `builder` is at its end.
  void leave_block(mlir::OpBuilder& builder, mlir::Location loc);
  // Waits for the copies that such a block, of a loop, has left in flight; `builder` is after the
  // loop.
  void wait_behind(mlir::OpBuilder& builder, mlir::scf::ForOp loop);

  // Waits for copies that must be complete before these buffers are read and written. Called before
  // a region, except for tiles of columns, for which the operations in it wait.
  void settle(mlir::OpBuilder& builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> reads,
              llvm::ArrayRef<mlir::Value> writes, bool before_region = false) {
    settle_beside(builder, loc, reads, writes, {.before_region = before_region});
  }
  // The same for a copy, word by word. Parts of one copy, which follow each other, do not overlap:
  // they wait for other copies, not for each other.
  void settle_copy(mlir::OpBuilder& builder, mlir::memref::CopyOp copy);
  // Waits for the copies that bring these words, in whole rows: of copies in parts
  // (tiled/chunk_weight_copies.cpp) only the parts with these words.
  void settle_words(mlir::OpBuilder& builder, mlir::Location loc, const Reach& words);
  // Whether there is anything to wait for.
  [[nodiscard]] bool is_coming(const Reach& words) const;
  // The same for a tile of columns of a buffer that arrives by tiles
  // (tiled/chunk_weight_columns.cpp), `loop` further where a loop is over them.
  void settle_columns(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                      std::int64_t tile, mlir::Value loop);
  // The flag for `count` copies that follow; 0 where the block is nested too deep to have one.
  int start(mlir::OpBuilder& builder, mlir::Location loc, mlir::memref::CopyOp copy,
            std::int64_t count);

  // For a copy that takes several descriptors, or none: it is complete at the end of its iteration.
  void do_not_carry(mlir::OpBuilder& builder, mlir::memref::CopyOp copy);

  static void wait(mlir::OpBuilder& builder, mlir::Location loc, int flag, std::int64_t count);
  // For a copy of a stream, or the last one after it.
  static std::optional<int> flag_of_stream(mlir::memref::CopyOp copy);
  static void end_stream(mlir::OpBuilder& builder, mlir::memref::CopyOp copy);
  // At the beginning of an iteration of such a loop: the data that it needs has arrived, and the
  // data that it overwrites has left.
  static void begin_turn(mlir::OpBuilder& builder, mlir::scf::ForOp loop);
  static void reset(mlir::OpBuilder& builder, mlir::Location loc, int flag);

 private:
  struct Copy {
    std::int64_t number = 0;  // the flag's value when it is complete
    std::int64_t whole = 0;   // the copy of which it is a part, from 1 on
    Reach source;             // in whole rows
    Reach target;
    Reach source_words;  // as a copy sees it, to the exact word
    Reach target_words;
    std::int64_t column = -1;  // the part, for parts by tiles of columns
    std::int64_t tiles = 1;    // of columns in such a part, a power of two
  };
  struct Carried {
    mlir::memref::CopyOp copy;
    int flag = 0;
    bool waits = true;            // that of the last iteration may still be running
    bool is_behind_loop = false;  // the loop that it is carried in has ended
  };
  struct Block {
    llvm::SmallVector<Carried> carried;
    std::int64_t started = 0;
    std::int64_t waited = 0;
    llvm::SmallVector<Copy> copies;
    llvm::SmallVector<mlir::memref::CopyOp> free;
  };

  struct Settling {
    bool before_region = false;
    std::int64_t beside = 0;  // the copy whose parts are not waited for
    bool in_words = false;    // the waiting operation is a copy, and touches exactly its words
  };
  void settle_beside(mlir::OpBuilder& builder, mlir::Location loc,
                     llvm::ArrayRef<mlir::Value> reads, llvm::ArrayRef<mlir::Value> writes,
                     const Settling& how);
  // The memory that a view may touch, in whole rows: a load reads whole rows, and drops what it
  // does not need.
  [[nodiscard]] Reach rows_of(mlir::Value view) const;
  // The memory that a store to the view may touch: at the end of a buffer it may write a whole
  // vector, as the memory after it is unused (tpu/tiles.cpp), or belonged to a buffer whose copies
  // are in flight.
  [[nodiscard]] Reach stored_rows_of(mlir::Value view) const;
  [[nodiscard]] static int flag_of(std::size_t depth) { return static_cast<int>(depth) + 1; }
  static void wait_for(mlir::OpBuilder& builder, mlir::Location loc, Block& block, int flag,
                       std::int64_t number);
  static void settle_carried(mlir::OpBuilder& builder, mlir::Location loc, Carried& carried);
  static constexpr int flag_of_free = 15;
  static constexpr int first_carried = 16;  // flag
  std::int64_t lanes_;
  int end_carried_;  // kernels have those from 24 on
  int next_carried_ = first_carried;
  std::int64_t free_started_ = 0;  // in an iteration of the current loop
  std::int64_t copy_ = 0;          // the current one

  llvm::SmallVector<Block, 1> blocks_{Block{}};
};

}  // namespace tandem::compiler
