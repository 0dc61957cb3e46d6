// Scatters: each iteration of the loops over the index vectors combines one window with its update.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/lowering/windows.hpp"
#include "compiler/tensor/lowering/words_of_rows.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;

// A scatter's windows: of an update's size along the window dimensions, of one element elsewhere.
void give_sizes(Windows& windows, mlir::RankedTensorType type, mlir::RankedTensorType updates) {
  std::size_t shown = 0;
  for (std::int64_t i = 0; i < type.getRank(); ++i) {
    const bool hidden =
        llvm::is_contained(windows.inserted, i) || llvm::is_contained(windows.operand_batch, i);
    windows.window.push_back(hidden ? 1 : updates.getDimSize(windows.offset_dims[shown++]));
  }
}

// The update of one iteration of the loops.
mlir::Value update_of(mlir::OpBuilder& builder, mlir::Location loc, const Windows& windows,
                      mlir::Value updates, mlir::ValueRange loops) {
  const mlir::RankedTensorType type = tensor_type_of(updates);
  const List visible = visible_sizes(windows);
  Places offsets;
  Places sizes;
  outer_slice(builder, windows, type.getRank(), loops, visible, offsets, sizes);
  return tensor::ExtractSliceOp::create(
      builder, loc, mlir::RankedTensorType::get(visible, type.getElementType()), updates, offsets,
      sizes, places(builder, List(type.getRank(), 1)));
}

// Operands are the tensors, the indices, and as many updates as tensors.
class Scatter {
 public:
  Scatter(mlir::Operation* op, const Values& inputs, Windows windows, mlir::IRMapping outer)
      : op_(op),
        windows_(std::move(windows)),
        outer_(std::move(outer)),
        targets_(inputs.begin(), inputs.begin() + count()),
        indices_(inputs[count()]),
        updates_(inputs.begin() + count() + 1, inputs.end()),
        no_sign_(has_no_sign(op->getOperand(count()))) {
    give_sizes(windows_, tensor_type_of(targets_.front()), tensor_type_of(updates_.front()));
    visible_ = visible_sizes(windows_);
  }

  mlir::FailureOr<Values> lower(Lowering& lowering) {
    mlir::OpBuilder& builder = lowering.builder;
    if (const auto words = WordsOfRows::of(lowering, windows_, targets_.front(), indices_)) {
      return at_once(*words);
    }
    Values results =
        for_each_index(builder, op_->getLoc(), windows_, tensor_type_of(indices_), targets_,
                       [&](mlir::OpBuilder& nested, mlir::ValueRange loops,
                           mlir::ValueRange carried) { return turn(nested, loops, carried); });
    if (!complete_) return mlir::failure();
    return results;
  }

 private:
  [[nodiscard]] unsigned count() const { return op_->getNumOperands() / 2; }
  [[nodiscard]] mlir::RankedTensorType visible_type(mlir::Value of) const {
    return mlir::RankedTensorType::get(visible_, tensor_type_of(of).getElementType());
  }

  // A word of each row, at any position.
  mlir::FailureOr<Values> at_once(const WordsOfRows& words) {
    Values results;
    for (std::size_t number = 0; number < count(); ++number) {
      results.push_back(words.scattered(
          op_->getLoc(), targets_, indices_, updates_, number, no_sign_,
          [&](mlir::OpBuilder& builder, mlir::Location, mlir::ValueRange elements) -> mlir::Value {
            const auto made = scalar_region(builder, op_->getRegion(0), elements, outer_);
            complete_ = complete_ && mlir::succeeded(made);
            return complete_ ? (*made)[number] : elements[number];
          }));
    }
    if (!complete_) return mlir::failure();
    return results;
  }

  // An update whose window reaches outside writes back the contents at the nearest position inside.
  Values turn(mlir::OpBuilder& builder, mlir::ValueRange loops, mlir::ValueRange carried) {
    const mlir::Location loc = op_->getLoc();
    const Values begin = window_starts(builder, loc, indices_, windows_, loops, no_sign_);
    Places from;
    const mlir::Value inside =
        fits_inside(builder, loc, begin, tensor_type_of(targets_.front()), windows_.window, from);
    const Places ones = places(builder, List(from.size(), 1));
    const Places extents = places(builder, windows_.window);
    Values elements;
    for (const mlir::Value old : carried) {
      elements.push_back(tensor::ExtractSliceOp::create(builder, loc, visible_type(old), old, from,
                                                        extents, ones));
    }
    for (const mlir::Value update : updates_) {
      elements.push_back(update_of(builder, loc, windows_, update, loops));
    }
    Values next;
    for (const auto [number, old] : llvm::enumerate(carried)) {
      const mlir::Value window = combined(builder, elements, number, inside);
      next.push_back(tensor::InsertSliceOp::create(builder, loc, window, old, from, extents, ones));
    }
    return next;
  }

  // One of the region's results, of the tensors' elements and the updates': written over the
  // tensor's own, so that its window changes in place. A single element is just a scalar.
  mlir::Value combined(mlir::OpBuilder& builder, const Values& elements, std::size_t number,
                       mlir::Value inside) {
    const auto element_of = [&](mlir::OpBuilder& nested, mlir::Location at,
                                mlir::ValueRange here) -> mlir::Value {
      const auto results = scalar_region(nested, op_->getRegion(0), here, outer_);
      complete_ = complete_ && mlir::succeeded(results);
      if (!complete_) return here[number];
      return arith::SelectOp::create(nested, at, inside, (*results)[number], here[number]);
    };
    const mlir::RankedTensorType type = visible_type(elements[number]);
    if (type.getNumElements() == 1) {
      return parallel_generic(builder, op_->getLoc(), type, elements, element_of);
    }
    Values others = elements;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(number));
    const auto rank = static_cast<unsigned>(visible_.size());
    const llvm::SmallVector<mlir::AffineMap> maps(elements.size(),
                                                  builder.getMultiDimIdentityMap(rank));
    const llvm::SmallVector<mlir::utils::IteratorType> loops(rank,
                                                             mlir::utils::IteratorType::parallel);
    return mlir::linalg::GenericOp::create(
               builder, op_->getLoc(), mlir::TypeRange{type}, others,
               mlir::ValueRange{elements[number]}, maps, loops,
               [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
                 Values here(arguments.drop_back());
                 here.insert(here.begin() + static_cast<std::ptrdiff_t>(number), arguments.back());
                 mlir::linalg::YieldOp::create(nested, at, element_of(nested, at, here));
               })
        .getResult(0);
  }

  mlir::Operation* op_;
  Windows windows_;
  mlir::IRMapping outer_;
  Values targets_;
  mlir::Value indices_;
  Values updates_;
  bool no_sign_;
  List visible_;
  bool complete_ = true;
};

}  // namespace

mlir::FailureOr<Values> lower_scatter(Lowering& lowering, mlir::Operation* op) {
  const auto windows = windows_of(op, false);
  if (mlir::failed(windows)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  const std::size_t count = inputs.size() / 2;
  if (tensor_type_of(inputs.back()).getNumElements() == 0 ||
      tensor_type_of(inputs[0]).getNumElements() == 0) {
    return Values(mlir::ValueRange(inputs).take_front(count));
  }
  const auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  return Scatter(op, inputs, *windows, *outer).lower(lowering);
}

}  // namespace tandem::compiler
