// Collectives as messages, and arithmetic on each device.
//
// The only joint operation of devices is `custom_call @tandem_exchange`: its operand holds the rows
// that a device sends from, its result those that it receives into, and it states which row goes
// where (messages.hpp). The arithmetic of a collective on rows is written in StableHLO, so the
// levels below see ordinary arithmetic and moves. Sums are taken in the order in which the group
// names its members, each element by one device or by each of them, so all get the same bits.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/stablehlo/collectives/computation.hpp"
#include "compiler/stablehlo/collectives/flags.hpp"
#include "compiler/stablehlo/collectives/gathered_product.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "compiler/stablehlo/collectives/messages.hpp"
#include "compiler/stablehlo/collectives/rings.hpp"
#include "compiler/stablehlo/collectives/scattered_product.hpp"
#include "compiler/stablehlo/maker.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using Shape = llvm::SmallVector<std::int64_t>;

std::int64_t number(Operation* op, llvm::StringRef name) {
  return op->getAttrOfType<mlir::IntegerAttr>(name).getInt();
}

// Elements in a type that a message may have: words, or smaller types that the machine has.
class Carried {
 public:
  Carried(Maker& make, mlir::Type element) : make_(make), element_(element) {
    mlir::Builder& builder = make.builder();
    const auto integer = mlir::dyn_cast<mlir::IntegerType>(element);
    if (integer && integer.getWidth() == 64) {
      word_ = builder.getIntegerType(32, /*isSigned=*/false);
    } else if (integer && integer.getWidth() > 1 && integer.getWidth() < 8) {
      wider_ = mlir::IntegerType::get(builder.getContext(), 8, integer.getSignedness());
    } else if (mlir::isa<mlir::FloatType>(element) && element.getIntOrFloatBitWidth() < 16) {
      wider_ = builder.getBF16Type();
    }
  }

  // Rows of elements; those of two words are twice as long.
  Value there(Value rows) {
    const Shape shape = shape_of(rows);
    if (wider_) return make_.convert(rows, wider_);
    if (word_) {
      const auto pairs = RankedTensorType::get({shape[0], shape[1], 2}, word_);
      return make_.reshape(make_.make("bitcast_convert", rows, pairs), {shape[0], 2 * shape[1]});
    }
    if (!is_complex()) return rows;
    const mlir::Type real = part_type(shape);
    return make_.concatenate({make_.make("real", rows, real), make_.make("imag", rows, real)}, 1);
  }
  Value back(Value rows) {
    const Shape shape = shape_of(rows);
    if (wider_) return make_.convert(rows, element_);
    if (!word_ && !is_complex()) return rows;
    const std::int64_t width = shape[1] / 2;
    const auto type = RankedTensorType::get({shape[0], width}, element_);
    if (word_)
      return make_.make("bitcast_convert", make_.reshape(rows, {shape[0], width, 2}), type);
    return make_.make("complex",
                      {make_.part(rows, 1, 0, width), make_.part(rows, 1, width, 2 * width)}, type);
  }

 private:
  [[nodiscard]] bool is_complex() const { return mlir::isa<mlir::ComplexType>(element_); }
  [[nodiscard]] mlir::Type part_type(const Shape& shape) const {
    return RankedTensorType::get(shape, mlir::cast<mlir::ComplexType>(element_).getElementType());
  }

  Maker& make_;
  mlir::Type element_;
  mlir::Type word_;
  mlir::Type wider_;
};

class Expansion {
 public:
  Expansion(Operation* op, ExchangeFlags::Choice flags, const Parameters& machine)
      : op_(op), make_(op), flags_(flags), machine_(machine) {}

  mlir::LogicalResult run() {
    const llvm::StringRef name = op_->getName().getStringRef();
    if (name == "stablehlo.collective_permute") {
      auto pairs = pairs_of(op_);
      if (mlir::failed(pairs)) return mlir::failure();
      chips_ = pairs->chips;
      messages_ = permute(*pairs);
      return each([&](Value value) { return same_shape(value); });
    }
    auto groups = groups_of(op_);
    if (mlir::failed(groups)) return mlir::failure();
    groups_ = std::move(*groups);
    chips_ = groups_.chips;
    if (flags_.second) plan_ = ring_of(op_, groups_, machine_);
    if (name == "stablehlo.collective_broadcast") {
      messages_ = broadcast(groups_);
      return each([&](Value value) { return same_shape(value); });
    }
    if (name == "stablehlo.all_gather") return each([&](Value value) { return all_gather(value); });
    if (name == "stablehlo.all_to_all") return each([&](Value value) { return all_to_all(value); });
    if (name == "stablehlo.reduce_scatter") {
      return each([&](Value value) { return reduce_scatter(value); });
    }
    return each([&](Value value) { return all_reduce(value); });
  }

 private:
  // Several operands are handled one by one.
  template <typename Expand>
  mlir::LogicalResult each(Expand expand) {
    for (auto [operand, result] : llvm::zip_equal(op_->getOperands(), op_->getResults())) {
      const auto type = mlir::cast<RankedTensorType>(result.getType());
      const Value made = type.getNumElements() == 0 ? make_.all(type, 0) : expand(operand);
      if (!made) return mlir::failure();
      result.replaceAllUsesWith(make_.reshape(made, type.getShape()));
    }
    op_->erase();
    return mlir::success();
  }

  // The rows that this device receives.
  Value exchanged(Value rows, std::int64_t received, const Messages& messages) {
    Carried carried(make_, type_of(rows).getElementType());
    rows = carried.there(rows);
    mlir::OpBuilder& builder = make_.builder();
    llvm::SmallVector<std::int64_t> list;
    for (const Message& message : messages) {
      list.append({message.from, message.to, message.source, message.target});
    }
    const auto type =
        RankedTensorType::get({received, shape_of(rows)[1]}, type_of(rows).getElementType());
    return carried.back(make_.make(
        "custom_call", rows, type,
        {builder.getNamedAttr("by_all", builder.getBoolAttr(flags_.by_all)),
         builder.getNamedAttr("call_target_name", builder.getStringAttr("tandem_exchange")),
         builder.getNamedAttr("chips", builder.getI64IntegerAttr(chips_)),
         builder.getNamedAttr("flags", builder.getI64IntegerAttr(flags_.pair)),
         builder.getNamedAttr("has_side_effect", builder.getBoolAttr(true)),
         builder.getNamedAttr("messages", builder.getDenseI64ArrayAttr(list))}));
  }

  // The parts of this device, as they arrive round the ring.
  Value round(Value parts, std::int64_t received) {
    Carried carried(make_, type_of(parts).getElementType());
    parts = carried.there(parts);
    mlir::OpBuilder& builder = make_.builder();
    const auto type =
        RankedTensorType::get({received, shape_of(parts)[1]}, type_of(parts).getElementType());
    const std::int64_t block = std::min(plan_->block_words, shape_of(parts)[1]);
    return carried.back(make_.make(
        "custom_call", parts, type,
        {builder.getNamedAttr("block_words", builder.getI64IntegerAttr(block)),
         builder.getNamedAttr("call_target_name", builder.getStringAttr("tandem_ring")),
         builder.getNamedAttr("combine", builder.getStringAttr(plan_->combine)),
         builder.getNamedAttr("flags", builder.getDenseI64ArrayAttr({flags_.pair, *flags_.second})),
         builder.getNamedAttr("gathers", builder.getBoolAttr(plan_->gathers)),
         builder.getNamedAttr("has_side_effect", builder.getBoolAttr(true)),
         builder.getNamedAttr("lanes", builder.getI64IntegerAttr(machine_.lanes)),
         builder.getNamedAttr("members", builder.getDenseI64ArrayAttr(groups_.members)),
         builder.getNamedAttr("places", builder.getI64IntegerAttr(groups_.size))}));
  }

  Value one_row(Value value) { return make_.reshape(value, {1, type_of(value).getNumElements()}); }

  Value same_shape(Value value) { return exchanged(one_row(value), 1, messages_); }

  // [size, extents...]: the operand of each member.
  Value gathered(Value value) {
    const Value rows = plan_ ? round(one_row(value), groups_.size)
                             : exchanged(one_row(value), groups_.size, gather(groups_));
    Shape shape = shape_of(value);
    shape.insert(shape.begin(), groups_.size);
    return make_.reshape(rows, shape);
  }

  // Splits the dimension into as many parts as there are members: [size, extents...] of the parts.
  Value parts(Value value, std::int64_t dimension) {
    Shape shape = shape_of(value);
    shape[dimension] /= groups_.size;
    shape.insert(shape.begin() + dimension, groups_.size);
    Shape order{dimension};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape.size()); ++i) {
      if (i != dimension) order.push_back(i);
    }
    return make_.transpose(make_.reshape(value, shape), order);
  }
  // The inverse: parts one after the other along one of their dimensions.
  Value joined(Value parts, std::int64_t dimension) {
    Shape order;
    for (std::int64_t i = 1; i < type_of(parts).getRank(); ++i) {
      if (i == dimension + 1) order.push_back(0);
      order.push_back(i);
    }
    Shape shape = shape_of(parts);
    shape.erase(shape.begin());
    shape[dimension] *= groups_.size;
    return make_.reshape(make_.transpose(parts, order), shape);
  }
  // Part i goes to member i; the received parts are in the order of members, too.
  Value dealt(Value parts) {
    const Shape shape = shape_of(parts);
    const Value rows = make_.reshape(parts, {shape[0], type_of(parts).getNumElements() / shape[0]});
    return make_.reshape(exchanged(rows, groups_.size, exchange(groups_)), shape);
  }
  // The first of them with the second, the result with the third, and so on.
  Value combined(Value parts) {
    Shape shape = shape_of(parts);
    shape.erase(shape.begin());
    Value result;
    for (std::int64_t i = 0; i < groups_.size; ++i) {
      const Value next = make_.reshape(make_.part(parts, 0, i, i + 1), shape);
      result = result ? apply_computation(make_, op_, result, next) : next;
      if (!result) return {};
    }
    return result;
  }

  Value all_gather(Value value) { return joined(gathered(value), number(op_, "all_gather_dim")); }

  Value all_to_all(Value value) {
    return joined(dealt(parts(value, number(op_, "split_dimension"))),
                  number(op_, "concat_dimension"));
  }

  Value reduce_scatter(Value value) {
    const Value dealt_out = parts(value, number(op_, "scatter_dimension"));
    if (!plan_) return combined(dealt(dealt_out));
    Shape shape = shape_of(dealt_out);
    const std::int64_t words = type_of(dealt_out).getNumElements() / shape[0];
    const Value sum = round(make_.reshape(dealt_out, {shape[0], words}), 1);
    return make_.reshape(sum, llvm::ArrayRef(shape).drop_front());
  }

  // As many parts as there are members, padded with unspecified values.
  Value in_parts(Value value, std::int64_t part) {
    const std::int64_t count = type_of(value).getNumElements();
    Value flat = make_.reshape(value, {count});
    const std::int64_t rest = part * groups_.size - count;
    if (rest > 0) flat = make_.concatenate({flat, make_.part(flat, 0, 0, rest)}, 0);
    return make_.reshape(flat, {groups_.size, part});
  }

  // A few elements are reduced by all devices; of many, each reduces a part, which the others then
  // get.
  Value all_reduce(Value value) {
    const std::int64_t count = type_of(value).getNumElements();
    if (plan_) {
      const std::int64_t part = ring_part(count, groups_, machine_);
      const Value all = round(in_parts(value, part), groups_.size);
      return make_.part(make_.reshape(all, {part * groups_.size}), 0, 0, count);
    }
    if (groups_.size == 2 || !threshold::parted_reduction(count)) {
      return combined(gathered(value));
    }
    const std::int64_t part = (count + groups_.size - 1) / groups_.size;
    const Value sum = combined(dealt(in_parts(value, part)));
    if (!sum) return {};
    return make_.part(make_.reshape(gathered(sum), {part * groups_.size}), 0, 0, count);
  }

  Operation* op_;
  Maker make_;
  ExchangeFlags::Choice flags_;
  const Parameters& machine_;
  std::optional<RingPlan> plan_;
  Groups groups_;
  Messages messages_;
  std::int64_t chips_ = 1;
};

// Computed once, at the beginning: the answer is the same everywhere.
void ask_at_start(mlir::func::FuncOp function) {
  llvm::SmallVector<Operation*> asks;
  function.walk([&](Operation* op) {
    if (op->getName().getStringRef() == "stablehlo.partition_id") asks.push_back(op);
  });
  if (asks.empty()) return;
  const auto begin = mlir::OpBuilder::atBlockBegin(&function.getBody().front());
  Maker make(asks.front()->getLoc(), begin);
  mlir::OpBuilder& builder = make.builder();
  const Value number =
      make.make("custom_call", {}, asks.front()->getResult(0).getType(),
                {builder.getNamedAttr("call_target_name", builder.getStringAttr("tandem_chip")),
                 builder.getNamedAttr("has_side_effect", builder.getBoolAttr(false))});
  for (Operation* op : asks) {
    op->getResult(0).replaceAllUsesWith(number);
    op->erase();
  }
}

struct ExpandCollectives : ModulePass<ExpandCollectives, PassName::expand_collectives> {
  explicit ExpandCollectives(const Parameters& given_machine) : machine(given_machine) {}
  void run() {
    llvm::SmallVector<Operation*> collectives;
    getOperation().walk([&](Operation* op) {
      if (is_collective(op->getName().getStringRef())) collectives.push_back(op);
    });
    for (auto function : getOperation().getOps<mlir::func::FuncOp>()) {
      if (!function.isExternal()) ask_at_start(function);
    }
    if (collectives.empty()) return;
    if (mlir::failed(refuse_kernels(collectives.front()))) return signalPassFailure();
    ExchangeFlags flags;
    const auto may_go_round = [&](Operation* op) {
      if (!is_grouped_collective(op->getName().getStringRef())) return false;
      // Errors in them are reported where they are planned.
      mlir::ScopedDiagnosticHandler quiet(&getContext(),
                                          [](mlir::Diagnostic&) { return mlir::success(); });
      const auto groups = groups_of(op);
      return mlir::succeeded(groups) && ring_of(op, *groups, machine).has_value();
    };
    if (mlir::failed(flags.plan(collectives, may_go_round))) return signalPassFailure();
    for (Operation* op : collectives) {
      const ExchangeFlags::Choice choice = flags.of(op);
      Operation* left = with_product(op, choice, may_go_round);
      if (left == nullptr) continue;
      if (mlir::failed(Expansion(left, choice, machine).run())) return signalPassFailure();
    }
  }

  const Parameters& machine;

 private:
  // Merges it with an adjacent product, where that is faster. The part still to be expanded: all,
  // nothing, or the second half of an all_reduce.
  Operation* with_product(Operation* op, const ExchangeFlags::Choice& choice,
                          llvm::function_ref<bool(Operation*)> may_go_round) const {
    if (!choice.second || !may_go_round(op)) return op;
    const auto groups = groups_of(op);
    if (mlir::failed(groups)) return op;
    if (Operation* product = product_of_gathered(op, *groups, machine)) {
      expand_gathered_product(op, product, *groups, choice);
      return nullptr;
    }
    if (Operation* product = product_of_scattered(op, *groups, machine)) {
      return expand_scattered_product(op, product, *groups, choice);
    }
    return op;
  }
  // A kernel in assembly has flags to which neighbours may be adding while it runs.
  mlir::LogicalResult refuse_kernels(Operation* collective) {
    const auto walked = getOperation().walk([&](Operation* op) {
      const auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
      if (!target || target.getValue() != "tandem.kernel") return mlir::WalkResult::advance();
      op->emitError("unimplemented: a kernel in assembly in a program with ")
          << collective->getName();
      return mlir::WalkResult::interrupt();
    });
    return mlir::failure(walked.wasInterrupted());
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_expand_collectives_pass(const Parameters& machine) {
  return std::make_unique<ExpandCollectives>(machine);
}

}  // namespace tandem::compiler
