// The values that a Pallas kernel stores are computed in place.
//
// A store is a copy of a buffer that operations have written. Where the buffer has no other users
// and nothing in between changes the operands of those operations, they move to the store and write
// the window or scratch itself, and the buffer disappears:
//
//   %a = alloc; f(%x) -> %a; ...; copy %a -> %window       f(%x) -> %window
//
// An operation may read the overwritten memory only element by element. Where the stored value has
// other users, before or after, the operations stay in place, and all of them use the window; then
// nothing else may use it up to the store, nor write it up to the last of them.
//
// A store of a value loaded from the same window is a copy within it, whose parts may overlap: the
// elements are first moved to a temporary.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::linalg::LinalgOp;

bool is_window(Value view) {
  mlir::Operation* made = buffer_behind(view).getDefiningOp();
  return made != nullptr && attribute::window.is_on(made);
}

Value without_casts(Value view) {
  while (auto cast = view.getDefiningOp<memref::CastOp>()) view = cast.getSource();
  return view;
}

bool is_buffer(Value value) { return mlir::isa<mlir::MemRefType>(value.getType()); }

// Whether the two are the same part of one buffer.
bool is_same_part(Value one, Value other) {
  if (without_casts(one) == without_casts(other)) return true;
  const auto type = mlir::cast<mlir::MemRefType>(one.getType());
  const auto like = mlir::cast<mlir::MemRefType>(other.getType());
  Sizes strides;
  Sizes others;
  std::int64_t offset = 0;
  std::int64_t place = 0;
  return buffer_behind(one) == buffer_behind(other) && type.getShape() == like.getShape() &&
         mlir::succeeded(type.getStridesAndOffset(strides, offset)) &&
         mlir::succeeded(like.getStridesAndOffset(others, place)) && strides == others &&
         offset == place && !mlir::ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, mlir::ShapedType::isDynamic);
}

// Whether the two have no element in common, as far as their types show.
bool are_apart(Value one, Value other) {
  const Reach reach = reach_of(one);
  const Reach like = reach_of(other);
  return reach.buffer != like.buffer || reach.end <= like.first || like.end <= reach.first;
}

// The elements of a view as a buffer of their own, created before the copy.
Value moved_aside(mlir::linalg::CopyOp copy, Value view) {
  mlir::OpBuilder builder(copy);
  const auto type = mlir::cast<mlir::MemRefType>(view.getType());
  const Value room = memref::AllocOp::create(
      builder, copy.getLoc(), mlir::MemRefType::get(type.getShape(), type.getElementType()));
  mlir::linalg::CopyOp::create(builder, copy.getLoc(), view, room);
  return room;
}

class Store {
 public:
  explicit Store(mlir::linalg::CopyOp copy)
      : copy_(copy), room_(copy.getInputs()[0]), target_(copy.getOutputs()[0]) {}

  // Moves the computation of the value to the store, or makes all users of the value use the window
  // instead, if it can.
  void settle();

 private:
  bool find_users();
  [[nodiscard]] bool can_move() const;
  [[nodiscard]] bool can_share() const;
  bool bring_view_ahead();
  [[nodiscard]] bool only_writes(mlir::Operation* op) const;
  [[nodiscard]] static bool begins(mlir::Operation* op);
  [[nodiscard]] bool stays(LinalgOp maker, Value input) const;
  [[nodiscard]] bool may_be_overwritten(LinalgOp maker, mlir::OpOperand& input) const;

  mlir::linalg::CopyOp copy_;
  Value room_;
  Value target_;
  llvm::SmallVector<LinalgOp> makers_;           // in the order of the text
  llvm::SmallVector<mlir::Operation*> readers_;  // of the block, those before the copy first
};

// Whether the operation has the buffer as its only output.
bool Store::only_writes(mlir::Operation* op) const {
  auto maker = mlir::dyn_cast<LinalgOp>(op);
  return maker && maker.getNumDpsInits() == 1 && maker.getDpsInits()[0] == room_ &&
         llvm::none_of(maker.getDpsInputOperands(),
                       [&](mlir::OpOperand* input) { return input->get() == room_; });
}

// Whether it does not read the former contents of the buffer.
bool Store::begins(mlir::Operation* op) {
  auto maker = mlir::cast<LinalgOp>(op);
  return !maker.payloadUsesValueFromOperand(maker.getDpsInitOperand(0));
}

// Whether the operands of the maker are unchanged at the copy.
bool Store::stays(LinalgOp maker, Value input) const {
  const Value root = buffer_behind(input);
  for (mlir::Operation* op = maker->getNextNode(); op != copy_; op = op->getNextNode()) {
    if (!llvm::is_contained(makers_, mlir::dyn_cast<LinalgOp>(op)) && may_write(op, root)) {
      return false;
    }
  }
  return true;
}

// Whether the operands of the maker are not in the target, or are the very element that it writes.
bool Store::may_be_overwritten(LinalgOp maker, mlir::OpOperand& input) const {
  if (are_apart(input.get(), target_)) return true;
  return makers_.size() == 1 && maker.getNumParallelLoops() == maker.getNumLoops() &&
         maker.getMatchingIndexingMap(&input) ==
             maker.getMatchingIndexingMap(maker.getDpsInitOperand(0)) &&
         is_same_part(input.get(), target_);
}

bool Store::can_move() const {
  return llvm::all_of(makers_, [&](LinalgOp maker) {
    return llvm::all_of(maker.getDpsInputOperands(), [&](mlir::OpOperand* input) {
      return !is_buffer(input->get()) ||
             (stays(maker, input->get()) && may_be_overwritten(maker, *input));
    });
  });
}

// The makers of the value, and its users until the buffer is written anew.
bool Store::find_users() {
  auto alloc = room_.getDefiningOp<memref::AllocOp>();
  if (!alloc || attribute::window.is_on(alloc) || alloc->getBlock() != copy_->getBlock() ||
      llvm::any_of(room_.getUsers(), is_view)) {
    return false;
  }
  for (mlir::Operation* op = copy_->getPrevNode(); op != alloc; op = op->getPrevNode()) {
    if (!uses(op, room_)) continue;
    if (!only_writes(op)) {
      if (!makers_.empty() || may_write(op, room_)) return false;
      readers_.push_back(op);
      continue;
    }
    makers_.insert(makers_.begin(), mlir::cast<LinalgOp>(op));
    if (begins(op)) break;
  }
  if (makers_.empty() || !begins(makers_.front())) return false;
  for (mlir::Operation* op = copy_->getNextNode(); op != nullptr; op = op->getNextNode()) {
    if (!uses(op, room_)) continue;
    if (only_writes(op) && begins(op)) break;
    if (may_write(op, room_)) return false;
    readers_.push_back(op);
  }
  return true;
}

bool Store::can_share() const {
  const Value root = buffer_behind(target_);
  const auto is_maker = [&](mlir::Operation* op) {
    return llvm::is_contained(makers_, mlir::dyn_cast<LinalgOp>(op));
  };
  for (mlir::Operation* op = makers_.front(); op != copy_; op = op->getNextNode()) {
    if (!is_maker(op) && uses(op, root)) return false;
  }
  const bool takes_no_other = llvm::all_of(makers_, [&](LinalgOp maker) {
    return llvm::all_of(maker.getDpsInputOperands(), [&](mlir::OpOperand* input) {
      return !is_buffer(input->get()) || may_be_overwritten(maker, *input);
    });
  });
  // Readers after the copy, the last one included: its other operands may be written, too.
  mlir::Operation* last = copy_;
  for (mlir::Operation* reader : readers_) {
    if (last->isBeforeInBlock(reader)) last = reader;
  }
  for (mlir::Operation* op = copy_->getNextNode(); last != copy_; op = op->getNextNode()) {
    if (may_write(op, root)) return false;
    if (op == last) break;
  }
  return takes_no_other;
}

// The target's view, moved before the first maker if its own operands are available there.
bool Store::bring_view_ahead() {
  mlir::Operation* view = target_.getDefiningOp();
  mlir::Operation* first = makers_.front();
  if (view->getBlock() != first->getBlock() || view->isBeforeInBlock(first)) return true;
  const bool is_ready = llvm::all_of(view->getOperands(), [&](Value operand) {
    mlir::Operation* made = operand.getDefiningOp();
    return made == nullptr || made->getBlock() != first->getBlock() || made->isBeforeInBlock(first);
  });
  if (!is_view(view) || !is_ready) return false;
  view->moveBefore(first);
  return true;
}

void Store::settle() {
  if (!find_users()) return;
  const bool moves = readers_.empty() && can_move();
  if (!moves && (!can_share() || !bring_view_ahead())) return;
  for (LinalgOp maker : makers_) {
    if (moves) maker->moveBefore(copy_);
    maker.getDpsInitsMutable()[0].set(target_);
  }
  for (mlir::Operation* reader : readers_) {
    reader->walk([&](mlir::Operation* op) { op->replaceUsesOfWith(room_, target_); });
  }
  copy_->erase();
  if (room_.use_empty()) room_.getDefiningOp()->erase();
}

// Whether windows are stored to the buffer or its views.
bool takes_windows(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](mlir::Operation* user) {
    if (is_view(user)) return takes_windows(user->getResult(0));
    auto copy = mlir::dyn_cast<memref::CopyOp>(user);
    return copy && copy.getTarget() == buffer && is_window(copy.getSource());
  });
}

// A kernel's result that is copied to a result of the program, and not written any more, is placed
// there from the start.
void lie_in_result(memref::CopyOp copy) {
  auto made = copy.getSource().getDefiningOp<memref::AllocOp>();
  const auto result = mlir::dyn_cast<mlir::BlockArgument>(copy.getTarget());
  if (!made || !result || made->getBlock() != result.getOwner() ||
      copy->getBlock() != result.getOwner() || !result.hasOneUse() ||
      made.getType() != result.getType() || attribute::window.is_on(made) || !takes_windows(made)) {
    return;
  }
  for (mlir::Operation* op = copy->getNextNode(); op != nullptr; op = op->getNextNode()) {
    if (may_write(op, made)) return;
  }
  copy->erase();
  made.getResult().replaceAllUsesWith(result);
  made->erase();
}

struct WriteInPlace : FunctionPass<WriteInPlace, PassName::write_in_place> {
  void run() {
    llvm::SmallVector<mlir::linalg::CopyOp> copies;
    getOperation().walk([&](mlir::linalg::CopyOp copy) {
      if (is_window(copy.getOutputs()[0])) copies.push_back(copy);
    });
    for (mlir::linalg::CopyOp copy : copies) {
      const Value from = copy.getInputs()[0];
      const Value onto = copy.getOutputs()[0];
      if (!are_apart(from, onto) && !is_same_part(from, onto)) {
        copy.getInputsMutable()[0].set(moved_aside(copy, from));
        continue;
      }
      Store(copy).settle();
    }
    llvm::SmallVector<memref::CopyOp> results;
    getOperation().walk([&](memref::CopyOp copy) { results.push_back(copy); });
    for (memref::CopyOp copy : results) lie_in_result(copy);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_write_in_place_pass() { return std::make_unique<WriteInPlace>(); }

}  // namespace tandem::compiler
