#include "compiler/tpu/in_flight.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/free_copies.hpp"
#include "compiler/views/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;

std::int64_t address_of(memref::AllocOp alloc) { return attribute::address.get(alloc).getInt(); }

// 0 where it has none, such as an argument.
std::int64_t address_of(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc ? address_of(alloc) : 0;
}

bool touches(llvm::ArrayRef<Reach> views, const Reach& view) {
  return llvm::any_of(views, [&](const Reach& other) { return meet(other, view); });
}

}  // namespace

bool share_memory(Value a, Value b) {
  if (a == b) return true;
  auto left = a.getDefiningOp<memref::AllocOp>();
  auto right = b.getDefiningOp<memref::AllocOp>();
  if (!left || !right || left.getType().getMemorySpace() != right.getType().getMemorySpace()) {
    return false;
  }
  return address_of(left) < address_of(right) + right.getType().getNumElements() &&
         address_of(right) < address_of(left) + left.getType().getNumElements();
}

bool meet(const Reach& a, const Reach& b) {
  if (!share_memory(a.buffer, b.buffer)) return false;
  if (a.buffer == b.buffer && a.stride != 0 && a.stride == b.stride &&
      (a.column + a.width <= b.column || b.column + b.width <= a.column)) {
    return false;  // other columns of the same rows
  }
  const std::int64_t apart = address_of(b.buffer) - address_of(a.buffer);
  return a.first < b.end + apart && b.first + apart < a.end;
}

bool meet(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other) {
  const auto writes_into = [](mlir::linalg::LinalgOp writer, mlir::linalg::LinalgOp reader) {
    return llvm::any_of(writer.getDpsInits(), [&](Value written) {
      return llvm::any_of(reader->getOperands(), [&](Value value) {
        return mlir::isa<mlir::MemRefType>(value.getType()) &&
               share_memory(buffer_behind(value), buffer_behind(written));
      });
    });
  };
  return writes_into(one, other) || writes_into(other, one);
}

Reach InFlight::rows_of(Value view) const {
  Reach reach = reach_of(view);
  // Only copies touch HBM, word by word.
  if (!lies_in_vmem(reach.buffer)) return reach;
  reach.first = reach.first / lanes_ * lanes_;
  reach.end = (reach.end + lanes_ - 1) / lanes_ * lanes_;
  if (reach.stride % lanes_ != 0) reach.stride = 0;
  const std::int64_t columns_end = (reach.column + reach.width + lanes_ - 1) / lanes_ * lanes_;
  reach.column = reach.column / lanes_ * lanes_;
  reach.width = columns_end - reach.column;
  return reach;
}

Reach InFlight::stored_rows_of(Value view) const {
  Reach reach = rows_of(view);
  const auto type = mlir::cast<mlir::MemRefType>(reach.buffer.getType());
  const std::int64_t vector = sublanes * lanes_;
  if (type.hasStaticShape() && reach.end >= type.getNumElements()) {
    reach.end = (reach.end + vector - 1) / vector * vector;
  }
  return reach;
}

void InFlight::wait(mlir::OpBuilder& builder, mlir::Location loc, int flag, std::int64_t count) {
  machine(builder, loc, "wait", {},
          {number_attribute(builder, "flag", flag), number_attribute(builder, "n", count)});
}

void InFlight::reset(mlir::OpBuilder& builder, mlir::Location loc, int flag) {
  machine(builder, loc, "fset", {},
          {number_attribute(builder, "flag", flag), number_attribute(builder, "n", 0)});
}

std::optional<int> InFlight::flag_of_stream(memref::CopyOp copy) {
  const auto way = attribute::stream.get(copy);
  if (!way) return std::nullopt;
  return way.getValue() == "in" ? flag_of_coming : flag_of_going;
}

void InFlight::end_stream(mlir::OpBuilder& builder, memref::CopyOp copy) {
  const auto going = attribute::stream_ends.get(copy);
  if (!going) return;
  // In a register, since it may exceed a wait's immediate.
  const Value count = mlir::arith::ConstantIndexOp::create(builder, copy.getLoc(), going.getInt());
  machine(builder, copy.getLoc(), "wait", count,
          {number_attribute(builder, "flag", flag_of_going)});
  reset(builder, copy.getLoc(), flag_of_going);
  reset(builder, copy.getLoc(), flag_of_coming);
}

void InFlight::begin_turn(mlir::OpBuilder& builder, mlir::scf::ForOp loop) {
  const auto stream = attribute::stream_counts.get(loop);
  if (!stream) return;
  const mlir::Location loc = loop.getLoc();
  const auto wait_behind = [&](int flag, std::int64_t copies, std::int64_t turns) {
    const auto constant = [&](std::int64_t value) {
      return mlir::arith::ConstantIndexOp::create(builder, loc, value);
    };
    const Value number =
        mlir::arith::AddIOp::create(builder, loc, loop.getInductionVar(), constant(turns));
    const Value count = mlir::arith::MulIOp::create(builder, loc, number, constant(copies));
    machine(builder, loc, "wait", count, {number_attribute(builder, "flag", flag)});
  };
  wait_behind(flag_of_coming, stream[0], 1);
  wait_behind(flag_of_going, stream[1], 1 - stream[2]);
}

void InFlight::wait_for(mlir::OpBuilder& builder, mlir::Location loc, Block& block, int flag,
                        std::int64_t number) {
  if (number <= block.waited) return;
  wait(builder, loc, flag, number);
  block.waited = number;
  llvm::erase_if(block.copies, [&](const Copy& copy) { return copy.number <= number; });
}

void InFlight::settle_carried(mlir::OpBuilder& builder, mlir::Location loc, Carried& carried) {
  if (!carried.waits) return;
  wait(builder, loc, carried.flag, 1);
  reset(builder, loc, carried.flag);
  carried.waits = false;
}

void InFlight::enter_block(mlir::OpBuilder& builder, mlir::Block& block) {
  Block& entered = blocks_.emplace_back();
  auto loop = mlir::dyn_cast<mlir::scf::ForOp>(block.getParentOp());
  if (!loop) return;
  entered.free = free_copies(loop);
  for (auto copy : block.getOps<memref::CopyOp>()) {
    if (!attribute::carried.is_on(copy) || next_carried_ >= end_carried_) continue;
    entered.carried.push_back({copy, next_carried_++, true, false});
    machine(builder, copy.getLoc(), "fset", {},
            {number_attribute(builder, "flag", entered.carried.back().flag),
             number_attribute(builder, "n", 1)});
  }
}

void InFlight::do_not_carry(mlir::OpBuilder& builder, memref::CopyOp copy) {
  for (Carried& carried : blocks_.back().carried) {
    if (carried.copy != copy) continue;
    settle_carried(builder, copy.getLoc(), carried);
    machine(builder, copy.getLoc(), "fset", {},
            {number_attribute(builder, "flag", carried.flag), number_attribute(builder, "n", 1)});
    carried.waits = true;
  }
}

void InFlight::leave_block(mlir::OpBuilder& builder, mlir::Location loc) {
  Block& block = blocks_.back();
  Block& around = *std::prev(blocks_.end(), 2);
  for (Carried& carried : block.carried) {
    if (carried.is_behind_loop) {
      settle_carried(builder, loc, carried);
    } else {
      // The next iteration begins in the same state as the first: with a copy that is complete or
      // will be.
      if (!carried.waits) {
        machine(
            builder, loc, "fset", {},
            {number_attribute(builder, "flag", carried.flag), number_attribute(builder, "n", 1)});
      }
      around.carried.push_back({carried.copy, carried.flag, true, true});
    }
  }
  const int flag = flag_of(blocks_.size() - 1);
  wait_for(builder, loc, block, flag, block.started);
  if (block.started > 0) reset(builder, loc, flag);
  blocks_.pop_back();
}

void InFlight::wait_behind(mlir::OpBuilder& builder, mlir::scf::ForOp loop) {
  if (free_started_ == 0) return;
  const mlir::Location loc = loop.getLoc();
  const Value count =
      mlir::arith::ConstantIndexOp::create(builder, loc, free_started_ * *turns_of(loop));
  machine(builder, loc, "wait", count, {number_attribute(builder, "flag", flag_of_free)});
  reset(builder, loc, flag_of_free);
  free_started_ = 0;
}

void InFlight::settle_copy(mlir::OpBuilder& builder, memref::CopyOp copy) {
  auto part = attribute::part.get(copy);
  if (!part) part = attribute::part_column.get(copy);
  const bool goes_on = part && part.getInt() != 0;
  if (!goes_on) ++copy_;
  // Through registers it accesses whole rows, as loads do.
  const auto type = mlir::cast<mlir::MemRefType>(copy.getTarget().getType());
  const bool in_registers = attribute::in_registers.is_on(copy) || !type.hasStaticShape() ||
                            !threshold::small_copy(type.getNumElements());
  settle_beside(builder, copy.getLoc(), {copy.getSource()}, {copy.getTarget()},
                {.beside = goes_on ? copy_ : 0, .in_words = !in_registers});
}

void InFlight::settle_beside(mlir::OpBuilder& builder, mlir::Location loc,
                             llvm::ArrayRef<Value> reads, llvm::ArrayRef<Value> writes,
                             const Settling& how) {
  const auto reach = [&](Value view) { return how.in_words ? reach_of(view) : rows_of(view); };
  const auto read = llvm::map_to_vector(reads, reach);
  const auto written = llvm::map_to_vector(
      writes, [&](Value view) { return how.in_words ? reach_of(view) : stored_rows_of(view); });
  const auto conflicts = [&](const Reach& source, const Reach& target) {
    return touches(read, target) || touches(written, target) || touches(written, source);
  };
  for (const auto [depth, block] : llvm::enumerate(blocks_)) {
    for (Carried& carried : block.carried) {
      memref::CopyOp copy = carried.copy;
      if (conflicts(reach(copy.getSource()), reach(copy.getTarget()))) {
        settle_carried(builder, loc, carried);
      }
    }
    std::int64_t needed = 0;
    for (const Copy& copy : block.copies) {
      if (copy.whole == how.beside || (how.before_region && copy.column >= 0)) continue;
      const bool waits = how.in_words ? conflicts(copy.source_words, copy.target_words)
                                      : conflicts(copy.source, copy.target);
      if (waits) needed = std::max(needed, copy.number);
    }
    wait_for(builder, loc, block, flag_of(depth), needed);
  }
}

void InFlight::settle_words(mlir::OpBuilder& builder, mlir::Location loc, const Reach& words) {
  for (const auto [depth, block] : llvm::enumerate(blocks_)) {
    for (Carried& carried : block.carried) {
      memref::CopyOp copy = carried.copy;
      if (meet(words, rows_of(copy.getTarget()))) settle_carried(builder, loc, carried);
    }
    std::int64_t needed = 0;
    for (const Copy& copy : block.copies) {
      if (meet(words, copy.target)) needed = std::max(needed, copy.number);
    }
    wait_for(builder, loc, block, flag_of(depth), needed);
  }
}

bool InFlight::is_coming(const Reach& words) const {
  return llvm::any_of(blocks_, [&](const Block& block) {
    const auto brings = [&](const Copy& copy) { return meet(words, copy.target); };
    const auto carries = [&](const Carried& carried) {
      memref::CopyOp copy = carried.copy;
      return carried.waits && meet(words, rows_of(copy.getTarget()));
    };
    return llvm::any_of(block.copies, brings) || llvm::any_of(block.carried, carries);
  });
}

void InFlight::settle_columns(mlir::OpBuilder& builder, mlir::Location loc, Value buffer,
                              std::int64_t tile, Value loop) {
  const Value whole = buffer_behind(buffer);
  for (const auto [depth, block] : llvm::enumerate(blocks_)) {
    const auto* const part = llvm::find_if(block.copies, [&](const Copy& copy) {
      return copy.target.buffer == whole && copy.column >= 0;
    });
    if (part == block.copies.end()) continue;
    const std::int64_t first = part->number - part->column;
    // Copies before a reset of the flag are complete.
    if (!loop || part->number <= part->column) {
      wait_for(builder, loc, block, flag_of(depth),
               loop ? block.started : first + tile / part->tiles);
      continue;
    }
    const auto constant = [&](std::int64_t value) {
      return mlir::arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value number = loop;
    std::int64_t behind = first + tile;
    if (part->tiles > 1) {
      number = mlir::arith::AddIOp::create(builder, loc, loop, constant(tile));
      number =
          mlir::arith::ShRUIOp::create(builder, loc, number, constant(llvm::Log2_64(part->tiles)));
      behind = first;
    }
    const Value count = mlir::arith::AddIOp::create(builder, loc, number, constant(behind));
    machine(builder, loc, "wait", count, {number_attribute(builder, "flag", flag_of(depth))});
  }
}

int InFlight::start(mlir::OpBuilder& builder, mlir::Location loc, memref::CopyOp copy,
                    std::int64_t count) {
  Block& block = blocks_.back();
  for (Carried& carried : block.carried) {
    if (carried.copy != copy || count != 1) continue;
    settle_carried(builder, loc, carried);
    carried.waits = true;
    return carried.flag;
  }
  if (llvm::is_contained(block.free, copy)) {
    free_started_ += count;
    return flag_of_free;
  }
  const int flag = flag_of(blocks_.size() - 1);
  if (flag >= flag_of_free) return 0;
  if (block.started + count > most) {
    wait_for(builder, loc, block, flag, block.started);
    reset(builder, loc, flag);
    block.started = 0;
    block.waited = 0;
  }
  block.started += count;
  const auto column = attribute::part_column.get(copy);
  const auto tiles = attribute::part_tiles.get(copy);
  block.copies.push_back({block.started, copy_, rows_of(copy.getSource()),
                          rows_of(copy.getTarget()), reach_of(copy.getSource()),
                          reach_of(copy.getTarget()), column ? column.getInt() : -1,
                          tiles ? tiles.getInt() : 1});
  return flag;
}

}  // namespace tandem::compiler
