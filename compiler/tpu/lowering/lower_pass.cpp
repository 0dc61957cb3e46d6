// buffers -> tpu: no memory references are left, only addresses, and @main has no arguments; its
// former arguments are in its attribute `tandem.tensors`.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/regions.hpp"
#include "compiler/tpu/contraction/tile.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/free_copies.hpp"
#include "compiler/tpu/kernel_call.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::func::FuncOp;

mlir::Attribute tensor_entry(FuncOp function, unsigned index) {
  mlir::Builder builder(function.getContext());
  const auto type = mlir::cast<mlir::MemRefType>(function.getArgument(index).getType());
  mlir::NamedAttrList entry;
  entry.set("name", attribute::name.get(function, index));
  entry.set("type", attribute::type.get(function, index));
  entry.set("direction", attribute::direction.get(function, index));
  if (const mlir::Attribute shares = attribute::shares.get(function, index)) {
    entry.set("shares", shares);
  }
  // The launch counts elements, where a buffer may have words.
  const mlir::Attribute shape = attribute::shape.get(function, index);
  entry.set("shape", shape ? shape : builder.getDenseI64ArrayAttr(type.getShape()));
  return entry.getDictionary(function.getContext());
}

// A scalar from memory is used as a word whatever its type in arith is; predicates are derived from
// it.
void replace_scalar(mlir::OpBuilder& builder, memref::LoadOp load, mlir::Value scalar) {
  const mlir::Type type = load.getType();
  mlir::Value value = scalar;
  if (type.isInteger(1)) {
    value = machine(builder, load.getLoc(), "ne", scalar, number_attribute(builder, "b", 0));
  } else if (type.isInteger(32) || type.isInteger(16) || type.isInteger(8)) {
    value = mlir::arith::IndexCastOp::create(builder, load.getLoc(), type, scalar);
  } else {
    // Bodies on vectors take the bits of a real unchanged.
    value =
        mlir::UnrealizedConversionCastOp::create(builder, load.getLoc(), type, scalar).getResult(0);
  }
  load.replaceAllUsesWith(value);
}

class FunctionLowering {
 public:
  FunctionLowering(FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine), memory_(function, machine) {}

  mlir::LogicalResult run() {
    clear_weights_at_start();
    if (mlir::failed(lower(function_.getBody().front()))) return mlir::failure();
    for (mlir::Operation* op : llvm::reverse(done_)) op->erase();
    return finish();
  }

 private:
  static bool fills_weights(mlir::Operation* op) {
    return attribute::precision.is_on(op) && !attribute::vector.is_on(op);
  }
  // Set if some contraction fills only part of its weights. If the first one runs once, it fills up
  // its first set by itself. Otherwise done after the copies of inputs, which take longer.
  void clear_weights_at_start() {
    const std::int64_t lanes = machine_.lanes;
    mlir::Operation* first = nullptr;
    function_.walk([&](mlir::Operation* op) {
      const bool fills = fills_weights(op);
      if (first == nullptr && (fills || mlir::isa<mlir::func::CallOp>(op))) first = op;
      if (!fills) return;
      const auto ranges = mlir::cast<mlir::linalg::LinalgOp>(op).getStaticLoopRanges();
      fills_in_part_ =
          fills_in_part_ || ranges.back() <= lanes - sublanes || ranges[1] % lanes != 0;
    });
    if (!fills_in_part_) return;
    if (fills_weights(first) && first->getBlock() == &function_.getBody().front()) {
      fills_up_ = first;
      return;
    }
    mlir::Operation* at = &function_.getBody().front().front();
    while (!has_effect(at) || mlir::isa<memref::CopyOp>(at)) {
      if (at->getNextNode() == nullptr) break;
      at = at->getNextNode();
    }
    mlir::OpBuilder builder(at);
    clear_weights(builder, function_.getLoc(), machine_);
  }
  static bool is_ours(mlir::Operation* op) {
    if (mlir::isa<mlir::UnrealizedConversionCastOp>(op)) {
      return mlir::isa<mlir::MemRefType>(op->getResult(0).getType());
    }
    return mlir::isa<mlir::func::CallOp>(op) ||
           mlir::isa<memref::MemRefDialect, mlir::linalg::LinalgDialect>(op->getDialect());
  }
  static bool is_rows(mlir::Operation* op) { return attribute::rows.is_on(op); }
  static bool has_effect(mlir::Operation* op) {
    return op->getNumRegions() != 0 ||
           mlir::isa<memref::CopyOp, memref::LoadOp, memref::StoreOp, mlir::func::CallOp>(op);
  }

  // The operations of a block that are not lowered yet.
  class Cursor {
   public:
    explicit Cursor(mlir::Block& block) {
      for (mlir::Operation& op : block) {
        if (is_ours(&op) || op.getNumRegions() != 0) all_.push_back(&op);
      }
    }
    [[nodiscard]] llvm::ArrayRef<mlir::Operation*> left() const {
      return llvm::ArrayRef(all_).drop_front(taken_);
    }
    mlir::Operation* take() { return all_[taken_++]; }

   private:
    llvm::SmallVector<mlir::Operation*> all_;
    std::size_t taken_ = 0;
  };

  mlir::LogicalResult lower(mlir::Block& block) {
    Cursor cursor(block);
    while (!cursor.left().empty()) {
      mlir::Operation* next = cursor.left().front();
      if (open_ && (takes_along(next) || postpones(cursor.left()))) {
        done_.push_back(cursor.take());
        open_->copies.push_back(mlir::cast<memref::CopyOp>(next));
        continue;
      }
      if (open_ && !stays_open(next) && mlir::failed(close_contraction(next))) {
        return mlir::failure();
      }
      if (mlir::failed(lower_next(cursor))) return mlir::failure();
    }
    return open_ ? close_contraction(block.getTerminator()) : mlir::success();
  }

  // Whether the operation is another contraction that continues from an open one.
  static bool goes_on(mlir::Operation* op) {
    return fills_weights(op) && !attribute::beside.is_on(op);
  }
  static bool leaves(memref::CopyOp copy) {
    return lies_in_vmem(buffer_behind(copy.getSource())) &&
           !lies_in_vmem(buffer_behind(copy.getTarget())) &&
           copy->getDiscardableAttrDictionary().empty();
  }
  // Whether the operation does not write the copy's source.
  static bool leaves_alone(mlir::Operation* op, memref::CopyOp copy) {
    const Reach read = reach_of(copy.getSource());
    return llvm::none_of(mlir::cast<mlir::linalg::LinalgOp>(op).getDpsInits(),
                         [&](mlir::Value init) { return meet(reach_of(init), read); });
  }
  // Whether the operation is a copy of results that are still to be read: it starts between reads.
  [[nodiscard]] bool takes_along(mlir::Operation* op) const {
    auto copy = mlir::dyn_cast<memref::CopyOp>(op);
    return copy && leaves(copy) && !open_->allows(op);
  }
  // Whether the first operation is a copy of results that may start when the open contraction ends
  // during the next one: there are only other such copies in between.
  [[nodiscard]] bool postpones(llvm::ArrayRef<mlir::Operation*> ops) const {
    llvm::SmallVector<memref::CopyOp> copies;
    for (mlir::Operation* op : ops) {
      if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) {
        if (!leaves(copy)) return false;
        copies.push_back(copy);
      } else if (has_effect(op)) {
        return goes_on(op) && !copies.empty() && stays_open(op) &&
               llvm::all_of(copies, [&](auto copy) { return leaves_alone(op, copy); });
      } else if (copies.empty()) {
        return false;
      }
    }
    return false;
  }
  [[nodiscard]] bool stays_open(mlir::Operation* op) const {
    if (open_->copies.empty() && open_->copies_before.empty()) return open_->allows(op);
    if (!has_effect(op)) return true;
    const auto allows = [&](memref::CopyOp copy) { return leaves_alone(op, copy); };
    return goes_on(op) && open_->allows(op) && llvm::all_of(open_->copies, allows) &&
           llvm::all_of(open_->copies_before, allows);
  }
  // Takes the next operation, and those lowered together with it.
  mlir::LogicalResult lower_next(Cursor& cursor) {
    if (const std::size_t behind = second_of_pair(cursor.left())) {
      return take_pair(cursor, behind);
    }
    if (const auto rows = rows_beside(cursor.left()); !rows.empty()) {
      auto contraction = mlir::cast<mlir::linalg::LinalgOp>(cursor.left().front());
      const auto lowered = lower_beside(contraction, rows);
      if (mlir::failed(lowered)) return mlir::failure();
      done_.push_back(cursor.take());
      return take_rows(cursor, *lowered);
    }
    if (const auto rows = row_operations(cursor.left()); !rows.empty()) {
      const auto lowered = lower_together(rows);
      return mlir::failed(lowered) ? mlir::failure() : take_rows(cursor, *lowered);
    }
    return lower(cursor.take());
  }
  // Together with the views between the two.
  mlir::LogicalResult take_pair(Cursor& cursor, std::size_t behind) {
    if (mlir::failed(lower_pair(cursor.left().front(), cursor.left()[behind]))) {
      return mlir::failure();
    }
    for (std::size_t i = 0; i <= behind; ++i) done_.push_back(cursor.take());
    return mlir::success();
  }
  // This many operations in rows have been lowered at the position of the last one, after the views
  // that they need; the views themselves are not lowered yet.
  mlir::LogicalResult take_rows(Cursor& cursor, std::size_t count) {
    while (count > 0) {
      mlir::Operation* op = cursor.take();
      if (is_rows(op)) {
        --count;
        done_.push_back(op);
      } else if (mlir::failed(lower(op))) {
        return mlir::failure();
      }
    }
    return mlir::success();
  }

  mlir::LogicalResult close_contraction(mlir::Operation* before) {
    mlir::OpBuilder builder(before);
    const std::unique_ptr<OpenContraction> open = std::move(open_);
    return open->close(builder);
  }

  // The operations in rows at the beginning of the list, with only views between them.
  static llvm::SmallVector<mlir::linalg::LinalgOp> row_operations(
      llvm::ArrayRef<mlir::Operation*> ops) {
    llvm::SmallVector<mlir::linalg::LinalgOp> result;
    for (mlir::Operation* op : ops) {
      if (is_rows(op)) {
        if (attribute::apart.is_on(op) && !result.empty()) break;
        result.push_back(mlir::cast<mlir::linalg::LinalgOp>(op));
      } else if (result.empty() || has_effect(op)) {
        break;
      }
    }
    return result;
  }
  mlir::FailureOr<std::size_t> lower_together(llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
    mlir::OpBuilder builder(ops.back());
    for (const mlir::linalg::LinalgOp op : ops) settle(builder, op);
    const auto work = row_work(builder, memory_, machine_, ops);
    if (!work || mlir::failed(work->finish(0))) return mlir::failure();
    join_regions(ops.take_front(work->operations()));
    return work->operations();
  }

  // The operations in rows that overlap with the first operation, a contraction independent of
  // them.
  llvm::SmallVector<mlir::linalg::LinalgOp> rows_beside(llvm::ArrayRef<mlir::Operation*> ops) {
    const auto contraction = mlir::dyn_cast<mlir::linalg::LinalgOp>(ops.front());
    if (!contraction || !attribute::beside.is_on(contraction) || !fills_weights(contraction)) {
      return {};
    }
    do ops = ops.drop_front();
    while (!ops.empty() && !has_effect(ops.front()));
    auto rows = row_operations(ops);
    const auto* const end = llvm::find_if(rows, [&](auto op) { return meet(contraction, op); });
    rows.truncate(static_cast<std::size_t>(end - rows.begin()));
    return rows;
  }
  // At the position of the last of them. Returns the number of rows done there.
  mlir::FailureOr<std::size_t> lower_beside(mlir::linalg::LinalgOp contraction,
                                            llvm::ArrayRef<mlir::linalg::LinalgOp> rows) {
    mlir::OpBuilder builder(rows.back());
    settle(builder, contraction);
    for (const mlir::linalg::LinalgOp op : rows) settle(builder, op);
    const auto work = row_work(builder, memory_, machine_, rows);
    if (!work) return mlir::failure();
    // Rows that continue in another loop use values that this one has in registers.
    const bool is_all = work->operations() == rows.size();
    const auto beside =
        lower_contraction(builder, memory_, machine_, contraction, contraction == fills_up_,
                          is_all ? work.get() : nullptr, open_);
    if (mlir::failed(beside) || mlir::failed(work->finish(*beside))) return mlir::failure();
    forget(contraction);
    join_regions(rows.take_front(work->operations()));
    return work->operations();
  }

  // The distance from the first operation to one that shares the words of its weights or continues
  // it, with only views between them; 0: none.
  static std::size_t second_of_pair(llvm::ArrayRef<mlir::Operation*> ops) {
    const auto first = mlir::dyn_cast<mlir::linalg::LinalgOp>(ops.front());
    if (!first || !attribute::vector.is_on(first)) return 0;
    for (const auto [index, op] : llvm::enumerate(ops.drop_front())) {
      if (auto second = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
        return share_words(first, second) || goes_on_in_depth(first, second) ? index + 1 : 0;
      }
      if (has_effect(op)) return 0;
    }
    return 0;
  }
  // At the position of the second, after the views that both need.
  mlir::LogicalResult lower_pair(mlir::Operation* first, mlir::Operation* second) {
    mlir::OpBuilder builder(second);
    const llvm::SmallVector<mlir::linalg::LinalgOp> ops{mlir::cast<mlir::linalg::LinalgOp>(first),
                                                        mlir::cast<mlir::linalg::LinalgOp>(second)};
    for (const mlir::linalg::LinalgOp op : ops) settle(builder, op);
    const auto lowered = lower_vector_contraction(builder, memory_, machine_, ops);
    for (mlir::Operation* op : ops) forget(op);
    if (mlir::succeeded(lowered)) join_regions(ops);
    return lowered;
  }

  void settle(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op) {
    llvm::SmallVector<mlir::Value> reads;
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const unsigned number = operand.getOperandNumber();
      const bool arrives = (number < 2 && attribute::arrives.is_on(op)) ||
                           (number == 1 && attribute::arrives_by_columns.is_on(op));
      if (!arrives) reads.push_back(operand.get());  // see ContractionLowering
    }
    const llvm::SmallVector<mlir::Value> writes(op.getDpsInits());
    memory_.in_flight().settle(builder, op.getLoc(), reads, writes);
  }

  // Values of rows in buffers that the operation may have written.
  void forget(mlir::Operation* op) {
    for (const mlir::Value operand : op->getOperands()) {
      if (mlir::isa<mlir::MemRefType>(operand.getType())) memory_.kept_rows().forget(operand);
    }
  }

  // Whether the operation reads at most its elements here.
  static bool only_reads(mlir::Operation* op, mlir::OpOperand& operand) {
    if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
      return !linalg.isDpsInit(&operand);
    if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) return operand.get() == copy.getSource();
    return mlir::isa<memref::LoadOp>(op);
  }

  // Copies started in a block are complete at its end, and earlier copies that it touches were
  // complete before it began.
  mlir::LogicalResult lower_regions(mlir::Operation* op) {
    mlir::OpBuilder builder(op);
    op->walk([&](mlir::Operation* inner) {
      if (is_view(inner)) return;
      llvm::SmallVector<mlir::Value> touched;
      llvm::SmallVector<mlir::Value> written;
      for (mlir::OpOperand& operand : inner->getOpOperands()) {
        if (!mlir::isa<mlir::MemRefType>(operand.get().getType())) continue;
        touched.push_back(operand.get());
        if (!only_reads(inner, operand)) written.push_back(operand.get());
      }
      memory_.in_flight().settle(builder, op->getLoc(), touched, written, true);
    });
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& block : region) {
        mlir::OpBuilder before(op);
        memory_.in_flight().enter_block(before, block);
        memory_.kept_rows().clear();
        if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
          mlir::OpBuilder first(&block, block.begin());
          InFlight::begin_turn(first, loop);
        }
        if (mlir::failed(lower(block))) return mlir::failure();
        memory_.kept_rows().clear();
        builder.setInsertionPoint(block.getTerminator());
        memory_.in_flight().leave_block(builder, op->getLoc());
        if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
          mlir::OpBuilder behind(op);
          behind.setInsertionPointAfter(op);
          memory_.in_flight().wait_behind(behind, loop);
        }
      }
    }
    return mlir::success();
  }

  mlir::LogicalResult lower(mlir::Operation* op) {
    if (!is_ours(op)) return lower_regions(op);
    done_.push_back(op);
    const mlir::LogicalResult lowered = lower_ours(op);
    if (has_effect(op)) forget(op);
    return lowered;
  }

  mlir::LogicalResult lower_ours(mlir::Operation* op) {
    mlir::OpBuilder builder(op);
    if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) return memory_.lower_copy(builder, copy);
    if (auto tile = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
      settle(builder, tile);
      if (attribute::precision.is_on(op)) {
        return lower_contraction(builder, memory_, machine_, tile, op == fills_up_, nullptr, open_);
      }
      if (is_repack(op)) return lower_repack(builder, memory_, machine_, tile);
      if (const auto done = lower_down_columns(builder, memory_, machine_, tile)) return *done;
      return lower_tile(builder, memory_, machine_, tile);
    }
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op)) {
      const auto lowered = lower_kernel_call(builder, memory_, machine_, call);
      // Its effects on the contents are unknown.
      if (fills_in_part_) clear_weights(builder, op->getLoc(), machine_);
      return lowered;
    }
    if (auto load = mlir::dyn_cast<memref::LoadOp>(op)) {
      const auto scalar = memory_.lower_load(builder, load);
      if (mlir::succeeded(scalar)) replace_scalar(builder, load, *scalar);
      return mlir::failure(mlir::failed(scalar));
    }
    if (auto metadata = mlir::dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
      const mlir::Value offset = memory_.offset_value(builder, op->getLoc(), metadata.getSource());
      if (!offset) return mlir::failure();
      metadata.getOffset().replaceAllUsesWith(offset);
      return mlir::success();
    }
    if (mlir::isa<memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp,
                  memref::ReinterpretCastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
                  memref::CastOp, mlir::UnrealizedConversionCastOp>(op)) {
      return mlir::success();  // looked up again from their users
    }
    return op->emitError("unimplemented: ") << op->getName() << " on the machine";
  }

  mlir::LogicalResult finish() {
    // Scalars of other types than index are only used in the tiles' bodies.
    llvm::SmallVector<mlir::Operation*> casts;
    function_.walk([&](mlir::UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    for (mlir::Operation* cast : llvm::reverse(casts)) {
      if (!cast->use_empty()) {
        cast->replaceAllUsesWith(cast->getOperands());
      }
      cast->erase();
    }
    mlir::Builder builder(function_.getContext());
    llvm::SmallVector<mlir::Attribute> tensors;
    for (unsigned i = 0; i < function_.getNumArguments(); ++i) {
      tensors.push_back(tensor_entry(function_, i));
    }
    attribute::tensors.set(function_, tensors);
    function_.removeArgAttrsAttr();
    function_.getBody().front().eraseArguments(0, function_.getNumArguments());
    function_.setType(builder.getFunctionType({}, {}));
    return mlir::success();
  }

  FuncOp function_;
  const Parameters& machine_;
  Memory memory_;
  std::unique_ptr<OpenContraction> open_;
  llvm::SmallVector<mlir::Operation*> done_;
  bool fills_in_part_ = false;           // some contraction fills part of its weights
  mlir::Operation* fills_up_ = nullptr;  // the contraction whose first weights are a whole set
};

struct LowerToTpu : ModulePass<LowerToTpu, PassName::lower_to_tpu> {
  explicit LowerToTpu(const Parameters& machine) : machine(machine) {}
  void run() {
    auto function = getOperation().lookupSymbol<FuncOp>("main");
    if (!function) getOperation().emitError("no function main to lower");
    if (function) cut_free_loops(function);
    if (!function || mlir::failed(FunctionLowering(function, machine).run())) signalPassFailure();
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_to_tpu_pass(const Parameters& machine) {
  return std::make_unique<LowerToTpu>(machine);
}

}  // namespace tandem::compiler
