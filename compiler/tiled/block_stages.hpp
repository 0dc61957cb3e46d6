// Blocks in a pipeline of stages.
//
// Operations on rows that need a sum of others over a whole row are in a later stage than those.
// While one stage works on a block, the stages before it work on the following blocks:
//
//   stage 2 of block t, stage 1 of block t + 1, stage 0 of block t + 2
//
// The stages do not wait for each other, so one loop over the columns executes them all and keeps
// each unit of the machine busy. A value passed from one stage to the next has a buffer: it is read
// there before the next block's value is written.
#pragma once

#include <optional>

#include "compiler/tiled/block_group.hpp"

namespace tandem::compiler::blocks {

class Stages {
 public:
  // Nothing where the operations are one stage, or use buffers in unsupported ways.
  static std::optional<Stages> find(const Group& group);

  // Whether the stages need different units, so that overlapping them takes less time.
  [[nodiscard]] bool pays(const Parameters& machine) const;
  [[nodiscard]] std::int64_t words(std::int64_t step, const Parameters& machine) const;
  // The loop over blocks, before the group's last operation. There are more blocks than stages.
  void emit(mlir::OpBuilder& builder, std::int64_t step);

 private:
  // The contents of a buffer from one write to the next.
  struct Item {
    mlir::Value view;
    int dimension = 0;
    int first_stage = 0;  // that writes it, or reads it from HBM
    int last_stage = 0;   // that reads it
    bool comes = false;   // from HBM
    bool goes = false;    // to HBM
    bool summed = false;  // ready when the first stage ends
    // By parity of the block, for data that arrives or leaves; and values passed between stages,
    // from the first one.
    std::array<mlir::Value, 2> streams;
    llvm::SmallVector<mlir::Value> rooms;
  };
  struct Staged {
    mlir::linalg::LinalgOp op;
    int stage = 0;
    llvm::SmallVector<int> items;  // by operand; -1: as it is
  };
  // The block `ahead` blocks after the one of the step.
  struct Position {
    std::int64_t fixed = 0;
    mlir::Value moved;  // in rows
  };

  explicit Stages(const Group& group) : group_(&group) {}
  bool find_items();
  int item_for(mlir::linalg::LinalgOp op, mlir::OpOperand& operand,
               llvm::DenseMap<mlir::Value, int>& current);
  // The stage of each operation; false where an operation is not supported.
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
  llvm::DenseMap<mlir::Value, mlir::Value> brought_;  // read by all blocks
};

}  // namespace tandem::compiler::blocks
