// Operands of contractions without a permanent place in VMEM are copied there as a whole before
// they are needed.
//
// Tiles of columns would each need a short copy and a wait. So the operand gets a buffer in the
// layout of residence.hpp, which the unit reads in place. Its copy is placed before the loops that
// do not write the operand, where there is space for that long, else before the preceding
// contractions, as far as nothing writes its source there. An operand without space stays as it is.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/exchange_calls.hpp"
#include "compiler/tiled/streamed_weights.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/lives.hpp"
#include "compiler/views/residence.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::Value;
using mlir::linalg::LinalgOp;

constexpr int contractions_before = 2;  // while which a copy runs

bool is_contraction(mlir::Operation* op) { return attribute::precision.is_on(op); }

// Before the loops around the operation that do not write the operand: where one copy serves all
// iterations. Outermost first.
llvm::SmallVector<mlir::Operation*> loops_around(mlir::Operation* op, Value operand) {
  const Value root = buffer_behind(operand);
  llvm::SmallVector<mlir::Operation*> loops;
  for (mlir::Operation* parent = op->getParentOp(); parent != nullptr;
       parent = parent->getParentOp()) {
    if (parent->isAncestor(operand.getParentBlock()->getParentOp())) break;
    if (may_write(parent, root)) break;
    if (mlir::isa<mlir::LoopLikeOpInterface>(parent)) loops.push_back(parent);
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

// Where in its block the copy of the operand may begin.
mlir::Operation* place_of_copy(mlir::Operation* op, Value operand) {
  const Value root = buffer_behind(operand);
  mlir::Operation* place = op;
  int passed = 0;
  for (mlir::Operation* before = op->getPrevNode(); before != nullptr;
       before = before->getPrevNode()) {
    if (before == operand.getDefiningOp() || may_write(before, root)) break;
    if (is_contraction(before)) {
      place = before;
      if (++passed == contractions_before) break;
    }
  }
  return place;
}

struct Place {
  std::int64_t first = 0;
  std::int64_t end = 0;
  Life life;
};

class Stager {
 public:
  Stager(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine), lanes_(machine.lanes) {}

  void run() {
    llvm::SmallVector<mlir::OpOperand*> operands;
    function_.walk([&](LinalgOp op) {
      if (!is_contraction(op)) return;
      for (mlir::OpOperand* operand : op.getDpsInputOperands()) {
        if (is_candidate(*operand) && !streams_to_vectors(operand->get(), machine_)) {
          operands.push_back(operand);
        }
      }
    });
    for (mlir::OpOperand* operand : operands) {
      if (choose(function_, DecisionName::stage_operand, 1, {0, 1}) != 0) stage(*operand);
    }
    std::int64_t high = 0;
    for (const Place& place : taken()) high = std::max(high, place.end);
    attribute::vmem_left.set(function_,
                             mlir::Builder(function_.getContext())
                                 .getI64IntegerAttr(std::int64_t{machine_.vmem_words()} - high));
  }

 private:
  // Data just received from another device is streamed, as there is no earlier work to overlap
  // with.
  [[nodiscard]] static bool is_candidate(mlir::OpOperand& operand) {
    const auto type = mlir::dyn_cast<MemRefType>(operand.get().getType());
    return type && !type.getMemorySpace() && type.hasStaticShape() && type.getNumElements() > 0 &&
           type.getLayout().isIdentity() && !comes_in_steps(operand.get());
  }

  // Operands that are already in VMEM.
  [[nodiscard]] llvm::SmallVector<Place> taken() {
    const Lives lives(function_);
    llvm::SmallVector<Place> places;
    function_.walk([&](memref::AllocOp alloc) {
      const auto address = attribute::address.get(alloc);
      if (!address || !lies_in_vmem(alloc)) return;
      const std::int64_t first = address.getInt();
      places.push_back({first, first + alloc.getType().getNumElements(), lives.of(alloc)});
    });
    llvm::sort(places, [](const Place& a, const Place& b) { return a.first < b.first; });
    return places;
  }

  // The lowest free address while the buffer lives; -1: none.
  [[nodiscard]] std::int64_t find_address(memref::AllocOp alloc, std::int64_t words) {
    const Lives lives(function_);
    const Life life = lives.of(alloc);
    const std::int64_t vector = machine_.vector_words();
    std::int64_t address = 0;
    for (const Place& place : taken()) {
      if (place.life.meets(life) && address < place.end && place.first < address + words) {
        address = (place.end + vector - 1) / vector * vector;
      }
    }
    return threshold::prefetched(address + words, machine_) ? -1 : address;
  }

  void stage(mlir::OpOperand& operand) {
    if (wastes_pitched(mlir::cast<MemRefType>(operand.get().getType()), lanes_)) return;
    auto places = loops_around(operand.getOwner(), operand.get());
    places.push_back(place_of_copy(operand.getOwner(), operand.get()));
    for (mlir::Operation* place : places) {
      if (stage_at(operand, place)) return;
    }
  }

  // Returns false, with nothing changed, where there is no space for that long.
  bool stage_at(mlir::OpOperand& operand, mlir::Operation* place) {
    const Value far = operand.get();
    const auto type = mlir::cast<MemRefType>(far.getType());
    mlir::OpBuilder builder(place);
    const mlir::Location loc = operand.getOwner()->getLoc();
    const std::int64_t words = pitched_words(type, lanes_);
    auto room =
        vmem_buffer(builder, loc, {words}, type.getElementType()).getDefiningOp<memref::AllocOp>();
    Sizes strides;
    std::int64_t offset = 0;
    (void)pitched_type(type, lanes_).getStridesAndOffset(strides, offset);
    const Value near =
        strided_view(builder, loc, room, builder.getIndexAttr(0), type.getShape(), strides);
    auto copy = memref::CopyOp::create(builder, loc, far, near);
    operand.set(near);
    const std::int64_t address = find_address(room, words);
    if (address >= 0) {
      attribute::address.set(room, address);
      return true;
    }
    operand.set(far);
    copy->erase();
    near.getDefiningOp()->erase();
    room->erase();
    return false;
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
  std::int64_t lanes_;
};

struct PrefetchOperands : FunctionPass<PrefetchOperands, PassName::prefetch_operands> {
  explicit PrefetchOperands(const Parameters& machine) : machine(machine) {}
  void run() { Stager(getOperation(), machine).run(); }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_prefetch_operands_pass(const Parameters& machine) {
  return std::make_unique<PrefetchOperands>(machine);
}

}  // namespace tandem::compiler
