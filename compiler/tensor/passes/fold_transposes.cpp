// Transposes next to matrix products. The matrix unit reads weights by columns as well as by rows,
// and A^T B = (B^T A)^T, so most of them need not move anything: their maps become part of the
// product's, and the operands are swapped where this makes the result need no transpose.
//
// Swapping operands so that the smaller one is transposed makes less than 5% difference. A
// transpose outside the loop around the product is executed only once, and stays (decision 172).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
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
void fold_operand(GenericOp product, Place place) {
  auto mover = product->getOperand(place).getDefiningOp<GenericOp>();
  const AffineMap from = transposed(mover);
  if (!from || mover->getBlock() != product->getBlock()) return;
  const AffineMap map = from.compose(product.getIndexingMapsArray()[place]);
  if (!is_taken(product, place, map)) return;
  product->setOperand(place, mover->getOperand(0));
  set_map(product, place, map);
  if (mover->use_empty()) mover->erase();
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

// Writes the transpose's result directly, if this does not need more transposes: an operand with
// sums along its rows can be a left operand in place, all others are transposed when loaded.
void fold_result(GenericOp product) {
  if (!product->hasOneUse()) return;
  auto mover = mlir::dyn_cast<GenericOp>(*product->user_begin());
  const AffineMap from = transposed(mover);
  if (!from || mover->getBlock() != product->getBlock()) return;
  auto fill = product->getOperand(result).getDefiningOp<mlir::linalg::FillOp>();
  if (!fill) return;
  // Loops of the transpose in those of the product: result i of the transpose is its loop i.
  const auto maps = product.getIndexingMapsArray();
  const AffineMap to = mlir::inversePermutation(from).compose(maps[result]);
  if (is_straight(product, maps[result]) == is_straight(product, to)) return;
  const bool left_fits = sums_along_rows(product, maps[left]);
  const bool right_fits = sums_along_rows(product, maps[right]);
  if (is_straight(product, to) || (left_fits && !right_fits)) return;
  if (left_fits && !is_taken(product, right, maps[left])) return;
  mlir::OpBuilder builder(product);
  const mlir::Value empty = mover->getOperand(1);
  const auto type = mlir::cast<mlir::RankedTensorType>(empty.getType());
  const mlir::Value room = mlir::tensor::EmptyOp::create(builder, product.getLoc(), type.getShape(),
                                                         type.getElementType());
  auto zeros =
      mlir::linalg::FillOp::create(builder, product.getLoc(), fill.getInputs().front(), room);
  product->setOperand(result, zeros.getResult(0));
  product->getResult(0).setType(type);
  set_map(product, result, to);
  exchange_operands(product);
  mover->getResult(0).replaceAllUsesWith(product->getResult(0));
  mover->erase();
}

struct FoldTransposes : FunctionPass<FoldTransposes, PassName::fold_transposes> {
  void run() {
    llvm::SmallVector<GenericOp> products;
    getOperation()->walk([&](GenericOp op) {
      if (is_product(op)) products.push_back(op);
    });
    for (GenericOp product : products) {
      fold_operand(product, left);
      fold_operand(product, right);
      fold_result(product);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_fold_transposes_pass() {
  return std::make_unique<FoldTransposes>();
}

}  // namespace tandem::compiler
