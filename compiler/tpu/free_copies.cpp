#include "compiler/tpu/free_copies.hpp"
#include "compiler/contract/attributes.hpp"

#include "compiler/tpu/in_flight.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using mlir::Value;

// The increment of a number per iteration; none where that is not known.
std::optional<std::int64_t> growth(mlir::OpFoldResult number, mlir::scf::ForOp loop) {
  if (mlir::getConstantIntValue(number)) return 0;
  const Value value = mlir::cast<Value>(number);
  if (value == loop.getInductionVar()) return mlir::getConstantIntValue(loop.getStep());
  if (loop.isDefinedOutsideOfLoop(value)) return 0;
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr || op->getNumOperands() != 2) return std::nullopt;
  const auto left = growth(op->getOperand(0), loop);
  const auto right = growth(op->getOperand(1), loop);
  if (!left || !right) return std::nullopt;
  if (mlir::isa<arith::AddIOp>(op)) return *left + *right;
  if (mlir::isa<arith::SubIOp>(op)) return *left - *right;
  if (!mlir::isa<arith::MulIOp>(op)) return std::nullopt;
  if (const auto factor = mlir::getConstantIntValue(op->getOperand(1))) return *left * *factor;
  if (const auto factor = mlir::getConstantIntValue(op->getOperand(0))) return *right * *factor;
  return std::nullopt;
}

// Whether all iterations write different elements.
bool writes_apart(memref::CopyOp copy, mlir::scf::ForOp loop, std::int64_t turns) {
  auto view = copy.getTarget().getDefiningOp<memref::ReinterpretCastOp>();
  if (!view) return false;
  const auto grows = growth(view.getMixedOffsets().front(), loop);
  Sizes strides;
  std::int64_t ignored = 0;
  const auto type = mlir::cast<mlir::MemRefType>(copy.getTarget().getType());
  if (!grows || *grows == 0 || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
    return false;
  }
  // Each distance is greater than the extent of all smaller ones.
  llvm::SmallVector<std::pair<std::int64_t, std::int64_t>> walks{{std::abs(*grows), turns}};
  for (const auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    if (size != 1) walks.emplace_back(std::abs(stride), size);
  }
  llvm::sort(walks);
  std::int64_t extent = 1;
  for (const auto& [stride, size] : walks) {
    if (stride < extent) return false;
    extent += (size - 1) * stride;
  }
  return true;
}

bool writes(mlir::Operation& op, Value value) {
  if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(&op)) {
    return llvm::is_contained(linalg.getDpsInits(), value);
  }
  if (auto copy = mlir::dyn_cast<memref::CopyOp>(&op)) return copy.getTarget() == value;
  return !mlir::isa<memref::LoadOp>(&op) && !is_view(&op);
}

// Whether another operation touches the copy's target, or writes its source.
bool meets(mlir::Operation& op, memref::CopyOp copy) {
  if (&op == copy || is_view(&op)) return false;
  const Value source = buffer_behind(copy.getSource());
  const Value target = buffer_behind(copy.getTarget());
  return llvm::any_of(op.getOperands(), [&](Value value) {
    if (!mlir::isa<mlir::MemRefType>(value.getType())) return false;
    const Value buffer = buffer_behind(value);
    return share_memory(buffer, target) || (share_memory(buffer, source) && writes(op, value));
  });
}

// The maximum number of copies in flight. The model checks each new one against all of them, and
// treats over 16,384 as a program that never waits; a wait for this many costs one percent.
constexpr std::int64_t most_free = 1024;

llvm::SmallVector<memref::CopyOp> apart_copies(mlir::scf::ForOp loop, std::int64_t turns) {
  mlir::Block& block = *loop.getBody();
  llvm::SmallVector<memref::CopyOp> result;
  for (auto copy : block.getOps<memref::CopyOp>()) {
    const bool has_role = llvm::any_of(copy->getAttrs(), [](mlir::NamedAttribute attribute) {
      return attribute.getName().strref().starts_with("tandem.");
    });
    const bool is_apart =
        buffer_behind(copy.getSource()) != buffer_behind(copy.getTarget()) &&
        !share_memory(buffer_behind(copy.getSource()), buffer_behind(copy.getTarget()));
    if (!has_role && is_apart && writes_apart(copy, loop, turns) &&
        llvm::none_of(block, [&](mlir::Operation& op) { return meets(op, copy); })) {
      result.push_back(copy);
    }
  }
  return result;
}

// Independent of the number of iterations.
llvm::SmallVector<memref::CopyOp> all_free_copies(mlir::scf::ForOp loop) {
  const auto turns = turns_of(loop);
  const bool is_innermost = llvm::all_of(*loop.getBody(), [](mlir::Operation& op) {
    return op.getNumRegions() == 0 || mlir::isa<mlir::linalg::LinalgOp>(op);
  });
  if (!turns || !is_innermost || attribute::stream.is_on(loop)) return {};
  return apart_copies(loop, *turns);
}

// A loop over `turns` iterations of the given one, the first of which is number `first` (of a loop
// that counts in steps of the given one's: its own numbers are added).
void part_of(mlir::OpBuilder& builder, mlir::scf::ForOp loop, Value first, std::int64_t turns) {
  const mlir::Location loc = loop.getLoc();
  const std::int64_t step = *mlir::getConstantIntValue(loop.getStep());
  const auto constant = [&](std::int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto part =
      mlir::scf::ForOp::create(builder, loc, constant(0), constant(turns * step), constant(step));
  part->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mlir::OpBuilder inside = mlir::OpBuilder::atBlockBegin(part.getBody());
  mlir::IRMapping map;
  map.map(loop.getInductionVar(),
          arith::AddIOp::create(inside, loc, first, part.getInductionVar()).getResult());
  for (mlir::Operation& op : loop.getBody()->without_terminator()) inside.clone(op, map);
}

}  // namespace

std::optional<std::int64_t> turns_of(mlir::scf::ForOp loop) {
  const auto from = mlir::getConstantIntValue(loop.getLowerBound());
  const auto to = mlir::getConstantIntValue(loop.getUpperBound());
  const auto step = mlir::getConstantIntValue(loop.getStep());
  if (!from || !to || !step || *step <= 0) return std::nullopt;
  return std::max<std::int64_t>(0, (*to - *from + *step - 1) / *step);
}

llvm::SmallVector<memref::CopyOp> free_copies(mlir::scf::ForOp loop) {
  llvm::SmallVector<memref::CopyOp> copies = all_free_copies(loop);
  const auto count = static_cast<std::int64_t>(copies.size());
  if (count != 0 && *turns_of(loop) > most_free / count) return {};
  return copies;
}

void cut_free_loops(mlir::Operation* function) {
  llvm::SmallVector<mlir::scf::ForOp> loops;
  function->walk([&](mlir::scf::ForOp loop) { loops.push_back(loop); });
  for (mlir::scf::ForOp loop : loops) {
    const auto copies = static_cast<std::int64_t>(all_free_copies(loop).size());
    if (copies == 0 || copies > most_free || loop.getNumResults() != 0) continue;
    const std::int64_t turns = *turns_of(loop);
    const std::int64_t part = most_free / copies;
    if (turns <= part) continue;
    mlir::OpBuilder builder(loop);
    const std::int64_t first = *mlir::getConstantIntValue(loop.getLowerBound());
    const std::int64_t step = *mlir::getConstantIntValue(loop.getStep());
    const auto constant = [&](std::int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loop.getLoc(), value);
    };
    const std::int64_t whole = turns / part * part;
    auto around = mlir::scf::ForOp::create(builder, loop.getLoc(), constant(first),
                                           constant(first + whole * step), constant(part * step));
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockBegin(around.getBody());
    part_of(inside, loop, around.getInductionVar(), part);
    if (whole != turns) part_of(builder, loop, constant(first + whole * step), turns - whole);
    loop.erase();
  }
}

}  // namespace tandem::compiler
