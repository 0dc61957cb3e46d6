// Weights that stay in VMEM arrive some tiles of columns at a time.
//
// A contraction goes over its tiles of columns in order (tpu/contraction/order.cpp). Where it is
// the first to use weights that the program brings before a loop, the copy becomes several of the
// same number of tiles: while one arrives, the unit multiplies by those already there. There are
// not more copies than the machine can queue: starting one more would wait. The contraction's other
// operands are copied before its weights, together with the sources of those; operands that only
// others need are copied after them.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tiled/copy_order.hpp"
#include "compiler/views/access.hpp"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::Value;
using mlir::linalg::LinalgOp;
using mlir::scf::ForOp;

constexpr std::int64_t most_parts = 8;  // the machine queues as many after the current one

using Buffers = llvm::SmallSetVector<Value, 8>;

void add_buffers(mlir::Operation* op, Buffers& buffers) {
  for (const Value value : op->getOperands()) {
    if (mlir::isa<MemRefType>(value.getType())) buffers.insert(buffer_behind(value));
  }
}

bool has_turns(ForOp loop) {
  const auto first = mlir::getConstantIntValue(loop.getLowerBound());
  const auto end = mlir::getConstantIntValue(loop.getUpperBound());
  return first && end && *first < *end;
}

// The first contraction that uses the weights, always executed when `op` is reached; the values
// used until then; and whether other weights that arrive in this way are used before.
LinalgOp first_to_use(mlir::Operation* op, Value weights, Buffers& used, bool& behind_others) {
  if (auto loop = mlir::dyn_cast<ForOp>(op); loop && has_turns(loop)) {
    for (mlir::Operation& inner : *loop.getBody()) {
      if (uses(&inner, weights)) return first_to_use(&inner, weights, used, behind_others);
      behind_others = behind_others || attribute::arrives_by_columns.is_on(&inner);
      inner.walk([&](mlir::Operation* other) { add_buffers(other, used); });
    }
  }
  auto linalg = mlir::dyn_cast<LinalgOp>(op);
  if (!linalg || !attribute::precision.is_on(op) || attribute::vector.is_on(op)) return {};
  add_buffers(op, used);
  return linalg;
}

class Splitter {
 public:
  explicit Splitter(const Parameters& machine) : lanes_(machine.lanes) {}

  void split(memref::CopyOp copy) const {
    const auto from = mlir::cast<MemRefType>(copy.getSource().getType());
    const Value weights = buffer_behind(copy.getTarget());
    if (!has_rows(from, 0, true) || !copy->getDiscardableAttrDictionary().empty() ||
        !weights.getDefiningOp<memref::AllocOp>() || !lies_in_vmem(weights) ||
        !has_rows(mlir::cast<MemRefType>(copy.getTarget().getType()), 0, false)) {
      return;
    }
    const std::int64_t tiles = (from.getDimSize(1) + lanes_ - 1) / lanes_;
    if (tiles < 2 || !threshold::weight_columns(from.getDimSize(0) * tiles)) return;
    mlir::Operation* user = copy->getNextNode();
    while (user != nullptr && !uses(user, weights)) user = user->getNextNode();
    if (user == nullptr || !only_copies(copy, user)) return;
    if (!may_move_after(copy, user->getPrevNode())) return;
    Buffers used;
    bool behind_others = false;
    LinalgOp contraction = first_to_use(user, weights, used, behind_others);
    if (!contraction || !takes_columns(contraction, weights, from.getDimSize(1))) return;
    copy_parts(copy, user, used, tiles, behind_others ? 1 : most_parts);
    attribute::arrives_by_columns.set(contraction);
  }

 private:
  // Rows of words whose elements are contiguous.
  static bool has_rows(MemRefType type, std::int64_t wanted_offset, bool any_offset) {
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t offset = 0;
    return type.getRank() == 2 && type.hasStaticShape() && type.getElementTypeBitWidth() == 32 &&
           mlir::succeeded(type.getStridesAndOffset(strides, offset)) && strides[1] == 1 &&
           !mlir::ShapedType::isDynamic(strides[0]) && (any_offset || offset == wanted_offset);
  }

  // Whether a copy may be moved past everything in between.
  static bool only_copies(mlir::Operation* from, mlir::Operation* to) {
    for (mlir::Operation* op = from->getNextNode(); op != to; op = op->getNextNode()) {
      if (!mlir::isa<memref::CopyOp, memref::AllocOp>(op) && !is_view(op) && !mlir::isPure(op)) {
        return false;
      }
    }
    return true;
  }

  // Whether the contraction's columns correspond to those of the rows.
  static bool takes_columns(LinalgOp contraction, Value weights, std::int64_t columns) {
    const Value view = contraction.getDpsInputs()[1];
    const auto type = mlir::cast<MemRefType>(view.getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t offset = 0;
    return buffer_behind(view) == weights && type.getRank() == 4 && type.hasStaticShape() &&
           mlir::succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0 &&
           strides[3] == 1 && type.getDimSize(3) == columns &&
           buffer_behind(contraction.getDpsInputs()[0]) != weights;
  }

  // The copies from `whole` to its user that the contraction does not wait for: they write nothing
  // that it uses, and may be moved after those that do.
  static llvm::SmallVector<memref::CopyOp> not_needed(memref::CopyOp whole, mlir::Operation* user,
                                                      const Buffers& used) {
    llvm::SmallVector<memref::CopyOp> others;
    llvm::SmallVector<memref::CopyOp> needed;
    for (mlir::Operation* op = user->getPrevNode(); op != whole; op = op->getPrevNode()) {
      auto copy = mlir::dyn_cast<memref::CopyOp>(op);
      if (!copy) continue;
      const bool may_wait =
          !used.contains(buffer_behind(copy.getTarget())) &&
          llvm::all_of(needed, [&](memref::CopyOp other) { return may_swap(copy, other); });
      (may_wait ? others : needed).push_back(copy);
    }
    std::reverse(others.begin(), others.end());
    return others;
  }

  void copy_parts(memref::CopyOp whole, mlir::Operation* user, const Buffers& used,
                  std::int64_t tiles, std::int64_t parts) const {
    mlir::OpBuilder builder(user);
    const auto others = not_needed(whole, user, used);
    const auto part = [&](Value matrix, std::int64_t first, std::int64_t count) {
      const auto type = mlir::cast<MemRefType>(matrix.getType());
      return strided_view(builder, whole.getLoc(), matrix, builder.getIndexAttr(first),
                          {type.getDimSize(0), count}, {type.getStridesAndOffset().first[0], 1});
    };
    const auto columns = mlir::cast<MemRefType>(whole.getSource().getType()).getDimSize(1);
    std::int64_t together = 1;  // tiles, a power of two
    while (tiles > together * parts) together *= 2;
    for (std::int64_t tile = 0; tile < tiles; tile += together) {
      const std::int64_t first = tile * lanes_;
      const std::int64_t count = std::min(together * lanes_, columns - first);
      auto copy =
          memref::CopyOp::create(builder, whole.getLoc(), part(whole.getSource(), first, count),
                                 part(whole.getTarget(), first, count));
      attribute::part_column.set(copy, tile / together);
      attribute::part_tiles.set(copy, together);
    }
    for (memref::CopyOp copy : others) copy->moveBefore(user);
    whole->erase();
  }

  std::int64_t lanes_;
};

struct ChunkWeightColumns : FunctionPass<ChunkWeightColumns, PassName::chunk_weight_columns> {
  explicit ChunkWeightColumns(const Parameters& machine) : machine(machine) {}
  void run() {
    const Splitter splitter(machine);
    llvm::SmallVector<memref::CopyOp> copies(
        getOperation().getBody().front().getOps<memref::CopyOp>());
    for (memref::CopyOp copy : copies) splitter.split(copy);
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_chunk_weight_columns_pass(const Parameters& machine) {
  return std::make_unique<ChunkWeightColumns>(machine);
}

}  // namespace tandem::compiler
