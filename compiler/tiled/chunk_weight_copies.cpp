// Weights that a contraction has to wait for come in parts.
//
// Where nothing but copies and views stands between the copy of the weights and the contraction,
// the whole of the copy would be waited for. So it becomes several, of some rows each: while one
// comes, the unit multiplies by those that are there (tpu/contraction/order.cpp). Weights that are
// all pushed before the first multiplication come first, and then the rows, in parts too.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/copy_order.hpp"
#include "compiler/tiled/parts.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr std::int64_t least_beats = 16;  // of a part of the weights
constexpr std::int64_t least_beats_of_rows = 8;

// The copies before the operation, nearest first, as long as there is nothing else to do.
llvm::SmallVector<memref::CopyOp> copies_before(mlir::Operation* op) {
  llvm::SmallVector<memref::CopyOp> copies;
  for (op = op->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
    if (auto copy = mlir::dyn_cast<memref::CopyOp>(op)) {
      copies.push_back(copy);
    } else if (!is_view(op) && !mlir::isa<memref::AllocOp, mlir::arith::ConstantOp>(op)) {
      break;
    }
  }
  return copies;
}

// Rows of a matrix that lie the same way on both sides.
struct Rows {
  std::int64_t count = 0;
  std::int64_t length = 0;
  Sizes source;  // strides
  Sizes target;
};

std::optional<Rows> rows_of(memref::CopyOp copy) {
  const auto from = mlir::cast<MemRefType>(copy.getSource().getType());
  const auto to = mlir::cast<MemRefType>(copy.getTarget().getType());
  Rows rows;
  std::int64_t offset = 0;
  if (from.getRank() != 2 || !from.hasStaticShape() || from.getElementTypeBitWidth() != 32 ||
      mlir::failed(from.getStridesAndOffset(rows.source, offset)) ||
      mlir::failed(to.getStridesAndOffset(rows.target, offset)) || offset != 0) {
    return std::nullopt;
  }
  rows.count = from.getDimSize(0);
  rows.length = from.getDimSize(1);
  return rows;
}

bool is_view_from_start(MemRefType type, Sizes& strides) {
  std::int64_t offset = 0;
  return type.hasStaticShape() && type.getRank() == 4 &&
         mlir::succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0 &&
         type.getDimSize(0) == 1 && strides[3] == 1;
}

// Whether the view has those rows in their order, as the depth of a contraction.
bool is_depth_of(Value weights, const Rows& rows) {
  const auto type = mlir::cast<MemRefType>(weights.getType());
  Sizes strides;
  return is_view_from_start(type, strides) && strides[2] == rows.target[0] &&
         (type.getDimSize(1) == 1 || strides[1] == type.getDimSize(2) * strides[2]) &&
         type.getDimSize(1) * type.getDimSize(2) == rows.count;
}

// Whether it has them as the rows of a contraction whose depth is one chunk.
bool is_rows_of(Value left, const Rows& rows) {
  const auto type = mlir::cast<MemRefType>(left.getType());
  Sizes strides;
  return is_view_from_start(type, strides) && type.getDimSize(1) == 1 &&
         strides[2] == rows.target[0] && type.getDimSize(2) == rows.count;
}

// The one of these copies that writes the buffer, as it has been written: nothing else is to know
// of it.
memref::CopyOp copy_to(llvm::ArrayRef<memref::CopyOp> copies, Value buffer) {
  memref::CopyOp found;
  for (memref::CopyOp copy : copies) {
    if (buffer_behind(copy.getTarget()) != buffer_behind(buffer)) continue;
    if (found) return {};
    found = copy;
  }
  return found && found->getDiscardableAttrDictionary().empty() ? found : memref::CopyOp();
}

class Splitter {
 public:
  explicit Splitter(const Parameters& machine) : machine_(machine) {}

  void split(LinalgOp contraction) const {
    const Value left = contraction.getDpsInputs()[0];
    const Value weights = contraction.getDpsInputs()[1];
    const auto copies = copies_before(contraction);
    memref::CopyOp whole = copy_to(copies, weights);
    const auto rows = whole ? rows_of(whole) : std::nullopt;
    if (!rows || !is_depth_of(weights, *rows)) return;
    const std::int64_t part = rows_of_part(*rows, least_beats);
    if (part >= rows->count) return;
    const memref::CopyOp last = last_needed(copies, contraction, whole);
    if (!may_move_after(whole, last)) return;
    mlir::OpBuilder builder(contraction->getContext());
    builder.setInsertionPointAfter(last);
    copy_parts(builder, whole, *rows, part);
    attribute::arrives.set(contraction);
    whole->erase();
    if (buffer_behind(left) == buffer_behind(weights)) return;
    memref::CopyOp near = copy_to(copies_before(contraction), left);
    const auto near_rows = near ? rows_of(near) : std::nullopt;
    if (!near_rows || !is_rows_of(left, *near_rows)) return;
    if (!may_move_after(near, builder.getInsertionPoint()->getPrevNode())) return;
    copy_parts(builder, near, *near_rows, rows_of_part(*near_rows, least_beats_of_rows));
    attribute::rows_arrive.set(contraction);
    near->erase();
  }

 private:
  [[nodiscard]] std::int64_t rows_of_part(const Rows& rows, std::int64_t beats_of_part) const {
    const std::int64_t lanes = machine_.lanes;
    const std::int64_t beats = (rows.length + lanes - 1) / lanes;  // of a row
    return length_of_part(rows.count, (beats_of_part + beats - 1) / beats, sublanes);
  }

  // What else the contraction needs comes before its weights.
  static memref::CopyOp last_needed(llvm::ArrayRef<memref::CopyOp> copies, LinalgOp contraction,
                                    memref::CopyOp whole) {
    for (memref::CopyOp copy : copies) {
      if (copy == whole) break;
      const Value target = buffer_behind(copy.getTarget());
      if (llvm::any_of(contraction->getOperands(),
                       [&](Value operand) { return buffer_behind(operand) == target; })) {
        return copy;
      }
    }
    return whole;
  }

  static void copy_parts(mlir::OpBuilder& builder, memref::CopyOp whole, const Rows& rows,
                         std::int64_t part) {
    const mlir::Location loc = whole.getLoc();
    const auto view = [&](Value buffer, std::int64_t first, std::int64_t count,
                          llvm::ArrayRef<std::int64_t> strides) {
      return strided_view(builder, loc, buffer, builder.getIndexAttr(first * strides[0]),
                          {count, rows.length}, strides);
    };
    for (std::int64_t first = 0; first < rows.count; first += part) {
      const std::int64_t count = std::min(part, rows.count - first);
      auto copy =
          memref::CopyOp::create(builder, loc, view(whole.getSource(), first, count, rows.source),
                                 view(whole.getTarget(), first, count, rows.target));
      attribute::part.set(copy, first);
    }
  }

  const Parameters& machine_;
};

struct ChunkWeightCopies : FunctionPass<ChunkWeightCopies, PassName::chunk_weight_copies> {
  explicit ChunkWeightCopies(const Parameters& machine) : machine(machine) {}
  void run() {
    const Splitter splitter(machine);
    getOperation().walk([&](LinalgOp op) {
      if (attribute::precision.is_on(op) && !attribute::vector.is_on(op)) splitter.split(op);
    });
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_chunk_weight_copies_pass(const Parameters& machine) {
  return std::make_unique<ChunkWeightCopies>(machine);
}

}  // namespace tandem::compiler
