// Operations on buffers that do not fit VMEM, several at a time, block by block.
//
// Consecutive operations with a common loop, over the same dimension of the values passed between
// them, become one loop over blocks of that dimension:
//
//   in the loop   copies in, all operations on the block, copies out
//   temporaries   used by them alone: the size of a block, never in HBM
//   alternating   copied buffers have two blocks: the next one comes in, and the last one goes out,
//                 while this one is processed
//
// Where one index of a dimension is still too much (a head of an attention), its loop is put
// around, and the operations inside are cut along their next dimension. Operands of all blocks
// (keys and values) are copied once before the loop.
//
// Not by MLIR's tile-and-fuse on tensors: it repeats a producer for each consumer, and softmax has
// three of its exponentials (decision 31). Products whose weights would be read and pushed again
// for each block are left whole (decision 173).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/block_group.hpp"
#include "compiler/tiled/block_pieces.hpp"
#include "compiler/tiled/block_stages.hpp"
#include "compiler/tiled/exchange_calls.hpp"
#include "compiler/tiled/row_stream.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::OpFoldResult;
using mlir::Value;
using mlir::linalg::LinalgOp;
using namespace blocks;

class Blocker {
 public:
  explicit Blocker(const Parameters& machine) : machine_(machine) {}

  void run(mlir::Block& block);

 private:
  void finish(Group& group);
  [[nodiscard]] bool multiplies_steps(const Group& group) const;
  [[nodiscard]] std::int64_t step_of_steps(const Group& group) const;
  [[nodiscard]] bool only_passes_through(const Group& group) const;
  [[nodiscard]] bool only_weights_are_large(const Group& group) const;
  [[nodiscard]] bool is_thin(const Group& group, std::int64_t step) const;
  [[nodiscard]] std::int64_t whole_words(const Group& group) const;
  [[nodiscard]] std::int64_t words(const Group& group, std::int64_t step, bool keeps_large) const;
  [[nodiscard]] std::int64_t largest_step(const Group& group, bool keeps_large) const;
  [[nodiscard]] std::int64_t choose_step(const Group& group) const;
  [[nodiscard]] std::int64_t balanced_step(const Group& group) const;
  // This value, or another power-of-two multiple if the choices request it.
  [[nodiscard]] std::int64_t tuned_step(const Group& group) const;
  [[nodiscard]] std::int64_t step_of_stages(const Group& group, const Stages& stages) const;
  bool in_stages(const Group& group);
  bool in_stream(const Group& group);
  bool in_pieces(const Group& group);
  void one_at_a_time(const Group& group);
  void in_blocks(const Group& group, std::int64_t step);
  Rooms make_rooms(mlir::OpBuilder& builder, const Group& group, std::int64_t step);
  void copies(mlir::OpBuilder& builder, const Group& group, const Rooms& rooms, OpFoldResult start,
              std::int64_t step, bool in, bool carried = false);

  const Parameters& machine_;
};

// Words of VMEM for blocks of this size. A large operand that is not kept is read from HBM again
// and again.
std::int64_t Blocker::words(const Group& group, std::int64_t step, bool keeps_large) const {
  std::int64_t sum = 0;
  for (const auto& [view, buffer] : group.buffers()) {
    const std::int64_t whole = vmem_words_of(type_of(view), machine_.lanes);
    const bool is_large = buffer.dimension < 0 && threshold::resident_operand(whole, machine_);
    if (is_large && !keeps_large) continue;
    const MemRefType type = with_size(type_of(view), buffer.dimension, step);
    const bool streams = buffer.dimension >= 0 && !buffer.is_private && step < group.size();
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

// Blocks that leave space for the operands that all of them read, unless the blocks would be tiny.
std::int64_t Blocker::choose_step(const Group& group) const {
  constexpr std::int64_t enough = 16;
  const std::int64_t step = largest_step(group, true);
  return step >= enough ? step : largest_step(group, false);
}

Rooms Blocker::make_rooms(mlir::OpBuilder& builder, const Group& group, std::int64_t step) {
  Rooms rooms;
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    rooms[view] = memref::AllocOp::create(builder, view.getLoc(),
                                          with_size(type_of(view), buffer.dimension, step));
  }
  return rooms;
}

void Blocker::copies(mlir::OpBuilder& builder, const Group& group, const Rooms& rooms,
                     OpFoldResult start, std::int64_t step, bool in, bool carried) {
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    if (in ? !buffer.read_first : !buffer.written) continue;
    const Value far = block_view(builder, view, buffer.dimension, start, step);
    const Value near = rooms.lookup(view);
    auto copy = memref::CopyOp::create(builder, view.getLoc(), in ? far : near, in ? near : far);
    if (carried) attribute::carried.set(copy);
  }
}

void Blocker::in_blocks(const Group& group, std::int64_t step) {
  mlir::OpBuilder builder(group.ops().back());
  const mlir::Location loc = group.ops().front()->getLoc();
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  Rooms even = make_rooms(builder, group, step);
  Rooms odd = make_rooms(builder, group, step);
  for (const auto& [view, buffer] : group.buffers()) {
    // Operands of every block that are no buffers of their own are copied here once.
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
        compute_block(nested, group, even, index, step);
        copies(nested, group, even, OpFoldResult(index), step, false);
        // After the last block its predecessor is copied once more, and not used.
        const Value next = mlir::arith::MinSIOp::create(
            nested, at, later(2 * step),
            mlir::arith::ConstantIndexOp::create(nested, at, size - step));
        copies(nested, group, even, next, step, true);
        compute_block(nested, group, odd, second, step);
        // These stay in flight into the next iteration.
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
        Rooms parts;
        for (const auto& [view, buffer] : group.buffers()) {
          if (buffer.dimension < 0 || buffer.is_private) continue;
          parts[view] = block_view(nested, view, buffer.dimension, OpFoldResult(index), 1);
        }
        compute_block(nested, group, parts, index, 1);
        mlir::scf::YieldOp::create(nested, at);
      });
  for (LinalgOp op : group.ops()) op->erase();
  run(*loop.getBody());
}

// Block sizes balance the wait for the first and the last block against the cost at each block's
// beginning and end.
std::int64_t Blocker::step_of_stages(const Group& group, const Stages& stages) const {
  constexpr std::int64_t overhead = 120;  // cycles per block
  constexpr std::int64_t least_blocks = 8;
  std::int64_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  llvm::SmallVector<std::int64_t> steps;
  for (std::int64_t step = sublanes; step * least_blocks <= group.size(); step += sublanes) {
    if (group.size() % step != 0 || stages.words(step, machine_) > resident_words(machine_)) {
      continue;
    }
    const std::int64_t fill = stages.words(step, machine_) / machine_.lanes / 3;
    const std::int64_t cost = group.size() / step * overhead + fill;
    if (cost < least) best = step;
    least = std::min(least, cost);
    steps.push_back(step);
  }
  return choose(group.ops().front(), DecisionName::blocks_stages, best, steps);
}

bool Blocker::in_stages(const Group& group) {
  auto stages = Stages::find(group);
  if (!stages || !stages->pays(machine_)) return false;
  const std::int64_t step = step_of_stages(group, *stages);
  if (step == 0) return false;
  mlir::OpBuilder builder(group.ops().back());
  stages->emit(builder, step);
  for (LinalgOp op : group.ops()) op->erase();
  return true;
}

bool Blocker::in_stream(const Group& group) {
  auto stream = RowStream::find(group, machine_);
  if (!stream || choose(group.ops().front(), DecisionName::blocks_stream, 1, {0, 1}) == 0)
    return false;
  mlir::OpBuilder builder(group.ops().back());
  stream->emit(builder);
  for (LinalgOp op : group.ops()) op->erase();
  return true;
}

bool Blocker::in_pieces(const Group& group) {
  const auto pieces = Pieces::find(group, machine_);
  if (!pieces) return false;
  mlir::OpBuilder builder(group.ops().back());
  pieces->emit(builder);
  for (LinalgOp op : group.ops()) op->erase();
  return true;
}

// Small enough that the waits for the first and the last block are short, when the only reason for
// large ones is that contractions read operands again for each block.
std::int64_t Blocker::balanced_step(const Group& group) const {
  constexpr std::int64_t overhead = 120;  // cycles per block
  const std::int64_t largest = choose_step(group);
  if (group.contracts()) return largest;
  std::int64_t words = 0;  // that arrive and leave with one index
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.dimension < 0 || buffer.is_private) continue;
    words += vmem_words_of(with_size(type_of(view), buffer.dimension, 1), machine_.lanes);
  }
  const auto cost = [&](std::int64_t step) {
    return group.size() / step * overhead + step * words / machine_.lanes;
  };
  std::int64_t best = largest;
  for (std::int64_t step = largest; step >= sublanes && group.size() % (2 * step) == 0; step /= 2) {
    if (cost(step) < cost(best)) best = step;
  }
  return best;
}

std::int64_t Blocker::tuned_step(const Group& group) const {
  llvm::SmallVector<std::int64_t> steps;
  for (std::int64_t other = choose_step(group); other > 0 && group.size() % (2 * other) == 0;
       other /= 2) {
    steps.push_back(other);
  }
  return choose(group.ops().front(), DecisionName::blocks_step, balanced_step(group), steps);
}

// Whether it multiplies data just received from another device by an operand that stays in place.
bool Blocker::multiplies_steps(const Group& group) const {
  return group.contracts() && llvm::any_of(group.buffers(), [](const auto& each) {
           return each.second.dimension >= 0 && comes_in_steps(each.first);
         });
}

// Its first block is waited for, even if everything fits: blocks are as small as they can be while
// multiplying takes longer than pushing their weights. 0: there are none.
std::int64_t Blocker::step_of_steps(const Group& group) const {
  llvm::SmallVector<std::int64_t> steps;
  std::int64_t best = 0;
  for (std::int64_t step = choose_step(group);
       step >= sublanes && step % sublanes == 0 && group.size() % (2 * step) == 0; step /= 2) {
    if (step >= std::int64_t{machine_.lanes}) best = step;
    steps.push_back(step);
  }
  return best == 0 ? 0 : choose(group.ops().front(), DecisionName::blocks_step, best, steps);
}

// Whether the group is the only reader of its inputs from outside and the only user of its outputs,
// and these are large enough that copies should overlap with the operations though everything would
// fit.
bool Blocker::only_passes_through(const Group& group) const {
  std::int64_t words = 0;
  for (const auto& [view, buffer] : group.buffers()) {
    if (buffer.is_private || buffer.dimension < 0) continue;
    if (!group.is_alone_with(view)) return false;
    words += vmem_words_of(type_of(view), machine_.lanes);
  }
  return threshold::passing_copies(words / machine_.lanes) && !group.contracts();
}

// Whether everything except the operands of all blocks would fit: blocks would read those again and
// again, while tiles of a product read them once.
bool Blocker::only_weights_are_large(const Group& group) const {
  return group.contracts() && words(group, group.size(), false) <= resident_words(machine_) / 4 * 3;
}

// Whether multiplying a block takes less time than pushing its weights.
bool Blocker::is_thin(const Group& group, std::int64_t step) const {
  return group.contracts() && step < std::min<std::int64_t>(group.size(), machine_.lanes / 2);
}

// Words of VMEM without blocks. Views of one buffer, as the windows of a convolution, take no more
// than the buffer; next to such windows, an argument that is read once is copied in tiles.
std::int64_t Blocker::whole_words(const Group& group) const {
  struct Views {
    std::int64_t words = 0;
    int count = 0;
  };
  llvm::SmallMapVector<Value, Views, 8> of_buffer;
  for (const auto& [view, buffer] : group.buffers()) {
    Views& views = of_buffer[buffer_behind(view)];
    views.words += vmem_words_of(type_of(view), machine_.lanes);
    ++views.count;
  }
  std::int64_t sum = 0;
  std::int64_t of_arguments = 0;
  bool has_windows = false;
  for (const auto& [buffer, views] : of_buffer) {
    const std::int64_t whole = vmem_words_of(type_of(buffer), machine_.lanes);
    has_windows = has_windows || views.words > whole;
    const bool may_stay = mlir::isa<mlir::BlockArgument>(buffer) && views.count == 1;
    (may_stay ? of_arguments : sum) += std::min(views.words, whole);
  }
  return has_windows ? sum : sum + of_arguments;
}

void Blocker::finish(Group& group) {
  if (group.empty()) return;
  group.find_private();
  const std::int64_t all = whole_words(group);
  const std::int64_t streamed = multiplies_steps(group) ? step_of_steps(group) : 0;
  if (streamed > 0) {
    in_blocks(group, streamed);
  } else if (!threshold::resident_group(all, machine_)) {
    const bool passes = only_passes_through(group);
    if (!(passes && in_stream(group)) && !in_pieces(group)) {
      const std::int64_t step = passes ? tuned_step(group) : 0;
      if (step > 0 && group.size() % (2 * step) == 0) in_blocks(group, step);
    }
  } else if (!in_stream(group) && !in_stages(group) && !only_weights_are_large(group)) {
    const std::int64_t step = tuned_step(group);
    if (step > 0 && group.size() % (2 * step) == 0) {
      if (!is_thin(group, step)) in_blocks(group, step);
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

struct CutIntoBlocks : FunctionPass<CutIntoBlocks, PassName::cut_into_blocks> {
  explicit CutIntoBlocks(const Parameters& machine) : machine(machine) {}
  void run() { Blocker(machine).run(getOperation().getBody().front()); }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_cut_into_blocks_pass(const Parameters& machine) {
  return std::make_unique<CutIntoBlocks>(machine);
}

}  // namespace tandem::compiler
