// any, all and parity are reductions of words.
//
// The cross-lane unit has sums, maxima and minima of words. Of 0 and 1 the maximum is "or", the
// minimum "and", and the lowest bit of the sum "exclusive or".
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/combiner.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using mlir::linalg::GenericOp;

// The operation that combines truth values; null where the operation is no such reduction.
mlir::Operation* truth_combiner_of(GenericOp op) {
  mlir::Operation* last = combiner_of(op);
  const bool is_truth = last != nullptr &&
                        tensor_type_of(op.getResult(0)).getElementType().isInteger(1) &&
                        mlir::isa<arith::OrIOp, arith::AndIOp, arith::XOrIOp>(last);
  return is_truth ? last : nullptr;
}

// The tensor converted to the element type `element`.
Value each(mlir::OpBuilder& builder, mlir::Location loc, Value tensor, mlir::Type element,
           llvm::function_ref<Value(mlir::OpBuilder&, Value)> convert) {
  const mlir::RankedTensorType type = tensor_type_of(tensor);
  return parallel_generic(builder, loc, mlir::RankedTensorType::get(type.getShape(), element),
                          tensor, builder.getMultiDimIdentityMap(type.getRank()),
                          [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
                            return convert(nested, arguments.front());
                          });
}

// The initial value of the reduction, as words.
Value begun(mlir::OpBuilder& builder, GenericOp op) {
  const mlir::Location loc = op.getLoc();
  const Value init = op.getDpsInits().front();
  const mlir::Type word = builder.getI32Type();
  const auto as_word = [&](mlir::OpBuilder& nested, Value truth) -> Value {
    return arith::ExtUIOp::create(nested, loc, word, truth);
  };
  auto fill = init.getDefiningOp<mlir::linalg::FillOp>();
  if (!fill) return each(builder, loc, init, word, as_word);
  const Value empty =
      mlir::tensor::EmptyOp::create(builder, loc, tensor_type_of(init).getShape(), word);
  return mlir::linalg::FillOp::create(builder, loc, as_word(builder, fill.value()), empty)
      .getResult(0);
}

void as_words(GenericOp op, mlir::Operation* combiner) {
  mlir::OpBuilder builder(op);
  const mlir::Location loc = op.getLoc();
  const mlir::Type word = builder.getI32Type();
  const Value init = begun(builder, op);
  auto reduced = GenericOp::create(
      builder, loc, init.getType(), op.getDpsInputs(), init, op.getIndexingMapsArray(),
      op.getIteratorTypesArray(),
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        mlir::IRMapping map;
        map.map(op.getBody()->getArguments(), arguments);
        for (mlir::Operation& inner : op.getBody()->without_terminator()) {
          if (&inner != combiner) nested.clone(inner, map);
        }
        const Value sum = op.getRegionOutputArgs().front();
        const Value element = combiner->getOperand(combiner->getOperand(0) == sum ? 1 : 0);
        const Value other = arith::ExtUIOp::create(nested, loc, word, map.lookupOrDefault(element));
        Value result;
        if (mlir::isa<arith::OrIOp>(combiner)) {
          result = arith::MaxSIOp::create(nested, loc, arguments.back(), other);
        } else if (mlir::isa<arith::AndIOp>(combiner)) {
          result = arith::MinSIOp::create(nested, loc, arguments.back(), other);
        } else {
          result = arith::AddIOp::create(nested, loc, arguments.back(), other);
        }
        mlir::linalg::YieldOp::create(nested, loc, result);
      });
  const auto as_truth = [&](mlir::OpBuilder& nested, Value sum) -> Value {
    const auto constant = [&](std::int64_t value) -> Value {
      return arith::ConstantIntOp::create(nested, loc, word, value);
    };
    if (mlir::isa<arith::XOrIOp>(combiner)) {
      sum = arith::AndIOp::create(nested, loc, sum, constant(1));
    }
    return arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::ne, sum, constant(0));
  };
  op.getResult(0).replaceAllUsesWith(
      each(builder, loc, reduced.getResult(0), builder.getI1Type(), as_truth));
  op.erase();
}

struct ReduceTruth : FunctionPass<ReduceTruth, PassName::reduce_truth> {
  void run() {
    llvm::SmallVector<std::pair<GenericOp, mlir::Operation*>> all;
    getOperation().walk([&](GenericOp op) {
      if (mlir::Operation* combiner = truth_combiner_of(op)) all.emplace_back(op, combiner);
    });
    for (const auto& [op, combiner] : all) as_words(op, combiner);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_reduce_truth_pass() { return std::make_unique<ReduceTruth>(); }

}  // namespace tandem::compiler
