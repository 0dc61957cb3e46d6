// Blocks in a pipeline of stages.
//
// Operations on rows that need a sum of others over a whole row come in a later stage than those.
// While one stage is in work on a block, those before it are on the blocks behind it:
//
//   stage 2 of block t, stage 1 of block t + 1, stage 0 of block t + 2
//
// The stages have nothing to wait for from each other, so that one loop over the columns does them
// all, and each unit of the machine has work in all of it. What one stage hands to the next one has
// a room: it is read there before the next block's is written.
#pragma once

#include <optional>

#include "compiler/tiled/block_group.hpp"

namespace tandem::compiler::blocks {

class Stages {
 public:
  // Nothing where the operations are one stage, or use buffers in ways that stages do not know.
  static std::optional<Stages> find(const Group& group);

  // Whether the stages need different units, so that doing them at once takes less time.
  [[nodiscard]] bool pays(const Parameters& machine) const;
  [[nodiscard]] std::int64_t words(std::int64_t step, const Parameters& machine) const;
  // The loop over blocks, in front of the group's last operation. There are more blocks than
  // stages.
  void emit(mlir::OpBuilder& builder, std::int64_t step);

 private:
  // What a buffer holds from one writing to the next.
  struct Item {
    mlir::Value view;
    int dimension = 0;
    int first_stage = 0;  // that writes it, or reads what comes from HBM
    int last_stage = 0;   // that reads it
    bool comes = false;   // from HBM
    bool goes = false;    // to HBM
    bool summed = false;  // there when the first stage is over
    // By parity of the block, of what comes or goes; and what stages hand on, from the first one.
    std::array<mlir::Value, 2> streams;
    llvm::SmallVector<mlir::Value> rooms;
  };
  struct Staged {
    mlir::linalg::LinalgOp op;
    int stage = 0;
    llvm::SmallVector<int> items;  // by operand; -1: as it is
  };
  // The block `ahead` blocks behind the one that the step is about.
  struct Position {
    std::int64_t fixed = 0;
    mlir::Value moved;  // in rows
  };

  explicit Stages(const Group& group) : group_(&group) {}
  bool find_items();
  int item_for(mlir::linalg::LinalgOp op, mlir::OpOperand& operand,
               llvm::DenseMap<mlir::Value, int>& current);
  // The stage of each operation; false where stages do not know what it does.
  bool give_stages();
  bool give_fills_stages();
  void find_lives();
  [[nodiscard]] bool can_hand_on() const;
  [[nodiscard]] llvm::SmallVector<double> unit_times(int stage) const;

  void make_rooms(mlir::OpBuilder& builder);
  mlir::Value start_of(mlir::OpBuilder& builder, const Position& step, std::int64_t ahead) const;
  void load(mlir::OpBuilder& builder, const Item& item, const Position& step, std::int64_t ahead,
            bool bounded);
  void store(mlir::OpBuilder& builder, const Item& item, const Position& step, std::int64_t ahead,
             bool carried);
  void stage(mlir::OpBuilder& builder, int number, const Position& step, std::int64_t ahead,
             bool alone = false);
  void prologue(mlir::OpBuilder& builder);
  void turn(mlir::OpBuilder& builder, const Position& step, bool carried);
  void epilogue(mlir::OpBuilder& builder, std::int64_t from);

  const Group* group_;
  int count_ = 1;
  std::int64_t step_ = 0;
  std::int64_t blocks_ = 0;
  llvm::SmallVector<Item> items_;
  llvm::SmallVector<Staged> ops_;
  llvm::DenseMap<mlir::Value, mlir::Value> brought_;  // what all blocks read
};

}  // namespace tandem::compiler::blocks
