#include "compiler/stablehlo/collectives/ring_steps.hpp"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {
namespace {

using mlir::RankedTensorType;
using mlir::Value;

Value called(Maker& make, llvm::StringRef target, mlir::ValueRange operands, mlir::Type type,
             bool has_side_effect = true, std::int64_t dimension = 0) {
  mlir::OpBuilder& builder = make.builder();
  return make.make("custom_call", operands, type,
                   {builder.getNamedAttr("call_target_name", builder.getStringAttr(target)),
                    builder.getNamedAttr("dimension", builder.getI64IntegerAttr(dimension)),
                    builder.getNamedAttr("has_side_effect", builder.getBoolAttr(has_side_effect))});
}

bool are_all_in_order(const Groups& groups) {
  for (std::int64_t i = 0; i < groups.chips; ++i) {
    if (groups.members[i] != i) return false;
  }
  return groups.size == groups.chips;
}

}  // namespace

Value window(Maker& make, Value landing, RankedTensorType type, std::int64_t dimension,
             Value index) {
  return called(make, "tandem_window", {landing, index}, type, true, dimension);
}
Value put(Maker& make, Value landing, Value window, Value tensor) {
  return called(make, "tandem_put", {window, tensor}, landing.getType());
}

// ---- steps

RingSteps::Buffer RingSteps::source(Value words) {
  sources_.push_back(words);
  return {false, sources_.size() - 1};
}

RingSteps::Buffer RingSteps::landing(RankedTensorType type) {
  landings_.push_back(called(make_, "tandem_landing", {}, type));
  return {true, landings_.size() - 1};
}

llvm::SmallVector<std::int64_t> RingSteps::numbers_of(llvm::ArrayRef<Message> messages) const {
  llvm::SmallVector<std::int64_t> numbers;
  const auto operand = [&](Buffer buffer) {
    return static_cast<std::int64_t>(buffer.number + (buffer.is_landing ? sources_.size() : 0));
  };
  for (const Message& each : messages) {
    numbers.append({static_cast<std::int64_t>(each.to_left), operand(each.from), each.from_word,
                    operand(each.to), each.to_word, each.words});
  }
  return numbers;
}

void RingSteps::take(const Step& step) {
  mlir::OpBuilder& builder = make_.builder();
  sent_ += static_cast<std::int64_t>(step.messages.size());
  llvm::SmallVector<Value> operands = sources_;
  operands.append(landings_);
  mlir::OperationState state(make_.loc(), "stablehlo.custom_call");
  state.addOperands(operands);
  state.addTypes(mlir::ValueRange(operands).getTypes());
  const auto number = [&](llvm::StringRef name, std::int64_t value) {
    state.addAttribute(name, builder.getI64IntegerAttr(value));
  };
  const auto numbers = [&](llvm::StringRef name, llvm::ArrayRef<std::int64_t> values) {
    state.addAttribute(name, builder.getDenseI64ArrayAttr(values));
  };
  state.addAttribute("call_target_name", builder.getStringAttr("tandem_step"));
  number("came", step.came);
  number("come", step.come);
  state.addAttribute("first", builder.getBoolAttr(is_first_));
  numbers("flags", {flags_.pair, *flags_.second});
  state.addAttribute("has_side_effect", builder.getBoolAttr(true));
  numbers("members", groups_.members);
  numbers("messages", numbers_of(step.messages));
  number("places", groups_.size);
  number("sent", step.is_last ? sent_ : 0);
  number("sources", static_cast<std::int64_t>(sources_.size()));
  const auto results = builder.create(state)->getResults();
  for (auto [index, value] : llvm::enumerate(sources_)) value = results[index];
  for (auto [index, value] : llvm::enumerate(landings_)) value = results[sources_.size() + index];
  is_first_ = false;
}

// ---- places

RingPlace::RingPlace(Maker& make, const Groups& groups) : make_(make), size_(groups.size) {
  mlir::OpBuilder& builder = make.builder();
  const mlir::Type word = builder.getIntegerType(32, /*isSigned=*/false);
  const auto chip_type = RankedTensorType::get({}, word);
  const Value chip = called(make, "tandem_chip", {}, chip_type, /*has_side_effect=*/false);
  const auto type = RankedTensorType::get({}, builder.getI32Type());
  place_ = make.convert(chip, type.getElementType());
  if (are_all_in_order(groups)) return;
  llvm::SmallVector<std::int32_t> places(groups.chips);
  for (std::int64_t i = 0; i < groups.chips; ++i) {
    places[groups.members[i]] = static_cast<std::int32_t>(i % groups.size);
  }
  const auto table = RankedTensorType::get({groups.chips}, type.getElementType());
  const Value words =
      make.constant(table, mlir::DenseElementsAttr::get(table, llvm::ArrayRef(places)));
  const Value one =
      make.make("dynamic_slice", {words, place_}, RankedTensorType::get({1}, type.getElementType()),
                builder.getNamedAttr("slice_sizes", builder.getDenseI64ArrayAttr({1})));
  place_ = make.reshape(one, {});
}

Value RingPlace::further(std::int64_t places, std::int64_t times, std::int64_t more) {
  const mlir::Type type = place_.getType();
  const auto number = [&](std::int64_t value) {
    return make_.all(type, static_cast<double>(value));
  };
  Value place = place_;
  const std::int64_t ahead = (places % size_ + size_) % size_;
  if (ahead != 0) {
    place = make_.on("add", {place, number(ahead)});
    const Value size = number(size_);
    place =
        make_.choose(make_.compare("GE", place, size), make_.on("subtract", {place, size}), place);
  }
  place = make_.on("multiply", {place, number(times)});
  return more == 0 ? place : make_.on("add", {place, number(more)});
}

}  // namespace tandem::compiler
