#include "compiler/stablehlo/collectives/gathered_product.hpp"

#include <algorithm>
#include <optional>

#include "compiler/stablehlo/collectives/product_steps.hpp"
#include "compiler/stablehlo/collectives/ring_steps.hpp"
#include "compiler/stablehlo/maker.hpp"
#include "mlir/IR/BuiltinAttributes.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using Shape = llvm::SmallVector<std::int64_t>;

class GatheredProduct {
 public:
  GatheredProduct(Operation* gather, Operation* product, const Groups& groups,
                  const ExchangeFlags::Choice& flags)
      : make_(product),
        product_(product),
        groups_(groups),
        steps_(make_, groups, flags),
        place_(make_, groups),
        own_(gather->getOperand(0)),
        operand_(product->getOperand(0) == gather->getResult(0) ? 0 : 1),
        dimension_(gather->getAttrOfType<mlir::IntegerAttr>("all_gather_dim").getInt()),
        along_(*result_dimension(product, operand_, dimension_)),
        half_(type_of(own_).getDimSize(dimension_) / 2),
        result_(steps_.landing(type_of(product->getResult(0)))) {}

  Value run() {
    const Value rows = in_halves();
    const std::int64_t words = type_of(rows).getDimSize(1);
    const RingSteps::Buffer own = steps_.source(rows);
    const std::int64_t last = groups_.size - 1;
    llvm::SmallVector<RingSteps::Buffer> landings;
    for (std::int64_t i = 0; i < last; ++i) landings.push_back(steps_.landing(type_of(rows)));
    place_parts();
    // In each direction one message at a time: a copy queued after two would wait for the first of
    // them.
    const auto sent = [&](std::int64_t number) {
      const RingSteps::Buffer from = number < 2 ? own : landings[number - 2];
      const std::int64_t first = number == 1 ? words : 0;  // both halves go in each direction
      return llvm::SmallVector<RingSteps::Message, 4>{
          {false, from, first, landings[number], 0, words},
          {true, from, words - first, landings[number], words, words}};
    };
    steps_.take({0, sent(0), 0, false});
    add(rows, 0);
    for (std::int64_t come = 1; come <= last; ++come) {
      RingSteps::Step step{come, {}, 0, come == last};
      if (come < last) step.messages = sent(come);
      steps_.take(step);
      add(steps_.value(landings[come - 1]), come);
    }
    return whole_;
  }

 private:
  // [2, words]: this device's part, its halves one after the other.
  Value in_halves() {
    Shape shape = shape_of(own_);
    shape[dimension_] = half_;
    shape.insert(shape.begin() + dimension_, 2);
    Shape order{dimension_};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape.size()); ++i) {
      if (i != dimension_) order.push_back(i);
    }
    const Value parts = make_.transpose(make_.reshape(own_, shape), order);
    return make_.reshape(parts, {2, type_of(own_).getNumElements() / 2});
  }

  // The positions of a step's results: the halves from the left and from the right, by how many
  // halves further they are than the first of the left end.
  void place_parts() {
    const std::int64_t part = 2 * half_;
    starts_.push_back({place_.further(0, part, 0), place_.further(0, part, half_)});
    for (std::int64_t come = 1; come < groups_.size; ++come) {
      const std::int64_t distance = (come + 1) / 2;
      const bool is_odd = come % 2 == 1;
      starts_.push_back({place_.further(-distance, part, is_odd ? 0 : half_),
                         place_.further(distance, part, is_odd ? half_ : 0)});
    }
  }

  Value multiplied(Value part) {
    return product_with(make_.builder(), product_, operand_, part, along_,
                        type_of(part).getDimSize(dimension_))
        ->getResult(0);
  }

  // The product of half a part, with results from `start` on.
  void put_half(Value rows, std::int64_t half, Value start) {
    Shape shape = shape_of(own_);
    shape[dimension_] = half_;
    const Value all = steps_.value(result_);
    Shape result = shape_of(all);
    result[along_] = half_;
    // Inserted before the product, in its place.
    const Value there = window(
        make_, all, RankedTensorType::get(result, type_of(all).getElementType()), along_, start);
    const Value part = make_.reshape(make_.part(rows, 0, half, half + 1), shape);
    whole_ = put(make_, all, there, multiplied(part));
  }

  // The two halves that arrived in a step; in step 0 the own ones. All products have one shape, so
  // all devices have the same bits.
  void add(Value rows, std::int64_t come) {
    put_half(rows, 0, starts_[come].first);
    put_half(rows, 1, starts_[come].second);
  }

  Maker make_;
  Operation* product_;
  const Groups& groups_;
  RingSteps steps_;
  RingPlace place_;
  Value own_;
  unsigned operand_;
  std::int64_t dimension_;    // of the operand
  std::int64_t along_;        // of the result
  std::int64_t half_;         // extent
  RingSteps::Buffer result_;  // nothing is sent to it, but all landings are in HBM
  Value whole_;
  llvm::SmallVector<std::pair<Value, Value>> starts_;
};

}  // namespace

Operation* product_of_gathered(Operation* gather, const Groups& groups, const Parameters& machine) {
  if (gather->getName().getStringRef() != "stablehlo.all_gather") return nullptr;
  if (gather->getNumOperands() != 1 || !gather->getResult(0).hasOneUse()) return nullptr;
  const Value own = gather->getOperand(0);
  Operation* product = *gather->getResult(0).getUsers().begin();
  if (product->getName().getStringRef() != "stablehlo.dot_general" ||
      product->getBlock() != gather->getBlock() || !type_of(own).getElementType().isF32() ||
      !type_of(product->getResult(0)).getElementType().isF32()) {
    return nullptr;
  }
  const std::int64_t dimension =
      gather->getAttrOfType<mlir::IntegerAttr>("all_gather_dim").getInt();
  const unsigned operand = product->getOperand(0) == gather->getResult(0) ? 0 : 1;
  // Parts of the right operand are weights; pushing a few at a time for many rows would not pay.
  if (operand != 0 || groups.size > most_places_of_steps ||
      !result_dimension(product, operand, dimension) ||
      type_of(own).getDimSize(dimension) % 2 != 0) {
    return nullptr;
  }
  const std::int64_t results = type_of(product->getResult(0)).getNumElements() / groups.size;
  const auto before = type_of(own).getShape().take_front(dimension);
  const bool is_dense = llvm::all_of(before, [](std::int64_t extent) { return extent == 1; });
  const ProductStep step{operand, type_of(own).getNumElements() / 2, results,
                         is_dense ? type_of(own).getDimSize(dimension) / 2 : 0};
  return pays_in_steps(product, step, groups.size, machine) ? product : nullptr;
}

void expand_gathered_product(Operation* gather, Operation* product, const Groups& groups,
                             const ExchangeFlags::Choice& flags) {
  const Value result = GatheredProduct(gather, product, groups, flags).run();
  product->getResult(0).replaceAllUsesWith(result);
  product->erase();
  gather->erase();
}

}  // namespace tandem::compiler
