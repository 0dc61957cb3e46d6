// Transposes next to matrix products. The matrix unit reads weights by columns as well as by rows,
// and A^T B = (B^T A)^T, so most of them need not move anything: their maps become part of the
// product's, and the operands are swapped where this makes the result need no transpose. Those that
// move whole rows, as heads behind positions, become part of the maps, too; where they are parts of
// longer rows, only if they are no whole rows of VMEM: moving these costs little, and lets go of
// the longer ones (decision 262).
//
// Swapping operands so that the smaller one is transposed makes less than 5% difference. A
// transpose outside the loop around the product is executed only once, and stays (decision 172).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "isa/parameters.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::AffineMap;
using mlir::linalg::GenericOp;

enum Place : std::uint8_t { left, right, result };

// Which dimension of its operand each loop of a transpose reads; null for other operations.
AffineMap transposed(GenericOp op) {
  if (!op || op->getNumOperands() != 2 || op.getNumParallelLoops() != op.getNumLoops()) return {};
  auto& body = *op.getBody();
  if (&body.front() != body.getTerminator()) return {};
  if (body.getTerminator()->getOperand(0) != body.getArgument(0)) return {};
  const auto maps = op.getIndexingMapsArray();
  if (!maps[0].isPermutation() || !maps[1].isIdentity()) return {};
  return maps[0];
}

bool is_product(GenericOp op) {
  return op && attribute::precision.is_on(op) && op.getNumDpsInputs() == 2 &&
         op->getNumResults() == 1 && llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

// The loop along a row of an operand.
unsigned innermost(AffineMap map) {
  return mlir::cast<mlir::AffineDimExpr>(map.getResult(map.getNumResults() - 1)).getPosition();
}

bool sums_along_rows(GenericOp product, AffineMap map) {
  return product.getIteratorTypesArray()[innermost(map)] == mlir::utils::IteratorType::reduction;
}

// Whether the unit takes the operand in place with this map: rows of left operands are along the
// sums; weights may be either way, except bytes, which no push transposes.
bool is_taken(GenericOp product, Place place, AffineMap map) {
  const bool along_sums = sums_along_rows(product, map);
  if (place == left) return along_sums;
  const auto type = mlir::cast<mlir::RankedTensorType>(product->getOperand(place).getType());
  return along_sums && !type.getElementType().isInteger(8);
}

void set_map(GenericOp op, Place place, AffineMap map) {
  auto maps = op.getIndexingMapsArray();
  maps[place] = map;
  mlir::OpBuilder builder(op);
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

// Reads the operand of the transpose instead. A transpose outside the loops around the product
// stays: it is done once there.
// Returns whether it does.
bool fold_operand(GenericOp product, Place place, std::int64_t lanes) {
  auto mover = product->getOperand(place).getDefiningOp<GenericOp>();
  const AffineMap from = transposed(mover);
  if (!from || mover->getBlock() != product->getBlock()) return false;
  const AffineMap now = product.getIndexingMapsArray()[place];
  const AffineMap map = from.compose(now);
  const auto type = mlir::cast<mlir::RankedTensorType>(product->getOperand(place).getType());
  const bool keeps_rows =
      place == right && innermost(map) == innermost(now) && type.getShape().back() % lanes != 0;
  if (!keeps_rows && !is_taken(product, place, map)) return false;
  product->setOperand(place, mover->getOperand(0));
  set_map(product, place, map);
  if (mover->use_empty()) mover->erase();
  return true;
}

// Whether rows of the result are rows of the right operand.
bool is_straight(GenericOp product, AffineMap of_result) {
  return product.getIndexingMapsArray()[right].isFunctionOfDim(innermost(of_result));
}

void exchange_operands(GenericOp product) {
  const mlir::Value first = product->getOperand(left);
  product->setOperand(left, product->getOperand(right));
  product->setOperand(right, first);
  const auto maps = product.getIndexingMapsArray();
  set_map(product, left, maps[right]);
  set_map(product, right, maps[left]);
  auto& body = *product.getBody();
  mlir::BlockArgument factor = body.getArgument(left);
  const mlir::BlockArgument other = body.insertArgument(2, factor.getType(), factor.getLoc());
  factor.replaceAllUsesWith(other);
  body.eraseArgument(left);
}

// The reshape that makes longer rows of a transpose's result, if it is the only reader.
mlir::tensor::CollapseShapeOp joining(GenericOp mover) {
  if (!mover->hasOneUse()) return {};
  auto joined = mlir::dyn_cast<mlir::tensor::CollapseShapeOp>(*mover->user_begin());
  return joined && joined.getReassociationIndices().back().size() > 1
             ? joined
             : mlir::tensor::CollapseShapeOp();
}

// Where the result goes, filled with what it begins with. A reshape that makes longer rows of it is
// that of what it is written to: it has those rows there.
mlir::Value room_for_moved(mlir::OpBuilder& builder, GenericOp mover, mlir::Value zero) {
  const mlir::Location loc = mover.getLoc();
  const auto type = mlir::cast<mlir::RankedTensorType>(mover.getResult(0).getType());
  const auto empty = [&](mlir::RankedTensorType shape) -> mlir::Value {
    return mlir::tensor::EmptyOp::create(builder, loc, shape.getShape(), shape.getElementType());
  };
  auto joined = joining(mover);
  const mlir::Value room = joined ? mlir::tensor::ExpandShapeOp::create(
                                        builder, loc, type, empty(joined.getResultType()),
                                        joined.getReassociationIndices())
                                  : empty(type);
  return mlir::linalg::FillOp::create(builder, loc, zero, room).getResult(0);
}

void write_moved(GenericOp product, GenericOp mover, mlir::Value zero, AffineMap to) {
  mlir::OpBuilder builder(product);
  product->setOperand(result, room_for_moved(builder, mover, zero));
  product->getResult(0).setType(mover.getResult(0).getType());
  set_map(product, result, to);
  mover->getResult(0).replaceAllUsesWith(product->getResult(0));
  mover->erase();
}

// Whether the result may be written turned by exchanging the operands, without more transposes: an
// operand with sums along its rows can be a left operand in place, all others are transposed when
// loaded.
bool may_exchange(GenericOp product, AffineMap to) {
  const auto maps = product.getIndexingMapsArray();
  if (is_straight(product, maps[result]) == is_straight(product, to)) return false;
  const bool left_fits = sums_along_rows(product, maps[left]);
  const bool right_fits = sums_along_rows(product, maps[right]);
  if (is_straight(product, to) || (left_fits && !right_fits)) return false;
  return !left_fits || is_taken(product, right, maps[left]);
}

// Writes the transpose's result directly: where it moves whole rows, or by exchanging operands.
// Returns whether it does.
bool fold_result(GenericOp product, std::int64_t lanes) {
  if (!product->hasOneUse()) return false;
  auto mover = mlir::dyn_cast<GenericOp>(*product->user_begin());
  const AffineMap from = transposed(mover);
  if (!from || mover->getBlock() != product->getBlock()) return false;
  auto fill = product->getOperand(result).getDefiningOp<mlir::linalg::FillOp>();
  if (!fill) return false;
  const mlir::Value zero = fill.getInputs().front();
  // Loops of the transpose in those of the product: result i of the transpose is its loop i.
  const AffineMap of_result = product.getIndexingMapsArray()[result];
  const AffineMap to = mlir::inversePermutation(from).compose(of_result);
  const auto type = mlir::cast<mlir::RankedTensorType>(mover.getResult(0).getType());
  const bool may_move = !joining(mover) || type.getShape().back() % lanes != 0;
  if (is_straight(product, of_result) && innermost(of_result) == innermost(to)) {
    if (!may_move) return false;
    write_moved(product, mover, zero, to);
    return true;
  }
  if (!may_exchange(product, to)) return false;
  write_moved(product, mover, zero, to);
  exchange_operands(product);
  return true;
}

struct FoldTransposes : FunctionPass<FoldTransposes, PassName::fold_transposes> {
  explicit FoldTransposes(const Parameters& machine) : lanes(machine.lanes) {}
  void run() {
    llvm::SmallVector<GenericOp> products;
    getOperation()->walk([&](GenericOp op) {
      if (is_product(op)) products.push_back(op);
    });
    for (GenericOp product : products) {
      while (fold_operand(product, left, lanes)) {
      }
      while (fold_operand(product, right, lanes)) {
      }
      while (fold_result(product, lanes)) {
      }
    }
  }
  std::int64_t lanes;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_fold_transposes_pass(const Parameters& machine) {
  return std::make_unique<FoldTransposes>(machine);
}

}  // namespace tandem::compiler
