// The row layout: a tile of rows, each beginning at a row of VMEM.
//
// The flat layout makes the copy engine repeat a value for every column, or transpose a matrix so
// that a sum runs along it: a word per cycle. In rows, a value that belongs to a whole row is
// loaded into all lanes at once, one that belongs to a column into all sublanes, and sums run along
// the lanes:
//
//   (row, column)   [R][P], P the width of a row of the tile in whole rows of VMEM, an odd number
//   of
//                   them, so that eight rows of the tile are in eight banks
//   (row)           [R]
//   (column)        [C]
//
// For operations whose innermost loop is contiguous in every operand that it moves. Where all
// operands lie in VMEM in this layout already, the operation is done there as a whole. Those that
// begin in the middle of a row (stencils) are rotated in registers; where their lane is not known,
// these alone are brought to a tile.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/sizes/tiles.hpp"
#include "compiler/tiled/kernel.hpp"
#include "compiler/views/machine_costs.hpp"
#include "llvm/ADT/Sequence.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

enum class Kind : std::uint8_t { scalar, row, column, full };

class RowTiler {
 public:
  RowTiler(Kernel& kernel, const Parameters& machine) : kernel_(kernel), machine_(machine) {}

  // Whether the layout can do the operation, and helps; then sizes are chosen, too.
  bool fits();
  void run();
  // Whether each sum is computed in one pass.
  [[nodiscard]] bool sums_at_once() const {
    return columns().reduces && column_step_ == columns().size;
  }

 private:
  [[nodiscard]] const Loop& columns() const { return kernel_.loops.back(); }
  // The loop of rows, or null where there is only one.
  [[nodiscard]] const Loop* rows() const {
    return kernel_.loops.size() > 1 ? &kernel_.loops[kernel_.loops.size() - 2] : nullptr;
  }
  [[nodiscard]] std::int64_t row_stride(unsigned operand) const {
    return rows() == nullptr ? 0 : rows()->strides[operand];
  }
  [[nodiscard]] bool is_legal() const;
  [[nodiscard]] bool are_all_in_place() const;
  [[nodiscard]] bool is_worth_it() const;
  [[nodiscard]] bool is_beside_rows() const;
  void choose_sizes();
  // Whether the operation is done on the operand itself.
  [[nodiscard]] bool stays(unsigned operand) const {
    return in_place_ || (beside_rows_ && is_in_place(operand));
  }
  [[nodiscard]] bool is_output(unsigned operand) const { return operand >= kernel_.inputs; }
  [[nodiscard]] bool is_in_memory(unsigned operand) const {
    return mlir::isa<mlir::MemRefType>(kernel_.operands[operand].buffer.getType());
  }
  // Whether the body reads the operand.
  [[nodiscard]] bool is_read(unsigned operand) const {
    return !is_output(operand) && !kernel_.op.getBlock()->getArgument(operand).use_empty();
  }
  // The operands in memory for which a condition holds.
  [[nodiscard]] bool any_operand(llvm::function_ref<bool(unsigned)> is_one) const {
    return llvm::any_of(llvm::seq<unsigned>(0, static_cast<unsigned>(kernel_.operands.size())),
                        [&](unsigned i) { return is_in_memory(i) && is_one(i); });
  }
  [[nodiscard]] Kind kind(unsigned operand) const;
  [[nodiscard]] bool is_in_place(unsigned operand) const;
  [[nodiscard]] bool is_rotated(unsigned operand) const;
  // One word in VMEM that an operation on a single row uses as that row's value.
  [[nodiscard]] bool is_value_of_row(unsigned operand) const {
    return kind(operand) == Kind::scalar && rows() == nullptr &&
           begins_at_row(kernel_.operands[operand], machine_.lanes);
  }
  void outer(mlir::OpBuilder& builder, unsigned depth, llvm::SmallVector<OpFoldResult> at);
  void tile(mlir::OpBuilder& builder, llvm::SmallVector<OpFoldResult> at, std::int64_t row_count);
  void compute(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> at, std::int64_t row_count,
               std::int64_t column_count);
  void copy(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
            std::int64_t row_count, std::int64_t column_count, bool in);
  Value scalar_operand(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at);
  void clone_body(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> at,
                  mlir::ValueRange arguments, llvm::ArrayRef<Value> scalars);
  Value body_index(mlir::OpBuilder& builder, mlir::linalg::IndexOp number,
                   llvm::ArrayRef<OpFoldResult> at);
  Value near(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
             std::int64_t row_count, std::int64_t column_count);
  Value far(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
            std::int64_t row_count, std::int64_t column_count);

  Kernel& kernel_;
  const Parameters& machine_;
  mlir::Location loc_ = kernel_.op.getLoc();
  std::int64_t row_step_ = 1;
  std::int64_t column_step_ = 1;
  std::int64_t pitch_ = 0;
  bool in_place_ = false;           // all operands
  bool beside_rows_ = false;        // all but some that begin in the middle of a row
  llvm::SmallVector<Value> rooms_;  // in place: the buffers themselves
};

Kind RowTiler::kind(unsigned operand) const {
  // Even a single row, of which linalg takes the number from an operand.
  if (attribute::scan.is_on(kernel_.op)) return Kind::full;
  const bool moves_columns = columns().strides[operand] != 0;
  const bool moves_rows = row_stride(operand) != 0;
  if (moves_columns) return moves_rows ? Kind::full : Kind::column;
  return moves_rows ? Kind::row : Kind::scalar;
}

// Whether the operand begins in the middle of a row of VMEM and is rotated in registers
// (tpu/rows/row_chunks.cpp), which takes less time than a copy where vectors are half full at
// least.
bool RowTiler::is_rotated(unsigned operand) const {
  const auto lane = first_lane(kernel_.operands[operand], machine_.lanes);
  const Kind shape = kind(operand);
  return lane.value_or(0) != 0 && rows() != nullptr &&
         (shape == Kind::full || shape == Kind::column) &&
         threshold::beside_columns(columns().size, machine_);
}

// Whether the operand is in VMEM in the layout of a tile of it.
bool RowTiler::is_in_place(unsigned operand) const {
  const auto apart = [&](std::int64_t stride) { return stride % machine_.lanes == 0; };
  if (!begins_at_row(kernel_.operands[operand], machine_.lanes) && !is_rotated(operand)) {
    return false;
  }
  const std::size_t outer = kernel_.loops.size() - std::min<std::size_t>(kernel_.loops.size(), 2);
  for (const Loop& loop : llvm::ArrayRef(kernel_.loops).take_front(outer)) {
    if (!apart(loop.strides[operand])) return false;
  }
  switch (kind(operand)) {
    case Kind::scalar: return is_value_of_row(operand);
    case Kind::column: return true;
    case Kind::row: return row_stride(operand) == 1;
    case Kind::full:
      return apart(row_stride(operand)) &&
             std::abs(row_stride(operand)) <= stride_reach * machine_.lanes;
  }
  return false;
}

// The reductions of the cross-lane unit, over values that the body computes from the inputs.
bool reduces_along_lanes(Kernel& kernel) {
  mlir::Block* body = kernel.op.getBlock();
  mlir::Operation* last = body->getTerminator()->getOperand(0).getDefiningOp();
  const Value sum = body->getArguments().back();
  return kernel.operands.size() == kernel.inputs + 1 && last != nullptr && sum.hasOneUse() &&
         (sum.getType().isF32() || sum.getType().isInteger(32)) &&
         llvm::is_contained(last->getOperands(), sum) &&
         mlir::isa<mlir::arith::AddFOp, mlir::arith::MaximumFOp, mlir::arith::MinimumFOp,
                   mlir::arith::AddIOp, mlir::arith::MaxSIOp, mlir::arith::MinSIOp>(last);
}

bool RowTiler::fits() {
  if (!is_legal()) return false;
  in_place_ = are_all_in_place();
  if (!is_worth_it()) return false;
  beside_rows_ = !in_place_ && is_beside_rows();
  choose_sizes();
  return true;
}

bool RowTiler::is_legal() const {
  if (kernel_.loops.empty()) return false;
  const bool sums = columns().reduces;
  if (sums && (!reduces_along_lanes(kernel_) || (rows() != nullptr && rows()->reduces))) {
    return false;
  }
  return !any_operand([&](unsigned i) {
    const std::int64_t along = columns().strides[i];
    if (!is_output(i)) return along != 0 && along != 1;
    return sums ? along != 0 : along != 1 || kind(i) == Kind::row;
  });
}

bool RowTiler::are_all_in_place() const {
  return !any_operand([&](unsigned i) {
    const bool needs_room =
        is_output(i) || (is_read(i) && (kind(i) != Kind::scalar || is_value_of_row(i)));
    return needs_room && !is_in_place(i);
  });
}

bool RowTiler::is_worth_it() const {
  // linalg takes the number of columns from an operand.
  const bool has_columns = any_operand(
      [&](unsigned i) { return columns().strides[i] == 1 && (is_output(i) || is_read(i)); });
  if (!has_columns) return false;
  const bool helps = columns().reduces ||
                     any_operand([&](unsigned i) { return is_read(i) && kind(i) == Kind::row; });
  if (attribute::scan.is_on(kernel_.op)) return in_place_;
  if (!in_place_) return (helps || is_beside_rows()) && columns().size >= 2;
  return helps || rows() != nullptr ||
         any_operand([&](unsigned i) { return is_read(i) && is_value_of_row(i); });
}

// Whether an elementwise operation on rows of VMEM waits only for operands that begin in the middle
// of one: these come to a tile, the others stay where they are.
bool RowTiler::is_beside_rows() const {
  if (rows() == nullptr || columns().reduces) return false;
  // Vectors are half full at least.
  if (!threshold::beside_columns(columns().size, machine_)) return false;
  const auto is_full = [&](unsigned i) {
    return is_output(i) || (is_read(i) && kind(i) == Kind::full);
  };
  const auto lies_beside = [&](unsigned i) {
    const Access& access = kernel_.operands[i];
    const std::int64_t stride = row_stride(i);
    return is_full(i) && lies_in_vmem(access.buffer) && !begins_at_row(access, machine_.lanes) &&
           stride % machine_.lanes == 0 && stride != 0;
  };
  return any_operand(lies_beside) &&
         !any_operand([&](unsigned i) { return is_full(i) && !lies_beside(i) && !is_in_place(i); });
}

void RowTiler::choose_sizes() {
  const std::int64_t row_count = rows() == nullptr ? 1 : rows()->size;
  if (in_place_) {
    row_step_ = row_count;
    column_step_ = columns().size;
    return;
  }
  const std::size_t operands = kernel_.operands.size();
  const auto size = sizes::row_columns(machine_, operands, columns().size);
  const auto tile = sizes::row_tile(
      machine_, operands, row_count, columns().size,
      choose(kernel_.op, DecisionName::rows_columns, size.by_model, size.candidates));
  column_step_ = tile.columns;
  pitch_ = tile.pitch;
  row_step_ = tile.rows;
}

Value RowTiler::near(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
                     std::int64_t row_count, std::int64_t column_count) {
  if (stays(operand)) return far(builder, operand, at, row_count, column_count);
  const auto view = [&](llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides) {
    return strided_view(builder, loc_, rooms_[operand], builder.getIndexAttr(0), sizes, strides);
  };
  switch (kind(operand)) {
    case Kind::scalar:
    case Kind::row: return view({row_count}, {1});
    case Kind::column: return view({column_count}, {1});
    case Kind::full: return view({row_count, column_count}, {pitch_, 1});
  }
  return {};
}

Value RowTiler::far(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
                    std::int64_t row_count, std::int64_t column_count) {
  OpFoldResult offset = builder.getIndexAttr(kernel_.operands[operand].offset);
  for (const auto [loop, start] : llvm::zip(kernel_.loops, at)) {
    if (loop.strides[operand] == 0) continue;
    offset = add(builder, loc_, offset, times(builder, loc_, start, loop.strides[operand]));
  }
  const Value buffer = kernel_.operands[operand].buffer;
  const auto view = [&](llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides) {
    return strided_view(builder, loc_, buffer, offset, sizes, strides);
  };
  switch (kind(operand)) {
    case Kind::scalar:
    case Kind::row: return view({row_count}, {row_stride(operand)});
    case Kind::column: return view({column_count}, {1});
    case Kind::full: return view({row_count, column_count}, {row_stride(operand), 1});
  }
  return {};
}

void RowTiler::copy(mlir::OpBuilder& builder, unsigned operand, llvm::ArrayRef<OpFoldResult> at,
                    std::int64_t row_count, std::int64_t column_count, bool in) {
  if (!rooms_[operand] || stays(operand)) return;
  const Value outside = far(builder, operand, at, row_count, column_count);
  const Value inside = near(builder, operand, at, row_count, column_count);
  mlir::memref::CopyOp::create(builder, loc_, in ? outside : inside, in ? inside : outside);
}

// The index of a loop of the operation, counted from the tile's first row and column.
Value RowTiler::body_index(mlir::OpBuilder& builder, mlir::linalg::IndexOp number,
                           llvm::ArrayRef<OpFoldResult> at) {
  const std::size_t count = kernel_.loops.size();
  for (const auto [position, loop] : llvm::enumerate(kernel_.loops)) {
    if (loop.source != static_cast<int>(number.getDim())) continue;
    const Value start = mlir::getValueOrCreateConstantIndexOp(builder, loc_, at[position]);
    if (position + 2 < count) return start;
    const std::int64_t dimension = position + 1 == count ? 1 : 0;
    const Value inner = mlir::linalg::IndexOp::create(builder, loc_, dimension);
    return mlir::arith::AddIOp::create(builder, loc_, inner, start);
  }
  return mlir::arith::ConstantIndexOp::create(builder, loc_, 0);
}

Value RowTiler::scalar_operand(mlir::OpBuilder& builder, unsigned operand,
                               llvm::ArrayRef<OpFoldResult> at) {
  const Value buffer = kernel_.operands[operand].buffer;
  if (!mlir::isa<mlir::MemRefType>(buffer.getType())) return buffer;
  OpFoldResult offset = builder.getIndexAttr(kernel_.operands[operand].offset);
  for (const auto [loop, start] : llvm::zip(kernel_.loops, at)) {
    if (loop.strides[operand] == 0) continue;
    offset = add(builder, loc_, offset, times(builder, loc_, start, loop.strides[operand]));
  }
  return mlir::memref::LoadOp::create(builder, loc_,
                                      strided_view(builder, loc_, buffer, offset, {}, {}));
}

// The kernel's body on `arguments`, which omit operands that are one scalar for the whole tile.
void RowTiler::clone_body(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> at,
                          mlir::ValueRange arguments, llvm::ArrayRef<Value> scalars) {
  mlir::IRMapping mapping;
  unsigned next = 0;
  for (const auto [index, argument] : llvm::enumerate(kernel_.op.getBlock()->getArguments())) {
    mapping.map(argument, rooms_[index] ? arguments[next++] : scalars[index]);
  }
  for (mlir::Operation& op : *kernel_.op.getBlock()) {
    if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) {
      mapping.map(number.getResult(), body_index(builder, number, at));
    } else {
      builder.clone(op, mapping);
    }
  }
}

// Loops (row, column); the iterator of columns determines whether they are summed.
void RowTiler::compute(mlir::OpBuilder& builder, llvm::ArrayRef<OpFoldResult> at,
                       std::int64_t row_count, std::int64_t column_count) {
  mlir::MLIRContext* context = builder.getContext();
  const auto map = [&](Kind kind) {
    const mlir::AffineExpr row = mlir::getAffineDimExpr(0, context);
    const mlir::AffineExpr column = mlir::getAffineDimExpr(1, context);
    switch (kind) {
      case Kind::scalar:
      case Kind::row: return mlir::AffineMap::get(2, 0, {row}, context);
      case Kind::column: return mlir::AffineMap::get(2, 0, {column}, context);
      case Kind::full: return mlir::AffineMap::get(2, 0, {row, column}, context);
    }
    return mlir::AffineMap();
  };
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<Value> outputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<Value> scalars(kernel_.operands.size());
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    if (!rooms_[i]) {
      scalars[i] = scalar_operand(builder, i, at);
      continue;
    }
    (i < kernel_.inputs ? inputs : outputs)
        .push_back(near(builder, i, at, row_count, column_count));
    maps.push_back(map(kind(i)));
  }
  const auto last = columns().reduces ? mlir::utils::IteratorType::reduction
                                      : mlir::utils::IteratorType::parallel;
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc_, inputs, outputs, maps, {mlir::utils::IteratorType::parallel, last},
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        clone_body(nested, at, arguments, scalars);
      });
  attribute::rows.set(generic);
  attribute::from_identity.copy(kernel_.op, generic);
  attribute::apart.copy(kernel_.op, generic);
  attribute::scan.copy(kernel_.op, generic);
}

void RowTiler::tile(mlir::OpBuilder& builder, llvm::SmallVector<OpFoldResult> at,
                    std::int64_t row_count) {
  const bool sums = columns().reduces;
  at.push_back(builder.getIndexAttr(0));
  const auto outputs = [&](mlir::OpBuilder& b, std::int64_t column_count, bool in) {
    for (unsigned i = kernel_.inputs; i < kernel_.operands.size(); ++i) {
      copy(b, i, at, row_count, column_count, in);
    }
  };
  if (sums && !attribute::from_identity.is_on(kernel_.op)) outputs(builder, 0, true);
  in_steps(builder, loc_, columns().size, column_step_,
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t column_count) {
             at.back() = start;
             for (unsigned i = 0; i < kernel_.inputs; ++i) {
               copy(nested, i, at, row_count, column_count, true);
             }
             if (!sums && kernel_.reads_output) outputs(nested, column_count, true);
             compute(nested, at, row_count, column_count);
             if (!sums) outputs(nested, column_count, false);
           });
  at.back() = builder.getIndexAttr(0);
  if (sums) outputs(builder, 0, false);
}

void RowTiler::outer(mlir::OpBuilder& builder, unsigned depth, llvm::SmallVector<OpFoldResult> at) {
  const unsigned row_depth = kernel_.loops.size() - 2;
  if (rows() == nullptr) return tile(builder, at, 1);
  const bool is_rows = depth == row_depth;
  in_steps(builder, loc_, kernel_.loops[depth].size, is_rows ? row_step_ : 1,
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
             at.resize(depth);
             at.push_back(start);
             if (is_rows) return tile(nested, at, count);
             outer(nested, depth + 1, at);
           });
}

void RowTiler::run() {
  mlir::OpBuilder builder(kernel_.op);
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(kernel_.operands[i].buffer.getType());
    const bool is_output = i >= kernel_.inputs;
    const bool unused = kernel_.op.getBlock()->getArgument(i).use_empty();
    const bool is_taken = kind(i) != Kind::scalar || (in_place_ && is_value_of_row(i));
    Value room;
    if (type && (is_output || (!unused && is_taken))) {
      const Sizes sizes = kind(i) == Kind::full     ? Sizes{row_step_, pitch_}
                          : kind(i) == Kind::column ? Sizes{column_step_}
                                                    : Sizes{row_step_};
      room = stays(i) ? kernel_.operands[i].buffer
                      : vmem_buffer(builder, loc_, sizes, type.getElementType());
    }
    rooms_.push_back(room);
  }
  outer(builder, 0, {});
  kernel_.op->erase();
}

}  // namespace

bool sums_rows_at_once(Kernel& kernel, const Parameters& machine) {
  RowTiler tiler(kernel, machine);
  return tiler.fits() && tiler.sums_at_once();
}

bool tile_in_rows(Kernel& kernel, const Parameters& machine) {
  for (const Loop& loop : kernel.loops) {
    if (loop.size == 0) return false;
  }
  RowTiler tiler(kernel, machine);
  if (!tiler.fits()) return false;
  tiler.run();
  return true;
}

}  // namespace tandem::compiler
