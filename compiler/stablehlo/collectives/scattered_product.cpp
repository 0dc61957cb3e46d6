#include "compiler/stablehlo/collectives/scattered_product.hpp"

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

bool is_all_reduce(Operation* reduce) {
  return reduce->getName().getStringRef() == "stablehlo.all_reduce";
}

// The dimension whose parts are each summed by one device. Parts are dense, so all dimensions
// before it have extent 1.
std::optional<std::int64_t> scattered_dimension(Operation* reduce) {
  const auto shape = type_of(reduce->getOperand(0)).getShape();
  std::int64_t first = 0;
  while (first < static_cast<std::int64_t>(shape.size()) && shape[first] == 1) ++first;
  if (first == static_cast<std::int64_t>(shape.size())) return {};
  if (is_all_reduce(reduce)) return first;
  const auto along = reduce->getAttrOfType<mlir::IntegerAttr>("scatter_dimension").getInt();
  return along == first ? std::optional(along) : std::nullopt;
}

// Of one operation, as everything that goes round a ring.
bool is_sum(Operation* reduce) {
  return reduce->getRegion(0).front().front().getName().getStringRef() == "stablehlo.add";
}

class ScatteredProduct {
 public:
  ScatteredProduct(Operation* product, std::int64_t along, const Groups& groups,
                   const ExchangeFlags::Choice& flags)
      : make_(product),
        product_(product),
        operand_(*operand_dimension(product, along)),
        along_(along),
        places_(groups.size),
        hops_(groups.size / 2),
        steps_(make_, groups, flags),
        place_(make_, groups),
        half_(type_of(product->getResult(0)).getDimSize(along) / groups.size / 2) {}

  Value run() {
    Shape shape = shape_of(product_->getResult(0));
    shape[along_] = 2 * half_;
    const auto part =
        RankedTensorType::get(shape, type_of(product_->getResult(0)).getElementType());
    for (std::int64_t i = 0; i < places_; ++i) sums_.push_back(steps_.landing(part));
    for (std::int64_t i = 1; i < places_; ++i) landings_.push_back(steps_.landing(part));
    place_halves();
    const std::int64_t words = part.getNumElements() / 2;
    for (std::int64_t number = 1; number < places_; ++number) {
      make_sums(number);
      const RingSteps::Buffer from = sums_[number - 1];
      const RingSteps::Buffer to = landings_[number - 1];
      steps_.take({0,
                   {{false, from, 0, to, 0, words}, {true, from, words, to, words, words}},
                   number - 1,
                   false});
    }
    return own_sum();
  }

 private:
  // A message each way: its step in the ring, how far ahead its part is, and which half of the part
  // it is (functions/ring_text.cpp).
  struct Sent {
    std::int64_t distance = 0;
    std::int64_t to_right = 0;  // half
    std::int64_t to_left = 0;
  };
  [[nodiscard]] Sent sent(std::int64_t number) const {
    const std::int64_t all = number - (places_ % 2 == 0 ? 0 : 1);
    const std::int64_t message = all % 2;
    return {hops_ - all / 2, message == 0 ? 1 : 0, message == 0 ? 0 : 1};
  }

  // Where each half begins, before the first step.
  void place_halves() {
    const std::int64_t part = 2 * half_;
    for (std::int64_t number = 1; number < places_; ++number) {
      const Sent each = sent(number);
      starts_.push_back({place_.further(each.distance, part, each.to_right * half_),
                         place_.further(-each.distance, part, each.to_left * half_)});
    }
    starts_.push_back({place_.further(0, part, 0), place_.further(0, part, half_)});
    const Value zero = make_.all(starts_.front().first.getType(), 0);
    const Value behind = make_.all(zero.getType(), static_cast<double>(half_));
    for (const RingSteps::Buffer sum : sums_) {
      windows_.push_back({window_of(sum, zero), window_of(sum, behind)});
    }
  }
  Value window_of(RingSteps::Buffer sum, Value start) {
    const RankedTensorType all = type_of(steps_.value(sum));
    Shape shape(all.getShape());
    shape[along_] = half_;
    return window(make_, steps_.value(sum), RankedTensorType::get(shape, all.getElementType()),
                  along_, start);
  }

  Value multiplied(Value start) {
    const Value all = product_->getOperand(operand_.operand);
    Shape shape = shape_of(all);
    shape[operand_.dimension] = half_;
    llvm::SmallVector<Value> operands{all};
    operands.append(shape.size(), make_.all(start.getType(), 0));
    operands[1 + operand_.dimension] = start;
    const Value part = make_.make(
        "dynamic_slice", operands, RankedTensorType::get(shape, type_of(all).getElementType()),
        make_.builder().getNamedAttr("slice_sizes", make_.builder().getDenseI64ArrayAttr(shape)));
    return product_with(make_.builder(), product_, operand_.operand, part, along_, half_)
        ->getResult(0);
  }

  // The data of message `number` to the right, or to the left.
  Value come(std::int64_t number, bool to_left) {
    const Value all = steps_.value(landings_[number - 1]);
    return make_.part(all, along_, to_left ? half_ : 0, to_left ? 2 * half_ : half_);
  }
  Value add(Value one, Value other) { return make_.on("add", {one, other}); }

  void make_sums(std::int64_t number) {
    for (const bool to_left : {false, true}) {
      const auto& starts = starts_[number - 1];
      Value sum = multiplied(to_left ? starts.second : starts.first);
      if (number > 2) sum = add(come(number - 2, to_left), sum);
      put_sum(number - 1, to_left, sum);
    }
  }
  void put_sum(std::int64_t index, bool is_second, Value sum) {
    const auto& windows = windows_[index];
    put(make_, steps_.value(sums_[index]), is_second ? windows.second : windows.first, sum);
  }

  // (arrived from the left + own) + arrived from the right. The own products are computed while the
  // last messages are on the way.
  Value own_sum() {
    const std::int64_t last = places_ - 1;
    put_sum(last, false, multiplied(starts_[last].first));
    put_sum(last, true, multiplied(starts_[last].second));
    steps_.take({last, {}, 0, true});
    const Value own = steps_.value(sums_[last]);
    const Value first =
        add(add(come(last, false), make_.part(own, along_, 0, half_)), come(last - 1, true));
    const Value second = add(add(come(last - 1, false), make_.part(own, along_, half_, 2 * half_)),
                             come(last, true));
    return make_.concatenate({first, second}, along_);
  }

  Maker make_;
  Operation* product_;
  OperandDimension operand_;
  std::int64_t along_;  // of the result
  std::int64_t places_;
  std::int64_t hops_;
  RingSteps steps_;
  RingPlace place_;
  std::int64_t half_;                          // extent
  llvm::SmallVector<RingSteps::Buffer> sums_;  // for each message, both ways; the last ones are own
  llvm::SmallVector<RingSteps::Buffer> landings_;
  llvm::SmallVector<std::pair<Value, Value>> starts_;
  llvm::SmallVector<std::pair<Value, Value>> windows_;  // of the sums
};

}  // namespace

Operation* product_of_scattered(Operation* reduce, const Groups& groups,
                                const Parameters& machine) {
  const llvm::StringRef name = reduce->getName().getStringRef();
  if (name != "stablehlo.all_reduce" && name != "stablehlo.reduce_scatter") return nullptr;
  if (reduce->getNumOperands() != 1 || groups.size > most_places_of_steps || !is_sum(reduce)) {
    return nullptr;
  }
  const Value summed = reduce->getOperand(0);
  Operation* product = summed.getDefiningOp();
  if (product == nullptr || product->getName().getStringRef() != "stablehlo.dot_general" ||
      product->getBlock() != reduce->getBlock() || !summed.hasOneUse() ||
      !type_of(summed).getElementType().isF32()) {
    return nullptr;
  }
  const auto along = scattered_dimension(reduce);
  if (!along || type_of(summed).getDimSize(*along) % (2 * groups.size) != 0) return nullptr;
  const auto operand = operand_dimension(product, *along);
  if (!operand || operand->operand != 0) return nullptr;
  const std::int64_t part = type_of(summed).getNumElements() / groups.size;
  const std::int64_t rows = type_of(summed).getDimSize(*along) / groups.size / 2;
  const ProductStep step{operand->operand, part / 2, part, rows};
  return pays_in_steps(product, step, groups.size, machine) ? product : nullptr;
}

Operation* expand_scattered_product(Operation* reduce, Operation* product, const Groups& groups,
                                    const ExchangeFlags::Choice& flags) {
  const std::int64_t along = *scattered_dimension(reduce);
  Maker make(reduce);
  const Value part = ScatteredProduct(product, along, groups, flags).run();
  Value result = part;
  if (is_all_reduce(reduce)) {
    mlir::OpBuilder& builder = make.builder();
    result = make.make("all_gather", part, reduce->getResult(0).getType(),
                       {builder.getNamedAttr("all_gather_dim", builder.getI64IntegerAttr(along)),
                        builder.getNamedAttr("replica_groups", reduce->getAttr("replica_groups"))});
  }
  reduce->getResult(0).replaceAllUsesWith(result);
  Operation* gather = result == part ? nullptr : result.getDefiningOp();
  reduce->erase();
  product->erase();
  return gather;
}

}  // namespace tandem::compiler
