// Operations on buffers that do not fit VMEM, several at a time, block by block.
//
// Operations that follow each other and have a loop in common, over the same dimension of what they
// hand to each other, become one loop over blocks of that dimension:
//
//   in the loop   copies in, all operations on the block, copies out
//   temporaries   what only they use has the size of a block, and never sees HBM
//   in turns      what is copied has two blocks: the next one comes in, and the last one goes out,
//                 while this one is in work
//
// Where one index of a dimension is still too much (a head of an attention), its loop goes around
// and the operations inside are cut along their next dimension. What all blocks read (keys and
// values) is brought once before the loop.
#include "compiler/choices.hpp"
#include "compiler/passes.hpp"
#include "compiler/tiled/access.hpp"
#include "compiler/tiled/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::OpFoldResult;
using mlir::Value;
using mlir::linalg::LinalgOp;

MemRefType type_of(Value buffer) { return mlir::cast<MemRefType>(buffer.getType()); }

// How a group uses a buffer.
struct Buffer {
  int dimension = -1;       // that is cut into blocks; -1: read as a whole
  bool read_first = false;  // before the group has written it
  bool written = false;
  bool is_private = false;  // a temporary of the group
};

class Group {
 public:
  // Whether the operation goes with those before it; if so, it is added.
  bool add(LinalgOp op);
  [[nodiscard]] bool empty() const { return ops_.empty(); }
  [[nodiscard]] llvm::ArrayRef<LinalgOp> ops() const { return ops_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const llvm::MapVector<Value, Buffer>& buffers() const { return buffers_; }
  [[nodiscard]] unsigned loop_of(LinalgOp op) const { return loops_.lookup(op); }
  void find_private();
  // Whether what is written has another dimension to be cut besides the innermost one.
  [[nodiscard]] bool has_inner_dimension() const;

 private:
  bool find_loop(LinalgOp op, unsigned& loop) const;

  std::int64_t size_ = 0;  // of the dimension that is cut
  llvm::SmallVector<LinalgOp> ops_;
  llvm::DenseMap<mlir::Operation*, unsigned> loops_;
  llvm::MapVector<Value, Buffer> buffers_;
};

int first_dimension(Value buffer) {
  for (const auto [index, size] : llvm::enumerate(type_of(buffer).getShape())) {
    if (size != 1) return static_cast<int>(index);
  }
  return -1;
}

// The loop that walks the group's dimension: that of a buffer that the group knows, else the
// outermost of the output.
bool Group::find_loop(LinalgOp op, unsigned& loop) const {
  const auto loop_at = [&](mlir::OpOperand& operand, int dimension) {
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    if (dimension < 0) return false;
    const auto expression =
        mlir::dyn_cast<mlir::AffineDimExpr>(map.getResult(static_cast<unsigned>(dimension)));
    if (!expression) return false;
    loop = expression.getPosition();
    return true;
  };
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto* known = buffers_.find(operand.get());
    if (known == buffers_.end() || known->second.dimension < 0) continue;
    return loop_at(operand, known->second.dimension);
  }
  mlir::OpOperand& output = op.getDpsInitsMutable()[0];
  return loop_at(output, first_dimension(output.get()));
}

bool Group::add(LinalgOp op) {
  unsigned loop = 0;
  if (op.getNumDpsInits() == 0 || op->getNumResults() != 0 || !find_loop(op, loop)) return false;
  const std::int64_t size = op.getStaticLoopRanges()[loop];
  if (mlir::ShapedType::isDynamic(size) || size < 2 || (size_ != 0 && size != size_) ||
      op.getIteratorTypesArray()[loop] != mlir::utils::IteratorType::parallel) {
    return false;
  }
  llvm::MapVector<Value, Buffer> changed = buffers_;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto type = mlir::dyn_cast<MemRefType>(operand.get().getType());
    if (!type) continue;
    if (!type.hasStaticShape() || type.getMemorySpace()) return false;
    const mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    int dimension = -1;
    for (const auto [index, expression] : llvm::enumerate(map.getResults())) {
      if (!expression.isFunctionOfDim(loop)) continue;
      if (dimension >= 0 || !mlir::isa<mlir::AffineDimExpr>(expression)) return false;
      dimension = static_cast<int>(index);
    }
    const bool is_output = op.isDpsInit(&operand);
    const bool is_new = !changed.contains(operand.get());
    Buffer& buffer = changed[operand.get()];
    if (is_output && dimension < 0) return false;
    if (!is_new && buffer.dimension != dimension) return false;
    buffer.dimension = dimension;
    const bool reads = !is_output || op.payloadUsesValueFromOperand(&operand);
    buffer.read_first = buffer.read_first || (reads && !buffer.written);
    buffer.written = buffer.written || is_output;
  }
  // Two views of one buffer may hide that what one writes the other reads.
  llvm::DenseMap<Value, Value> roots;
  for (const auto& [view, buffer] : changed) {
    Value root = view;
    while (mlir::Operation* from = root.getDefiningOp()) {
      if (!mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp>(from)) break;
      root = from->getOperand(0);
    }
    const auto [entry, is_new] = roots.try_emplace(root, view);
    if (!is_new && (buffer.written || changed[entry->second].written)) return false;
  }
  buffers_ = std::move(changed);
  ops_.push_back(op);
  loops_[op] = loop;
  size_ = size;
  return true;
}

bool Group::has_inner_dimension() const {
  return llvm::any_of(buffers_, [](const auto& entry) {
    const auto& [view, buffer] = entry;
    const auto shape = type_of(view).getShape();
    return buffer.written && llvm::count_if(shape, [](std::int64_t n) { return n != 1; }) > 2;
  });
}

void Group::find_private() {
  for (auto& [view, buffer] : buffers_) {
    buffer.is_private = view.getDefiningOp<memref::AllocOp>() && !buffer.read_first &&
                        buffer.written && llvm::all_of(view.getUsers(), [&](mlir::Operation* user) {
                          return llvm::is_contained(ops_, mlir::dyn_cast<LinalgOp>(user));
                        });
  }
}

class Blocker {
 public:
  explicit Blocker(const Parameters& machine) : machine_(machine) {}

  void run(mlir::Block& block);

 private:
  using Buffers = llvm::DenseMap<Value, Value>;  // a buffer, and what stands for it

  void finish(Group& group);
  [[nodiscard]] std::int64_t words(const Group& group, std::int64_t step, bool keeps_large) const;
  [[nodiscard]] std::int64_t largest_step(const Group& group, bool keeps_large) const;
  [[nodiscard]] std::int64_t choose_step(const Group& group) const;
  void one_at_a_time(const Group& group);
  void in_blocks(const Group& group, std::int64_t step);
  Buffers make_rooms(mlir::OpBuilder& builder, const Group& group, std::int64_t step);
  static Value block_view(mlir::OpBuilder& builder, Value buffer, int dimension, OpFoldResult start,
                          std::int64_t step);
  void copies(mlir::OpBuilder& builder, const Group& group, const Buffers& rooms,
              OpFoldResult start, std::int64_t step, bool in, bool carried = false);
  static void compute(mlir::OpBuilder& builder, const Group& group, Buffers rooms,
                      OpFoldResult start, std::int64_t step);

  const Parameters& machine_;
};

Value Blocker::block_view(mlir::OpBuilder& builder, Value buffer, int dimension, OpFoldResult start,
                          std::int64_t step) {
  const MemRefType type = type_of(buffer);
  llvm::SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  auto sizes = mlir::getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  const llvm::SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  offsets[static_cast<unsigned>(dimension)] = start;
  sizes[static_cast<unsigned>(dimension)] = builder.getIndexAttr(step);
  return memref::SubViewOp::create(builder, buffer.getLoc(), buffer, offsets, sizes, strides);
}

MemRefType with_size(MemRefType type, int dimension, std::int64_t size) {
  Sizes shape(type.getShape());
  if (dimension >= 0) shape[static_cast<unsigned>(dimension)] = size;
  return MemRefType::get(shape, type.getElementType());
}

// Words of VMEM that blocks of this size take. What is large and not kept is read from HBM again
// and again.
std::int64_t Blocker::words(const Group& group, std::int64_t step, bool keeps_large) const {
  std::int64_t sum = 0;
  for (const auto& [view, buffer] : group.buffers()) {
    const std::int64_t whole = vmem_words_of(type_of(view), machine_.lanes);
    const bool is_large = buffer.dimension < 0 && whole > resident_words(machine_) / 2;
    if (is_large && !keeps_large) continue;
    const MemRefType type = with_size(type_of(view), buffer.dimension, step);
    const bool streams = buffer.dimension >= 0 && !buffer.is_private;
    sum += (streams ? 2 : 1) * vmem_words_of(type, machine_.lanes);
  }
  return sum;
}

// The largest step that fits and divides the dimension into an even number of blocks; 0: none.
std::int64_t Blocker::largest_step(const Group& group, bool keeps_large) const {
  const std::int64_t room = resident_words(machine_);
  for (std::int64_t blocks = 4; blocks <= group.size(); blocks += 2) {
    if (group.size() % blocks != 0) continue;
    if (words(group, group.size() / blocks, keeps_large) <= room) return group.size() / blocks;
  }
  return words(group, 1, keeps_large) <= room ? 1 : 0;
}

// Blocks that leave room for what all of them read, unless they would be tiny.
std::int64_t Blocker::choose_step(const Group& group) const {
  constexpr std::int64_t enough = 16;
  const std::int64_t step = largest_step(group, true);
  return step >= enough ? step : largest_step(group, false);
}

Blocker::Buffers Blocker::make_rooms(mlir::OpBuilder& builder, const Group& group,
                                     std::int64_t step) {
  Buffers rooms;
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    rooms[view] = memref::AllocOp::create(builder, view.getLoc(),
                                          with_size(type_of(view), buffer.dimension, step));
  }
  return rooms;
}

void Blocker::copies(mlir::OpBuilder& builder, const Group& group, const Buffers& rooms,
                     OpFoldResult start, std::int64_t step, bool in, bool carried) {
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    if (in ? !buffer.read_first : !buffer.written) continue;
    const Value far = block_view(builder, view, buffer.dimension, start, step);
    const Value near = rooms.lookup(view);
    auto copy = memref::CopyOp::create(builder, view.getLoc(), in ? far : near, in ? near : far);
    if (carried) copy->setAttr("tandem.carried", builder.getUnitAttr());
  }
}

// The operations on a block; their loop's number counts from the beginning of the dimension.
void Blocker::compute(mlir::OpBuilder& builder, const Group& group, Buffers rooms,
                      OpFoldResult start, std::int64_t step) {
  for (const auto& [view, buffer] : group.buffers()) {
    if (!buffer.is_private || rooms.contains(view)) continue;
    rooms[view] = memref::AllocOp::create(builder, view.getLoc(),
                                          with_size(type_of(view), buffer.dimension, step));
  }
  for (LinalgOp op : group.ops()) {
    mlir::IRMapping map;
    for (const Value operand : op->getOperands()) {
      if (const Value room = rooms.lookup(operand)) map.map(operand, room);
    }
    mlir::Operation* clone = builder.clone(*op, map);
    const auto from = mlir::cast<Value>(start);
    llvm::SmallVector<mlir::linalg::IndexOp> numbers;
    clone->walk([&](mlir::linalg::IndexOp number) {
      if (number.getDim() == group.loop_of(op)) numbers.push_back(number);
    });
    for (mlir::linalg::IndexOp number : numbers) {
      mlir::OpBuilder inner(number->getContext());
      inner.setInsertionPointAfter(number);
      const Value sum = mlir::arith::AddIOp::create(inner, op.getLoc(), number.getResult(), from);
      number.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
    }
  }
}

void Blocker::in_blocks(const Group& group, std::int64_t step) {
  mlir::OpBuilder builder(group.ops().back());
  const mlir::Location loc = group.ops().front()->getLoc();
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  Buffers even = make_rooms(builder, group, step);
  Buffers odd = make_rooms(builder, group, step);
  for (const auto& [view, buffer] : group.buffers()) {
    // What every block reads and is no buffer of its own comes here once.
    if (buffer.dimension >= 0 || !view.getDefiningOp<memref::SubViewOp>()) continue;
    const Value near = memref::AllocOp::create(builder, loc, with_size(type_of(view), -1, 0));
    memref::CopyOp::create(builder, loc, view, near);
    even[view] = odd[view] = near;
  }
  const std::int64_t size = group.size();
  copies(builder, group, even, builder.getIndexAttr(0), step, true);
  mlir::scf::ForOp::create(
      builder, loc, constant(0), constant(size), constant(2 * step), mlir::ValueRange{},
      [&](mlir::OpBuilder& nested, mlir::Location at, Value index, mlir::ValueRange) {
        const auto later = [&](std::int64_t rows) -> Value {
          return mlir::arith::AddIOp::create(
              nested, at, index, mlir::arith::ConstantIndexOp::create(nested, at, rows));
        };
        const Value second = later(step);
        copies(nested, group, odd, second, step, true);
        compute(nested, group, even, OpFoldResult(index), step);
        copies(nested, group, even, OpFoldResult(index), step, false);
        // Behind the last block its predecessor comes once more, and nobody looks.
        const Value next = mlir::arith::MinSIOp::create(
            nested, at, later(2 * step),
            mlir::arith::ConstantIndexOp::create(nested, at, size - step));
        copies(nested, group, even, next, step, true);
        compute(nested, group, odd, second, step);
        // These run on into the next turn.
        copies(nested, group, odd, second, step, false, true);
        mlir::scf::YieldOp::create(nested, at);
      });
  for (LinalgOp op : group.ops()) op->erase();
}

// A loop around the operations, which are cut further inside.
void Blocker::one_at_a_time(const Group& group) {
  mlir::OpBuilder builder(group.ops().back());
  const mlir::Location loc = group.ops().front()->getLoc();
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop = mlir::scf::ForOp::create(
      builder, loc, constant(0), constant(group.size()), constant(1), mlir::ValueRange{},
      [&](mlir::OpBuilder& nested, mlir::Location at, Value index, mlir::ValueRange) {
        Buffers parts;
        for (const auto& [view, buffer] : group.buffers()) {
          if (buffer.dimension < 0 || buffer.is_private) continue;
          parts[view] = block_view(nested, view, buffer.dimension, OpFoldResult(index), 1);
        }
        compute(nested, group, parts, OpFoldResult(index), 1);
        mlir::scf::YieldOp::create(nested, at);
      });
  for (LinalgOp op : group.ops()) op->erase();
  run(*loop.getBody());
}

void Blocker::finish(Group& group) {
  if (group.empty()) return;
  group.find_private();
  std::int64_t all = 0;
  for (const auto& [view, buffer] : group.buffers()) {
    all += vmem_words_of(type_of(view), machine_.lanes);
  }
  if (all > resident_words(machine_)) {
    std::int64_t step = choose_step(group);
    llvm::SmallVector<std::int64_t> steps;
    for (std::int64_t other = step; other > 0 && group.size() % (2 * other) == 0; other /= 2) {
      steps.push_back(other);
    }
    step = choose(group.ops().front(), "blocks.step", step, steps);
    if (step > 0 && group.size() % (2 * step) == 0) {
      in_blocks(group, step);
    } else if (step == 0 && group.ops().size() > 1 && group.has_inner_dimension()) {
      one_at_a_time(group);
    }
  }
  group = Group();
}

void Blocker::run(mlir::Block& block) {
  Group group;
  for (mlir::Operation& op : llvm::make_early_inc_range(block)) {
    if (auto linalg = mlir::dyn_cast<LinalgOp>(op)) {
      if (group.add(linalg)) continue;
      finish(group);
      if (!group.add(linalg)) group = Group();
      continue;
    }
    const bool only_views =
        mlir::isa<memref::AllocOp, memref::SubViewOp, memref::CollapseShapeOp,
                  memref::ExpandShapeOp, memref::ReinterpretCastOp, mlir::arith::ConstantOp,
                  mlir::UnrealizedConversionCastOp, memref::GetGlobalOp>(op) ||
        (mlir::isa<mlir::arith::ArithDialect>(op.getDialect()) && op.getNumRegions() == 0);
    if (only_views) continue;
    finish(group);
    for (mlir::Region& region : op.getRegions()) {
      for (mlir::Block& nested : region) run(nested);
    }
  }
  finish(group);
}

struct Blocks : mlir::PassWrapper<Blocks, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Blocks)
  explicit Blocks(const Parameters& machine) : machine(machine) {}
  llvm::StringRef getArgument() const override { return "tandem-blocks"; }
  llvm::StringRef getDescription() const override {
    return "Do operations on what does not fit VMEM together, block by block";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::linalg::LinalgDialect, memref::MemRefDialect,
                    mlir::scf::SCFDialect>();
  }
  void runOnOperation() override {
    if (getOperation().isExternal()) return;  // a kernel
    Blocker(machine).run(getOperation().getBody().front());
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_blocks_pass(const Parameters& machine) {
  return std::make_unique<Blocks>(machine);
}

}  // namespace tandem::compiler
