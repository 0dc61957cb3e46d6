// Results leave for HBM in parts, each as soon as it has been written.
//
// A copy of a buffer from VMEM to HBM at the end of the program would wait for its last word, and
// the program for the whole copy. Where operations have written it block of rows by block, each
// block leaves after its last writer; where one operation has written it, that operation is first
// cut into parts: a contraction by its columns, as it goes through them anyway, operations on rows
// by rows.
//
// There are at most four parts, of at least 128 beats each. Consecutive operations on rows, which
// pass values in registers, are cut together, or not at all: each would have to load these values
// (log_softmax of narrow rows took 20% longer; decisions 193, 283).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tiled/copies/early_start.hpp"
#include "compiler/tiled/copies/rows_together.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/products.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Operation;
using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr std::int64_t most_parts = 4;
constexpr std::int64_t least_beats = 128;  // of a part for which an operation on rows is cut
constexpr std::int64_t cost_of_part = 24;  // cycles
constexpr std::int64_t most_pieces = 8;    // of what leaves between reads
constexpr std::int64_t cost_of_piece = 4;  // from the read before it

// A range of a matrix.
struct Box {
  std::int64_t row = 0;
  std::int64_t rows = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;
  bool operator==(const Box&) const = default;
};

// A copy as a copy of a matrix whose rows are runs on both sides.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t source_stride = 0;
  std::int64_t target_stride = 0;
  std::int64_t source_offset = 0;  // in its buffer
  std::int64_t target_offset = 0;
};

struct Dimension {
  std::int64_t size = 0;
  std::int64_t source = 0;  // strides
  std::int64_t target = 0;
};

// The copy's dimensions; those that are contiguous with each other on both sides are merged.
std::optional<llvm::SmallVector<Dimension>> joined(memref::CopyOp copy, std::int64_t& offset,
                                                   std::int64_t& target_offset) {
  const auto from = mlir::cast<mlir::MemRefType>(copy.getSource().getType());
  const auto to = mlir::cast<mlir::MemRefType>(copy.getTarget().getType());
  Sizes source;
  Sizes target;
  if (!from.hasStaticShape() || from.getElementTypeBitWidth() != 32 ||
      mlir::failed(from.getStridesAndOffset(source, offset)) ||
      mlir::failed(to.getStridesAndOffset(target, target_offset)) ||
      mlir::ShapedType::isDynamic(offset) || mlir::ShapedType::isDynamic(target_offset) ||
      llvm::any_of(source, mlir::ShapedType::isDynamic) ||
      llvm::any_of(target, mlir::ShapedType::isDynamic)) {
    return std::nullopt;
  }
  llvm::SmallVector<Dimension> result;
  for (const auto [size, one, other] : llvm::zip(from.getShape(), source, target)) {
    if (size == 1) continue;
    if (!result.empty() && result.back().source == size * one &&
        result.back().target == size * other) {
      result.back() = {result.back().size * size, one, other};
    } else {
      result.push_back({size, one, other});
    }
  }
  return result;
}

// `stride`: of the rows that its writer produces.
std::optional<Matrix> matrix_of(memref::CopyOp copy, std::int64_t stride) {
  std::int64_t offset = 0;
  std::int64_t target_offset = 0;
  auto dimensions = joined(copy, offset, target_offset);
  if (!dimensions || dimensions->empty() || dimensions->size() > 2) return std::nullopt;
  const Dimension last = dimensions->back();
  if (last.source != 1 || last.target != 1) return std::nullopt;
  if (dimensions->size() == 2) {
    const Dimension first = dimensions->front();
    if (first.source != stride) return std::nullopt;
    return Matrix{first.size, last.size, first.source, first.target, offset, target_offset};
  }
  if (stride <= 0 || last.size % stride != 0) return std::nullopt;
  return Matrix{last.size / stride, stride, stride, stride, offset, target_offset};
}

// Has the whole buffer's own type, so that parts may be views of the buffers.
bool has_types_of_buffers(memref::CopyOp copy) {
  const auto is_same = [](Value view) {
    const auto buffer = mlir::cast<mlir::MemRefType>(buffer_behind(view).getType());
    return buffer.getLayout().isIdentity() &&
           buffer.getElementType() == mlir::cast<mlir::MemRefType>(view.getType()).getElementType();
  };
  return is_same(copy.getSource()) && is_same(copy.getTarget());
}

// An operation and the part of the copy's matrix that it writes.
struct Writer {
  LinalgOp op;
  Box box;
};

// The last operation of the part that an operation on rows has been cut into.
using LastOfPart = llvm::DenseMap<Operation*, LinalgOp>;

class Sender {
 public:
  Sender(memref::CopyOp copy, const Parameters& machine, LastOfPart& last_of_part)
      : copy_(copy),
        machine_(machine),
        last_of_part_(last_of_part),
        buffer_(buffer_behind(copy.getSource())),
        target_(buffer_behind(copy.getTarget())) {}

  void run() {
    if (!goes_in_parts()) go_early();
  }

 private:
  // Whether the copy is in parts now.
  bool goes_in_parts() {
    const Value written = written_last();
    const Sizes strides = written ? strides_of(written) : Sizes();
    if (strides.empty() || strides.back() != 1) return false;
    const auto matrix =
        matrix_of(copy_, strides.size() == 1 ? machine_.lanes : strides[strides.size() - 2]);
    if (!matrix) return false;
    matrix_ = *matrix;
    if (!threshold::sent_whole(matrix_.rows * beats_of(matrix_.columns))) return false;
    auto writers = all_writers();
    if (writers.size() == 1 && is_waited_for()) {
      if (auto parts = cut(writers.front()); !parts.empty()) writers = std::move(parts);
    }
    const auto pieces = pieces_of(writers);
    if (pieces.size() > 1) send(pieces);
    return pieces.size() > 1;
  }

  // What each writer has, and of the last one, a product, what is read of it one after the other:
  // copies start between reads (tpu/contraction/open.cpp).
  llvm::SmallVector<Writer> pieces_of(llvm::ArrayRef<Writer> writers) {
    llvm::SmallVector<Writer> result(writers);
    if (writers.empty() || !is_read_alone(writers.back().op) || !is_waited_for()) return result;
    const Writer last = result.pop_back_val();
    std::int64_t row = 0;
    for (const std::int64_t rows : rows_of_pieces(last.box)) {
      Box box = last.box;
      box.row += row;
      box.rows = rows;
      result.push_back({last.op, box});
      row += rows;
    }
    return result;
  }

  // Whether nothing but reads is left of the operation where its results leave.
  static bool is_read_alone(LinalgOp op) {
    return attribute::precision.is_on(op) && !attribute::vector.is_on(op) &&
           !attribute::beside.is_on(op);
  }

  // When the last piece has gone, where a row is read in a cycle.
  [[nodiscard]] std::int64_t cycles_of(llvm::ArrayRef<std::int64_t> pieces,
                                       std::int64_t beats) const {
    std::int64_t read = 0;
    std::int64_t gone = 0;
    for (const std::int64_t rows : pieces) {
      read += rows;
      gone = std::max(read + cost_of_piece, gone) + rows * beats;
    }
    return gone + static_cast<std::int64_t>(pieces.size());
  }

  // Rows of each: all of them, or equal pieces, or each twice as long as the one before.
  [[nodiscard]] llvm::SmallVector<std::int64_t> rows_of_pieces(const Box& box) const {
    const std::int64_t beats = beats_of(box.columns);
    llvm::SmallVector<std::int64_t> best{box.rows};
    if (!threshold::read_whole(box.rows * beats)) return best;
    const auto consider = [&](llvm::ArrayRef<std::int64_t> shares) {
      llvm::SmallVector<std::int64_t> pieces;
      std::int64_t sum = 0;
      for (const std::int64_t share : shares) sum += share;
      std::int64_t left = box.rows;
      for (const std::int64_t share : shares) {
        const std::int64_t rows = (box.rows * share / sum + sublanes - 1) / sublanes * sublanes;
        pieces.push_back(std::min(left, std::max<std::int64_t>(rows, sublanes)));
        left -= pieces.back();
        if (left == 0) break;
      }
      pieces.back() += left;
      if (cycles_of(pieces, beats) < cycles_of(best, beats)) best = pieces;
    };
    for (std::int64_t count = 2; count <= most_pieces; ++count) {
      consider(llvm::SmallVector<std::int64_t>(count, 1));
    }
    consider({1, 2});
    consider({1, 2, 4});
    consider({1, 2, 4, 8});
    return best;
  }

  // Starts the copy before those operations preceding it that take time and do not write the
  // buffer: loops and products. Operations on rows stay next to each other. Copies from HBM would
  // wait for the copy.
  void go_early() {
    const auto start = early_start(copy_, [&](Operation* op) {
      if (uses(op, target_) || may_write(op, buffer_)) return Crossing::refused;
      if (auto other = mlir::dyn_cast<memref::CopyOp>(op)) {
        if (!goes_to_hbm(other) && !is_moved(other)) return Crossing::refused;
      } else if (mlir::isa<memref::LoadOp>(op)) {
        return Crossing::passed;
      } else if (!mlir::isa<LinalgOp, mlir::scf::ForOp>(op)) {
        return Crossing::refused;
      } else if (!attribute::rows.is_on(op)) {
        return Crossing::gained;
      }
      return Crossing::passed;
    });
    if (start) move(*start);
  }

  [[nodiscard]] std::int64_t beats_of(std::int64_t words) const {
    return (words + machine_.lanes - 1) / machine_.lanes;
  }

  // Whether the other copy is work of the vector units, which no copy waits for.
  [[nodiscard]] bool is_moved(memref::CopyOp other) const {
    return attribute::in_registers.is_on(other) && !uses(other, target_) &&
           lies_in_vmem(buffer_behind(other.getSource())) &&
           lies_in_vmem(buffer_behind(other.getTarget()));
  }

  // Whether a part of the copy may be done before this operation, which does not write the buffer.
  [[nodiscard]] bool crosses(Operation* op) const {
    if (is_free(op)) return true;
    if (auto other = mlir::dyn_cast<memref::CopyOp>(op)) {
      return (goes_to_hbm(other) && buffer_behind(other.getTarget()) != target_) || is_moved(other);
    }
    return mlir::isa<LinalgOp>(op) && !uses(op, target_) &&
           llvm::all_of(op->getOperands(), [](Value value) {
             return !mlir::isa<mlir::MemRefType>(value.getType()) ||
                    lies_in_vmem(buffer_behind(value));
           });
  }

  // The view of the buffer that its last writer has; nothing where it cannot be determined.
  [[nodiscard]] Value written_last() const {
    for (Operation* op = copy_->getPrevNode(); op != nullptr; op = op->getPrevNode()) {
      if (auto linalg = mlir::dyn_cast<LinalgOp>(op)) {
        for (const Value init : linalg.getDpsInits()) {
          if (buffer_behind(init) == buffer_) return init;
        }
      }
      if (!crosses(op)) break;
    }
    return {};
  }

  // The part of the matrix in the view; nothing where that is no range of whole rows.
  [[nodiscard]] std::optional<Box> box_of(Value view) const {
    const Reach reach = reach_of(view);
    const std::int64_t first = reach.first - matrix_.source_offset;
    const std::int64_t stride = matrix_.source_stride;
    if (first < 0 || first % stride != 0) return std::nullopt;
    const std::int64_t end = (reach.end - matrix_.source_offset + stride - 1) / stride;
    const bool is_whole = (reach.end - matrix_.source_offset - 1) % stride >= matrix_.columns - 1;
    if (!is_whole || end > matrix_.rows) return std::nullopt;
    return Box{first / stride, end - first / stride, 0, matrix_.columns};
  }

  // The last writers of all rows, the first one first; empty where rows cannot be distinguished.
  llvm::SmallVector<Writer> all_writers() const {
    llvm::SmallVector<Writer> result;
    std::int64_t left = matrix_.rows;
    for (Operation* op = copy_->getPrevNode(); op != nullptr && left > 0; op = op->getPrevNode()) {
      if (auto linalg = mlir::dyn_cast<LinalgOp>(op); linalg && may_write(op, buffer_)) {
        for (const Value init : linalg.getDpsInits()) {
          if (buffer_behind(init) != buffer_) continue;
          const auto box = box_of(init);
          if (!box) return {};
          const auto is_known = [&](const Writer& later) { return later.box == *box; };
          const auto is_apart = [&](const Writer& later) {
            return box->row + box->rows <= later.box.row ||
                   later.box.row + later.box.rows <= box->row;
          };
          if (llvm::any_of(result, is_known)) continue;
          if (!llvm::all_of(result, is_apart)) return {};
          result.push_back({linalg, *box});
          left -= box->rows;
        }
      } else if (!crosses(op)) {
        return {};
      }
    }
    if (left != 0) return {};
    return {result.rbegin(), result.rend()};
  }

  // Whether nothing else executes while the copy runs.
  bool is_waited_for() {
    for (Operation* op = copy_->getNextNode(); op != nullptr; op = op->getNextNode()) {
      if (op->getNumRegions() != 0) return false;
    }
    return true;
  }

  // Beats of a row of all results that the operations write.
  [[nodiscard]] std::int64_t beats_of_row(llvm::ArrayRef<LinalgOp> ops) const {
    if (ops.size() == 1) return beats_of(matrix_.columns);
    std::int64_t beats = 0;
    for (auto copy : copy_->getBlock()->getOps<memref::CopyOp>()) {
      const Value buffer = buffer_behind(copy.getSource());
      const bool is_written = llvm::any_of(ops, [&](LinalgOp op) { return may_write(op, buffer); });
      if (!goes_to_hbm(copy) || !is_written) continue;
      const auto type = mlir::cast<mlir::MemRefType>(copy.getSource().getType());
      beats += beats_of(type.getNumElements() / rows_of(ops.front()));
    }
    return beats;
  }

  // The parts that one writer is cut into, or nothing.
  llvm::SmallVector<Writer> cut(Writer writer) {
    // Data that arrives by columns is waited for by the number of a tile of the whole.
    if (attribute::vector.is_on(writer.op) || attribute::beside.is_on(writer.op) ||
        attribute::arrives_by_columns.is_on(writer.op)) {
      return {};
    }
    if (attribute::precision.is_on(writer.op)) return cut_columns(writer);
    return cut_rows(writer);
  }

  // Nothing is cut into two parts of which one would be shorter than the least.
  static std::int64_t part_of(std::int64_t extent, std::int64_t least, std::int64_t multiple) {
    if (extent < 2 * least) return extent;
    const std::int64_t part = std::max((extent + most_parts - 1) / most_parts, least);
    return (part + multiple - 1) / multiple * multiple;
  }

  // When the last of equal parts of columns has gone, where the unit processes one part after the
  // other and a copy moves a beat per cycle. Rows that begin anywhere in a beat touch one more.
  [[nodiscard]] std::int64_t cycles_in_parts(LinalgOp op, std::int64_t part) const {
    const std::int64_t lanes = machine_.lanes;
    const auto ranges = op.getStaticLoopRanges();  // rows, columns, halves, chunks, depth
    const bool is_aligned =
        matrix_.target_stride % lanes == 0 && matrix_.target_offset % lanes == 0;
    const auto passes = static_cast<std::int64_t>(passes_of(op).size());
    const std::int64_t cycles_of_set = std::max(ranges[0], lanes / 2);  // half: of its pushes
    std::int64_t done = 0;
    std::int64_t gone = 0;
    for (std::int64_t first = 0; first < ranges[1]; first += part) {
      const std::int64_t columns = std::min(part, ranges[1] - first);
      done += beats_of(columns) * ranges[2] * ranges[3] * passes * cycles_of_set;
      const std::int64_t beats = is_aligned ? beats_of(columns) : beats_of(columns + lanes - 1);
      gone = std::max(done, gone) + matrix_.rows * beats + cost_of_part;
    }
    return gone;
  }

  llvm::SmallVector<Writer> cut_columns(Writer writer) {
    const auto ranges = writer.op.getStaticLoopRanges();
    if (ranges.size() != 5 || ranges[1] != matrix_.columns) return {};
    const std::int64_t columns = ranges[1];
    std::int64_t best = columns;
    std::int64_t least = cycles_in_parts(writer.op, columns);
    for (std::int64_t parts = 2; parts <= most_parts; ++parts) {
      const std::int64_t part = beats_of((columns + parts - 1) / parts) * machine_.lanes;
      const std::int64_t cycles = cycles_in_parts(writer.op, part);
      if (cycles >= least) continue;
      least = cycles;
      best = part;
    }
    return best < columns ? in_parts(writer, writer.op, 1, columns, best)
                          : llvm::SmallVector<Writer>();
  }

  llvm::SmallVector<Writer> cut_rows(Writer writer) {
    if (!attribute::rows.is_on(writer.op)) return {};
    const auto ops = together(writer.op);
    const std::int64_t rows = rows_of(writer.op);
    const bool has_numbers = llvm::any_of(ops, has_numbers_of_rows);
    const std::int64_t multiple = has_numbers ? machine_.lanes : sublanes;
    const std::int64_t beats = beats_of_row(ops);
    const std::int64_t part = part_of(rows, (least_beats + beats - 1) / beats, multiple);
    if (rows != matrix_.rows || part >= rows || !are_cut_together(ops)) return {};
    return in_parts(writer, ops, 0, rows, part);
  }

  // Whether it has an operand with one number for each row: those of a part begin at a row of VMEM.
  static bool has_numbers_of_rows(LinalgOp op) {
    return llvm::any_of(op.getIndexingMapsArray(), [](mlir::AffineMap map) {
      return map.getNumResults() != 0 && map.getResults().back().isFunctionOfDim(0);
    });
  }

  // Cuts operations next to each other, of which the writer is one, along a loop.
  llvm::SmallVector<Writer> in_parts(Writer writer, llvm::ArrayRef<LinalgOp> ops, unsigned loop,
                                     std::int64_t extent, std::int64_t part) {
    if (!is_cut_by(writer.op, loop)) return {};
    llvm::SmallVector<Writer> result;
    for (std::int64_t first = 0; first < extent; first += part) {
      const std::int64_t count = std::min(part, extent - first);
      llvm::SmallVector<LinalgOp> clones;
      for (const LinalgOp op : ops) {
        clones.push_back(part_of_op(ops.back(), op, loop, first, count));
        if (op != writer.op) continue;
        Box box = writer.box;
        (loop == 0 ? box.row : box.column) += first;
        (loop == 0 ? box.rows : box.columns) = count;
        result.push_back({clones.back(), box});
      }
      for (const LinalgOp clone : clones) last_of_part_[clone] = clones.back();
    }
    for (const LinalgOp op : ops) op->erase();
    return result;
  }

  // A range of a loop of the operation, before another operation.
  static LinalgOp part_of_op(LinalgOp before, LinalgOp op, unsigned loop, std::int64_t first,
                             std::int64_t count) {
    mlir::OpBuilder builder(before);
    auto clone = mlir::cast<LinalgOp>(builder.clone(*op));
    builder.setInsertionPoint(clone);
    for (mlir::OpOperand& operand : clone->getOpOperands()) {
      operand.set(slice(builder, clone, operand, loop, first, count));
    }
    return clone;
  }

  // The part of an operand for a range of a loop.
  static Value slice(mlir::OpBuilder& builder, LinalgOp op, mlir::OpOperand& operand, unsigned loop,
                     std::int64_t first, std::int64_t count) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(operand.get().getType());
    if (!type) return operand.get();
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    Sizes sizes(type.getShape());
    const Sizes strides = strides_of(operand.get());
    std::int64_t offset = 0;
    for (const auto [index, expression] : llvm::enumerate(map.getResults())) {
      if (expression != builder.getAffineDimExpr(loop)) continue;
      offset += first * strides[index];
      sizes[index] = count;
    }
    if (sizes == Sizes(type.getShape())) return operand.get();
    return strided_view(builder, op.getLoc(), operand.get(), builder.getIndexAttr(offset), sizes,
                        strides);
  }

  void send(llvm::ArrayRef<Writer> writers) {
    // An HBM buffer may be allocated right before the copy that fills it.
    Operation* const room = target_.getDefiningOp();
    if (room != nullptr && writers.front().op->isBeforeInBlock(room)) {
      room->moveBefore(writers.front().op);
    }
    mlir::OpBuilder builder(copy_->getContext());
    Operation* written = nullptr;
    for (const Writer& writer : writers) {
      if (writer.op != written) {
        const auto last = last_of_part_.find(writer.op);
        builder.setInsertionPointAfter(last != last_of_part_.end() ? last->second : writer.op);
      }
      written = writer.op;
      const auto view = [&](Value buffer, std::int64_t offset, std::int64_t stride) {
        offset += writer.box.row * stride + writer.box.column;
        return strided_view(builder, copy_.getLoc(), buffer, builder.getIndexAttr(offset),
                            {writer.box.rows, writer.box.columns}, {stride, 1});
      };
      memref::CopyOp::create(builder, copy_.getLoc(),
                             view(buffer_, matrix_.source_offset, matrix_.source_stride),
                             view(target_, matrix_.target_offset, matrix_.target_stride));
    }
    copy_->erase();
  }

  memref::CopyOp copy_;
  const Parameters& machine_;
  LastOfPart& last_of_part_;
  Value buffer_;
  Value target_;
  Matrix matrix_;
};

struct SendResults : FunctionPass<SendResults, PassName::send_results> {
  explicit SendResults(const Parameters& machine) : machine(machine) {}
  void run() {
    mlir::Block& block = getOperation().getBody().front();
    LastOfPart last_of_part;
    for (auto copy : llvm::to_vector(block.getOps<memref::CopyOp>())) {
      const bool has_role = !copy->getDiscardableAttrDictionary().empty();
      if (has_role || !goes_to_hbm(copy) || !has_types_of_buffers(copy)) continue;
      Sender(copy, machine, last_of_part).run();
    }
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_send_results_pass(const Parameters& machine) {
  return std::make_unique<SendResults>(machine);
}

}  // namespace tandem::compiler
