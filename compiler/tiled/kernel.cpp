#include "compiler/tiled/kernel.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/sizes/tiles.hpp"
#include "compiler/views/access.hpp"

#include <numeric>

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::OpFoldResult;
using mlir::Value;

// A box of the iteration space: where it begins and how far it goes, one entry per loop.
struct Box {
  llvm::SmallVector<OpFoldResult> start;
  Sizes extent;
};

class Tiler {
 public:
  Tiler(Kernel& kernel, const Parameters& machine) : kernel_(kernel), machine_(machine) {}
  void run();

 private:
  struct Room {
    Value buffer;  // in VMEM; null where the operand is a scalar or needs none
    bool is_scalar = false;
    bool per_turn = false;  // one element for each iteration of the reduction loops
  };

  static constexpr std::int64_t few_iterations = 8;

  [[nodiscard]] bool finds_turns() const;
  void choose_tile();
  [[nodiscard]] bool is_in_place() const;
  [[nodiscard]] bool is_in_place(unsigned operand) const;
  [[nodiscard]] bool is_faster_in_place() const;
  // Whether the operand is read where it is; others may come to tiles.
  [[nodiscard]] bool stays(unsigned operand) const {
    const bool is_whole = kernel_.loops.size() == 1 && tile_[0] == kernel_.loops[0].size;
    return in_place_ ||
           (is_whole && is_input(operand) && !kernel_.reduces() && is_in_place(operand));
  }
  void make_room(mlir::OpBuilder& builder);
  void parallel_loops(mlir::OpBuilder& builder, unsigned depth, Box& box);
  void reducing_loops(mlir::OpBuilder& builder, unsigned depth, Box& box);
  void compute(mlir::OpBuilder& builder, const Box& box);
  Value scalar_operand(mlir::OpBuilder& builder, unsigned operand, const Box& box);
  Value near_view(mlir::OpBuilder& builder, unsigned operand, const Box& box);
  Value body_index(mlir::OpBuilder& builder, const Box& box, unsigned loop);
  void clone_body(mlir::OpBuilder& builder, const Box& box, mlir::ValueRange arguments,
                  llvm::ArrayRef<Value> scalars);

  [[nodiscard]] bool is_input(unsigned operand) const { return operand < kernel_.inputs; }
  // Whether the operand differs within a tile.
  [[nodiscard]] bool moves(unsigned operand) const {
    for (const auto [loop, size] : llvm::zip(kernel_.loops, tile_)) {
      if (loop.strides[operand] != 0 && size != 1) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_scalar(unsigned operand) const {
    const bool in_memory = mlir::isa<mlir::MemRefType>(kernel_.operands[operand].buffer.getType());
    return is_input(operand) && (!in_memory || !moves(operand));
  }
  [[nodiscard]] bool is_used(unsigned operand) const {
    return !is_input(operand) || !kernel_.op.getBlock()->getArgument(operand).use_empty();
  }
  // Whether the operation on a tile has a loop over iterations. Some operand must give their
  // number; where all inputs are scalars, they are loops around it.
  [[nodiscard]] bool has_turns() const { return has_turns_; }
  // Whether the operand differs within the parallel part of a tile.
  [[nodiscard]] bool moves_within(unsigned operand) const {
    for (unsigned i = 0; i < parallel_count_; ++i) {
      if (kernel_.loops[i].strides[operand] != 0 && tile_[i] != 1) return true;
    }
    return false;
  }
  [[nodiscard]] Sizes parallel(const Sizes& extent) const {
    return Sizes(extent.begin(), extent.begin() + parallel_count_);
  }
  [[nodiscard]] Sizes reducing(const Sizes& extent) const {
    return Sizes(extent.begin() + parallel_count_, extent.end());
  }
  // Words from one iteration of the reduction loops to the next: whole vectors.
  [[nodiscard]] std::int64_t pitch(std::int64_t tile) const {
    const std::int64_t vector = machine_.vector_words();
    return (tile + vector - 1) / vector * vector;
  }
  OpFoldResult place(mlir::OpBuilder& builder, unsigned operand, const Box& box) const;
  Value outside(mlir::OpBuilder& builder, unsigned operand, const Box& box, bool whole) const;
  Value inside(mlir::OpBuilder& builder, unsigned operand, const Box& box, bool whole) const;

  Kernel& kernel_;
  const Parameters& machine_;
  mlir::Location loc_ = kernel_.op.getLoc();
  unsigned parallel_count_ = 0;
  bool has_turns_ = false;
  Sizes tile_;             // one entry per loop
  bool in_place_ = false;  // all operands are flat in VMEM, and are used there as a whole
  llvm::SmallVector<Room> rooms_;
};

// Inner loops whole while they fit, one loop in part, the outer ones one at a time.
void take_box(llvm::MutableArrayRef<Loop> loops, std::int64_t words, Sizes& tile) {
  Sizes inner;
  for (std::size_t i = loops.size(); i-- > 0;) {
    const std::int64_t size = loops[i].size;
    std::int64_t taken = std::max<std::int64_t>(1, std::min(size, words));
    // Whole steps save the code for the remainder.
    for (std::int64_t parts = (size + taken - 1) / std::max<std::int64_t>(1, taken);
         taken < size && parts <= 2 * ((size + taken - 1) / taken); ++parts) {
      if (size % parts == 0) {
        taken = size / parts;
        break;
      }
    }
    inner.push_back(taken);
    words = taken == size ? words / std::max<std::int64_t>(1, size) : 1;
  }
  tile.append(inner.rbegin(), inner.rend());
}

// Whether the operand is in VMEM in the same layout as its buffer would be, in one tile of all
// loops.
bool Tiler::is_in_place(unsigned operand) const {
  const Access& access = kernel_.operands[operand];
  if (!mlir::isa<mlir::MemRefType>(access.buffer.getType())) return true;
  const bool is_constant = llvm::all_of(access.strides, [](std::int64_t s) { return s == 0; });
  const bool unused = kernel_.op.getBlock()->getArgument(operand).use_empty();
  if (is_input(operand) && (is_constant || unused)) return true;
  if (!begins_at_row(access, machine_.lanes) || parallel_count_ == 0) return false;
  // Loops around it, each iteration of which is at another row.
  for (unsigned i = 0; i + 1 < parallel_count_; ++i) {
    if (kernel_.loops[i].strides[operand] % machine_.lanes != 0) return false;
  }
  const std::int64_t along = kernel_.loops[parallel_count_ - 1].strides[operand];
  if (!kernel_.reduces()) return along == 1;
  const std::int64_t turn = kernel_.loops[parallel_count_].strides[operand];
  if (!is_input(operand)) return along == 1;
  // A row that does not fill a vector must not reach into the memory after it.
  return along == 0 ? turn == 1 : along == 1 && turn % machine_.lanes == 0;
}

bool Tiler::is_in_place() const {
  const bool reduces = kernel_.reduces();
  if (kernel_.loops.size() != parallel_count_ + (reduces ? 1 : 0)) return false;
  if (parallel_count_ == 0 || (!reduces && parallel_count_ != 1)) return false;
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    if (!is_in_place(i)) return false;
  }
  return parallel_count_ == 1 || is_faster_in_place();
}

// Whether a reduction is faster in an iteration for each index of the outer loops, on operands as
// they are, than on all of them side by side in a tile, after copies.
bool Tiler::is_faster_in_place() const {
  constexpr std::int64_t of_iteration = 12;  // cycles to begin and end one
  constexpr std::int64_t of_copies = 100;
  constexpr std::int64_t of_four_rows = 3;  // that are copied
  constexpr std::int64_t of_sum = 2;        // a turn's addition waits for the last one's
  const Loop& columns = kernel_.loops[parallel_count_ - 1];
  const Loop& turns = kernel_.loops[parallel_count_];
  const std::int64_t chunks = llvm::divideCeilSigned(columns.size, std::int64_t{machine_.lanes});
  const auto body = static_cast<std::int64_t>(kernel_.op.getBlock()->getOperations().size());
  const std::int64_t work = std::max<std::int64_t>(1, body / 2);
  std::int64_t iterations = 1;
  for (unsigned i = 0; i + 1 < parallel_count_; ++i) iterations *= kernel_.loops[i].size;
  std::int64_t rows = 0;
  bool by_eight = true;  // eight rows are in eight banks (tpu/rows/down_columns.cpp)
  for (unsigned i = 0; i < kernel_.inputs; ++i) {
    if (turns.strides[i] != 0) rows += iterations * turns.size * chunks;
    by_eight = by_eight && (turns.strides[i] == 0 || turns.strides[i] / machine_.lanes % 2 == 1);
  }
  const auto one_by_one = [&](std::int64_t wide) {
    return turns.size *
           std::max(of_sum, llvm::divideCeilSigned(wide, std::int64_t{sublanes}) * work);
  };
  const std::int64_t in_place =
      by_eight ? llvm::divideCeilSigned(turns.size, std::int64_t{sublanes}) * chunks * work
               : one_by_one(chunks);
  return iterations * (of_iteration + in_place) <
         of_copies + rows * of_four_rows / 4 + one_by_one(iterations * chunks);
}

bool Tiler::finds_turns() const {
  for (unsigned i = 0; i < kernel_.inputs; ++i) {
    if (kernel_.reduces() && !is_scalar(i) && is_used(i)) return true;
  }
  return false;
}

void Tiler::choose_tile() {
  parallel_count_ = llvm::count_if(kernel_.loops, [](const Loop& loop) { return !loop.reduces; });
  in_place_ = is_in_place();
  if (in_place_) {
    tile_.assign(parallel_count_ - 1, 1);
    for (const Loop& loop : llvm::ArrayRef(kernel_.loops).drop_front(parallel_count_ - 1)) {
      tile_.push_back(loop.size);
    }
    has_turns_ = finds_turns();
    if (has_turns_ || !kernel_.reduces()) return;
    in_place_ = false;
    tile_.clear();
  }
  const auto words = sizes::flat_words(machine_, kernel_.operands.size());
  const std::int64_t share =
      choose(kernel_.op, DecisionName::tile_share, words.by_model, words.candidates);
  const llvm::MutableArrayRef<Loop> loops(kernel_.loops);
  take_box(loops.take_front(parallel_count_), sizes::parallel_words(share, kernel_.reduces()),
           tile_);
  const std::int64_t turns = std::max<std::int64_t>(1, share / pitch(product(parallel(tile_))));
  take_box(loops.drop_front(parallel_count_), turns, tile_);
  has_turns_ = finds_turns();
  for (unsigned i = parallel_count_; i < tile_.size() && !has_turns_; ++i) tile_[i] = 1;
}

void Tiler::make_room(mlir::OpBuilder& builder) {
  llvm::SmallVector<unsigned> all(kernel_.loops.size());
  std::iota(all.begin(), all.end(), 0U);
  const std::int64_t width = product(parallel(tile_));
  const std::int64_t turns = product(reducing(tile_));
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    const auto type = mlir::dyn_cast<mlir::MemRefType>(kernel_.operands[i].buffer.getType());
    Room room;
    room.is_scalar = is_scalar(i);
    if (!room.is_scalar && is_used(i)) {
      const bool turned = is_input(i) && has_turns();
      room.per_turn = turned && !moves_within(i);
      Sizes sizes{width};
      if (turned) sizes = room.per_turn ? Sizes{turns} : Sizes{turns, pitch(width)};
      room.buffer = stays(i) ? kernel_.operands[i].buffer
                             : vmem_buffer(builder, loc_, sizes, type.getElementType());
    }
    rooms_.push_back(room);
  }
}

OpFoldResult Tiler::place(mlir::OpBuilder& builder, unsigned operand, const Box& box) const {
  OpFoldResult result = builder.getIndexAttr(kernel_.operands[operand].offset);
  for (const auto [loop, start] : llvm::zip(kernel_.loops, box.start)) {
    if (loop.strides[operand] == 0) continue;
    result = add(builder, loc_, result, times(builder, loc_, start, loop.strides[operand]));
  }
  return result;
}

// The operand's part of the box in place, outermost loop first: reduction loops, then parallel
// loops; outputs have only the parallel ones.
Value Tiler::outside(mlir::OpBuilder& builder, unsigned operand, const Box& box, bool whole) const {
  Sizes sizes;
  Sizes strides;
  const auto show = [&](unsigned loop) {
    sizes.push_back(box.extent[loop]);
    strides.push_back(kernel_.loops[loop].strides[operand]);
  };
  for (unsigned i = parallel_count_; whole && i < kernel_.loops.size(); ++i) show(i);
  for (unsigned i = 0; !rooms_[operand].per_turn && i < parallel_count_; ++i) show(i);
  return strided_view(builder, loc_, kernel_.operands[operand].buffer, place(builder, operand, box),
                      sizes, strides);
}

// The same box in the operand's buffer.
Value Tiler::inside(mlir::OpBuilder& builder, unsigned operand, const Box& box, bool whole) const {
  const bool per_turn = rooms_[operand].per_turn;
  Sizes sizes = whole ? reducing(box.extent) : Sizes();
  Sizes strides = dense_strides(sizes, per_turn ? 1 : pitch(product(parallel(tile_))));
  const Sizes flat = per_turn ? Sizes() : parallel(box.extent);
  sizes.append(flat);
  strides.append(dense_strides(flat));
  return strided_view(builder, loc_, rooms_[operand].buffer, builder.getIndexAttr(0), sizes,
                      strides);
}

// The number of a loop of the operation at element t of the tile.
Value Tiler::body_index(mlir::OpBuilder& builder, const Box& box, unsigned loop) {
  const auto constant = [&](std::int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc_, value);
  };
  for (const auto [position, candidate] : llvm::enumerate(kernel_.loops)) {
    if (candidate.source != static_cast<int>(loop)) continue;
    const bool reduces = candidate.reduces;
    const unsigned first = reduces ? parallel_count_ : 0;
    const unsigned end = reduces ? kernel_.loops.size() : parallel_count_;
    std::int64_t inner = 1;
    for (unsigned i = position + 1; i < end; ++i) inner *= box.extent[i];
    const unsigned flat_loop = has_turns() && !reduces ? 1 : 0;
    Value index = mlir::linalg::IndexOp::create(builder, loc_, flat_loop);
    if (inner != 1) index = arith::DivUIOp::create(builder, loc_, index, constant(inner));
    if (position != first && box.extent[position] != 1) {
      index = arith::RemUIOp::create(builder, loc_, index, constant(box.extent[position]));
    } else if (box.extent[position] == 1) {
      index = constant(0);
    }
    const Value start = mlir::getValueOrCreateConstantIndexOp(builder, loc_, box.start[position]);
    return arith::AddIOp::create(builder, loc_, index, start);
  }
  return constant(0);
}

void Tiler::clone_body(mlir::OpBuilder& builder, const Box& box, mlir::ValueRange arguments,
                       llvm::ArrayRef<Value> scalars) {
  mlir::IRMapping map;
  unsigned next = 0;
  mlir::Block* body = kernel_.op.getBlock();
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    if (rooms_[i].is_scalar) {
      map.map(body->getArgument(i), scalars[i]);
    } else if (rooms_[i].buffer) {
      map.map(body->getArgument(i), arguments[next++]);
    }
  }
  for (mlir::Operation& op : *body) {
    if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) {
      map.map(index.getResult(), body_index(builder, box, static_cast<unsigned>(index.getDim())));
    } else {
      builder.clone(op, map);
    }
  }
}

Value Tiler::scalar_operand(mlir::OpBuilder& builder, unsigned operand, const Box& box) {
  const Value buffer = kernel_.operands[operand].buffer;
  if (!mlir::isa<mlir::MemRefType>(buffer.getType())) return buffer;
  return mlir::memref::LoadOp::create(
      builder, loc_, strided_view(builder, loc_, buffer, place(builder, operand, box), {}, {}));
}

// The view of an operand's buffer for a tile: a dimension for its elements, preceded by one for the
// iterations of an input that has them.
Value Tiler::near_view(mlir::OpBuilder& builder, unsigned operand, const Box& box) {
  const std::int64_t turns = product(reducing(box.extent));
  const bool per_turn = rooms_[operand].per_turn;
  Sizes sizes{product(parallel(box.extent))};
  Sizes strides{1};
  if (per_turn) {
    sizes = {turns};
  } else if (is_input(operand) && has_turns()) {
    sizes.insert(sizes.begin(), turns);
    // In place the stride of an iteration is that of the operand, not that of a buffer.
    strides.insert(strides.begin(), in_place_ ? kernel_.loops[parallel_count_].strides[operand]
                                              : pitch(product(parallel(tile_))));
  }
  const OpFoldResult start =
      stays(operand) ? place(builder, operand, box) : builder.getIndexAttr(0);
  return strided_view(builder, loc_, rooms_[operand].buffer, start, sizes, strides);
}

// One operation on VMEM over a whole tile.
void Tiler::compute(mlir::OpBuilder& builder, const Box& box) {
  const bool reduces = has_turns();
  llvm::SmallVector<Value> scalars(kernel_.operands.size());
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<Value> outputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  mlir::MLIRContext* context = builder.getContext();
  const unsigned dimensions = reduces ? 2 : 1;
  const auto tile = mlir::AffineMap::get(
      dimensions, 0, {mlir::getAffineDimExpr(dimensions - 1, context)}, context);
  const auto turn =
      mlir::AffineMap::get(dimensions, 0, {mlir::getAffineDimExpr(0, context)}, context);
  for (unsigned i = 0; i < kernel_.operands.size(); ++i) {
    if (rooms_[i].is_scalar) {
      scalars[i] = scalar_operand(builder, i, box);
      continue;
    }
    if (!rooms_[i].buffer) continue;
    (is_input(i) ? inputs : outputs).push_back(near_view(builder, i, box));
    const bool turned = is_input(i) && reduces;
    maps.push_back(rooms_[i].per_turn ? turn : turned ? builder.getMultiDimIdentityMap(2) : tile);
  }
  llvm::SmallVector<mlir::utils::IteratorType> iterators(dimensions,
                                                         mlir::utils::IteratorType::parallel);
  if (reduces) iterators[0] = mlir::utils::IteratorType::reduction;
  mlir::linalg::GenericOp::create(
      builder, loc_, inputs, outputs, maps, iterators,
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        clone_body(nested, box, arguments, scalars);
      });
}

void Tiler::reducing_loops(mlir::OpBuilder& builder, unsigned depth, Box& box) {
  if (depth == kernel_.loops.size()) {
    for (unsigned i = 0; i < kernel_.inputs; ++i) {
      if (!rooms_[i].buffer || stays(i)) continue;
      mlir::memref::CopyOp::create(builder, loc_, outside(builder, i, box, true),
                                   inside(builder, i, box, true));
    }
    compute(builder, box);
    return;
  }
  in_steps(builder, loc_, kernel_.loops[depth].size, tile_[depth],
           [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t extent) {
             box.start[depth] = start;
             box.extent[depth] = extent;
             reducing_loops(nested, depth + 1, box);
           });
}

void Tiler::parallel_loops(mlir::OpBuilder& builder, unsigned depth, Box& box) {
  if (depth < parallel_count_) {
    // In place there is little to do in an iteration, and nothing to bring.
    const bool unrolls = in_place_ && kernel_.loops[depth].size <= few_iterations;
    in_steps(
        builder, loc_, kernel_.loops[depth].size, tile_[depth],
        [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t extent) {
          box.start[depth] = start;
          box.extent[depth] = extent;
          parallel_loops(nested, depth + 1, box);
        },
        unrolls);
    return;
  }
  const auto move_outputs = [&](bool in) {
    if (in_place_) return;
    for (unsigned i = kernel_.inputs; i < kernel_.operands.size(); ++i) {
      // Memory that a computation does not read may never have been written.
      if (in && !kernel_.op.payloadUsesValueFromOperand(&kernel_.op->getOpOperand(i))) continue;
      const Value far = outside(builder, i, box, false);
      const Value near = inside(builder, i, box, false);
      mlir::memref::CopyOp::create(builder, loc_, in ? far : near, in ? near : far);
    }
  };
  move_outputs(true);
  reducing_loops(builder, depth, box);
  move_outputs(false);
}

void Tiler::run() {
  choose_tile();
  mlir::OpBuilder builder(kernel_.op);
  for (const Loop& loop : kernel_.loops) {
    // Nothing to reduce leaves the outputs as they are.
    if (loop.size == 0) return kernel_.op->erase();
  }
  make_room(builder);
  Box box;
  box.start.resize(kernel_.loops.size(), builder.getIndexAttr(0));
  box.extent.resize(kernel_.loops.size(), 1);
  parallel_loops(builder, 0, box);
  kernel_.op->erase();
}

// The body yields its only input: no computation, so one copy between two views.
bool tile_as_copy(Kernel& kernel) {
  auto yield = mlir::cast<mlir::linalg::YieldOp>(kernel.op.getBlock()->getTerminator());
  if (kernel.inputs != 1 || yield.getNumOperands() != 1 || kernel.reduces() ||
      yield.getOperand(0) != kernel.op.getBlock()->getArgument(0) ||
      !mlir::isa<mlir::MemRefType>(kernel.operands[0].buffer.getType())) {
    return false;
  }
  mlir::OpBuilder builder(kernel.op);
  const mlir::Location loc = kernel.op.getLoc();
  Sizes sizes;
  for (const Loop& loop : kernel.loops) sizes.push_back(loop.size);
  const auto view = [&](unsigned operand) {
    Sizes strides;
    for (const Loop& loop : kernel.loops) strides.push_back(loop.strides[operand]);
    return strided_view(builder, loc, kernel.operands[operand].buffer,
                        builder.getIndexAttr(kernel.operands[operand].offset), sizes, strides);
  };
  mlir::memref::CopyOp::create(builder, loc, view(0), view(1));
  kernel.op->erase();
  return true;
}

}  // namespace

mlir::LogicalResult tile(mlir::linalg::LinalgOp op, const Parameters& machine) {
  if (is_repack(op)) return tile_repack(op, machine);
  auto kernel = kernel_of(op);
  if (mlir::failed(kernel)) return mlir::failure();
  if (!attribute::beside.is_on(op) && tile_as_copy(*kernel)) return mlir::success();
  if (tile_contraction(*kernel, machine)) return mlir::success();
  if (tile_in_rows(*kernel, machine)) return mlir::success();
  if (attribute::scan.is_on(op)) {
    return op.emitError("internal: rows to scan that are not rows of VMEM");
  }
  merge_rows(*kernel);
  Tiler(*kernel, machine).run();
  return mlir::success();
}

}  // namespace tandem::compiler
