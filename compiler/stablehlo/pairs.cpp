// Unsigned integers of 64 bits as pairs of words. Those that `narrow_integers.cpp` could not prove
// small are the states of random generators and the little arithmetic on them.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/maker.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

struct Pair {
  Value low;
  Value high;
};

bool is_wide(mlir::Type type) {
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  return integer && integer.isUnsigned() && integer.getWidth() == 64;
}

// Makes StableHLO's operations on words.
class Words : public Maker {
 public:
  using Maker::Maker;

  [[nodiscard]] mlir::Type word() {
    return mlir::IntegerType::get(builder().getContext(), 32, mlir::IntegerType::Unsigned);
  }
  // The same number in all elements.
  Value all(mlir::Type shape, std::uint32_t number) {
    return Maker::all(with_element(shape, word()), number);
  }
  // Elements `from` to `to` of the last dimension.
  Value part(Value value, std::int64_t from, std::int64_t to) {
    return Maker::part(value, mlir::cast<RankedTensorType>(value.getType()).getRank() - 1, from,
                       to);
  }

  // The upper word of a product.
  Value upper_product(Value a, Value b) {
    const Value sixteen = all(a.getType(), 16);
    const Value mask = all(a.getType(), 0xffff);
    const auto upper = [&](Value x) { return on("shift_right_logical", {x, sixteen}); };
    const auto lower = [&](Value x) { return on("and", {x, mask}); };
    const Value low = on("multiply", {lower(a), lower(b)});
    const Value left = on("multiply", {upper(a), lower(b)});
    const Value right = on("multiply", {lower(a), upper(b)});
    const Value middle = on("add", {on("add", {upper(low), lower(left)}), lower(right)});
    const Value high = on("add", {on("multiply", {upper(a), upper(b)}), upper(left)});
    return on("add", {on("add", {high, upper(right)}), upper(middle)});
  }
};

class Splitter {
 public:
  // Null after an error; the caller erases the replaced operations, last ones first.
  mlir::LogicalResult rewrite(Operation* op) {
    const llvm::StringRef name = op->getName().getStringRef().drop_front(strlen("stablehlo."));
    Words w(op);
    if (is_halfwise(name)) {
      halves(op);
    } else if (const auto found = handlers().find(name); found != handlers().end()) {
      if (!(this->*found->second)(w, op)) return refuse(op);
    } else {
      return refuse(op);
    }
    return mlir::success();
  }

 private:
  using Handler = bool (Splitter::*)(Words&, Operation*);

  static mlir::LogicalResult refuse(Operation* op) {
    return op->emitError("unimplemented: elements of type ui64 (of ") << op->getName() << ")";
  }

  // Operations applied in the same way to both words.
  static bool is_halfwise(llvm::StringRef name) {
    static const llvm::StringSet<> names{"broadcast_in_dim",
                                         "reshape",
                                         "slice",
                                         "transpose",
                                         "reverse",
                                         "concatenate",
                                         "select",
                                         "dynamic_slice",
                                         "gather",
                                         "and",
                                         "or",
                                         "xor",
                                         "not",
                                         "dynamic_update_slice"};
    return names.contains(name);
  }

  static const llvm::StringMap<Handler>& handlers() {
    static const llvm::StringMap<Handler> table{
        {"constant", &Splitter::constant},
        {"iota", &Splitter::iota},
        {"convert", &Splitter::convert},
        {"bitcast_convert", &Splitter::bitcast},
        {"add", &Splitter::add},
        {"subtract", &Splitter::subtract},
        {"multiply", &Splitter::multiply},
        {"maximum", &Splitter::extreme},
        {"minimum", &Splitter::extreme},
        {"compare", &Splitter::compare},
        {"shift_left", &Splitter::shift},
        {"shift_right_logical", &Splitter::shift},
        {"rng_bit_generator", &Splitter::random},
    };
    return table;
  }

  [[nodiscard]] Pair pair(Value value) const { return pairs_.lookup(value); }
  bool set(Operation* op, Value low, Value high) {
    pairs_[op->getResult(0)] = {low, high};
    return true;
  }
  static bool replace(Operation* op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    return true;
  }

  void halves(Operation* op) {
    mlir::OpBuilder builder(op);
    const mlir::Type word =
        mlir::IntegerType::get(op->getContext(), 32, mlir::IntegerType::Unsigned);
    std::array<Value, 2> results;
    for (const bool high : {false, true}) {
      mlir::OperationState state(op->getLoc(), op->getName().getStringRef());
      state.addAttributes(op->getAttrs());
      for (const Value operand : op->getOperands()) {
        const Pair both = pair(operand);
        state.addOperands(is_wide(operand.getType()) ? (high ? both.high : both.low) : operand);
      }
      state.addTypes(with_element(op->getResult(0).getType(), word));
      results[high ? 1 : 0] = builder.create(state)->getResult(0);
    }
    set(op, results[0], results[1]);
  }

  bool constant(Words& w, Operation* op) {
    const auto value = op->getAttrOfType<mlir::DenseIntElementsAttr>("value");
    if (!value) return false;
    const RankedTensorType type = with_element(op->getResult(0).getType(), w.word());
    const auto words = [&](unsigned shift) {
      const auto half = mlir::DenseIntElementsAttr(value).mapValues(
          w.word(), [&](const llvm::APInt& number) { return number.lshr(shift).trunc(32); });
      return w.constant(type, mlir::cast<mlir::DenseElementsAttr>(half));
    };
    return set(op, words(0), words(32));
  }

  bool iota(Words& w, Operation* op) {
    const RankedTensorType type = with_element(op->getResult(0).getType(), w.word());
    return set(op, w.make("iota", {}, type, op->getAttrs()), w.all(type, 0));
  }

  bool convert(Words& w, Operation* op) {
    const Value from = op->getOperand(0);
    const mlir::Type to = mlir::getElementTypeOrSelf(op->getResult(0).getType());
    if (is_wide(from.getType())) {
      const Pair both = pair(from);
      if (is_wide(op->getResult(0).getType())) return set(op, both.low, both.high);
      if (!mlir::isa<mlir::IntegerType>(to)) return false;
      if (!to.isInteger(1)) return replace(op, w.convert(both.low, to));
      return replace(op, w.convert(w.on("or", {both.low, both.high}), to));
    }
    const auto element =
        mlir::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(from.getType()));
    if (!element) return false;
    const Value low = w.convert(from, w.word());
    if (element.isUnsigned() || element.getWidth() == 1) {
      return set(op, low, w.all(low.getType(), 0));
    }
    return set(op, low, w.on("shift_right_arithmetic", {low, w.all(low.getType(), 31)}));
  }

  bool bitcast(Words& w, Operation* op) {
    const Value from = op->getOperand(0);
    const mlir::Type type = op->getResult(0).getType();
    const auto narrow = mlir::cast<RankedTensorType>(is_wide(type) ? from.getType() : type);
    if (is_wide(from.getType()) && is_wide(type)) {
      return set(op, pair(from).low, pair(from).high);
    }
    if (narrow.getElementTypeBitWidth() != 32) return false;
    if (is_wide(type)) {
      const auto word = [&](std::int64_t at) {
        const Value half = w.reshape(w.part(from, at, at + 1), narrow.getShape().drop_back());
        return w.make("bitcast_convert", half, with_element(half.getType(), w.word()));
      };
      return set(op, word(0), word(1));
    }
    llvm::SmallVector<std::int64_t> single(narrow.getShape());
    single.back() = 1;
    const Value both =
        w.concatenate({w.reshape(pair(from).low, single), w.reshape(pair(from).high, single)},
                      narrow.getRank() - 1);
    return replace(op, w.make("bitcast_convert", both, narrow));
  }

  bool add(Words& w, Operation* op) {
    const Pair a = pair(op->getOperand(0));
    const Pair b = pair(op->getOperand(1));
    const Value low = w.on("add", {a.low, b.low});
    const Value carry = w.convert(w.compare("LT", low, a.low), w.word());
    return set(op, low, w.on("add", {w.on("add", {a.high, b.high}), carry}));
  }

  bool subtract(Words& w, Operation* op) {
    const Pair a = pair(op->getOperand(0));
    const Pair b = pair(op->getOperand(1));
    const Value borrow = w.convert(w.compare("LT", a.low, b.low), w.word());
    return set(op, w.on("subtract", {a.low, b.low}),
               w.on("subtract", {w.on("subtract", {a.high, b.high}), borrow}));
  }

  bool multiply(Words& w, Operation* op) {
    const Pair a = pair(op->getOperand(0));
    const Pair b = pair(op->getOperand(1));
    const Value across =
        w.on("add", {w.on("multiply", {a.low, b.high}), w.on("multiply", {a.high, b.low})});
    return set(op, w.on("multiply", {a.low, b.low}),
               w.on("add", {w.upper_product(a.low, b.low), across}));
  }

  // Whether one pair is less than the other; if the upper words are equal, the lower ones decide.
  static Value ordered(Words& w, llvm::StringRef strict, llvm::StringRef direction, const Pair& a,
                       const Pair& b) {
    const Value tie = w.compare("EQ", a.high, b.high);
    const Value low = w.compare(direction, a.low, b.low);
    return w.on("or", {w.compare(strict, a.high, b.high), w.on("and", {tie, low})});
  }

  bool compare(Words& w, Operation* op) {
    const auto direction = op->getAttrOfType<mlir::StringAttr>("comparison_direction");
    const Pair a = pair(op->getOperand(0));
    const Pair b = pair(op->getOperand(1));
    if (!direction) return false;
    const llvm::StringRef name = direction.getValue();
    if (name == "EQ" || name == "NE") {
      return replace(op, w.on(name == "EQ" ? "and" : "or",
                              {w.compare(name, a.low, b.low), w.compare(name, a.high, b.high)}));
    }
    const llvm::StringRef strict = name.starts_with("L") ? "LT" : "GT";
    return replace(op, ordered(w, strict, name, a, b));
  }

  bool extreme(Words& w, Operation* op) {
    const Pair a = pair(op->getOperand(0));
    const Pair b = pair(op->getOperand(1));
    const bool largest = op->getName().getStringRef().ends_with("maximum");
    const llvm::StringRef direction = largest ? "GT" : "LT";
    const Value first = ordered(w, direction, direction, a, b);
    return set(op, w.choose(first, a.low, b.low), w.choose(first, a.high, b.high));
  }

  // Shifts by 32 and more give zero, by StableHLO's rule, and so do negative distances.
  bool shift(Words& w, Operation* op) {
    const Pair x = pair(op->getOperand(0));
    const Pair amount = pair(op->getOperand(1));
    const Value zero = w.all(x.low.getType(), 0);
    const Value width = w.all(x.low.getType(), 32);
    const Value far = w.compare("NE", amount.high, zero);
    const Value n = w.choose(far, w.all(x.low.getType(), 64), amount.low);
    const bool left = op->getName().getStringRef().ends_with("left");
    const llvm::StringRef along = left ? "shift_left" : "shift_right_logical";
    const llvm::StringRef against = left ? "shift_right_logical" : "shift_left";
    const Value giving = left ? x.low : x.high;
    const Value taking = left ? x.high : x.low;
    const Value rest = w.on(against, {giving, w.on("subtract", {width, n})});
    const Value whole = w.on(along, {giving, w.on("subtract", {n, width})});
    const Value moved = w.on("or", {w.on("or", {w.on(along, {taking, n}), rest}), whole});
    const Value kept = w.on(along, {giving, n});
    return left ? set(op, kept, moved) : set(op, moved, kept);
  }

  // The state as four words: key and counter, lower words first.
  bool random(Words& w, Operation* op) {
    const auto state = mlir::cast<RankedTensorType>(op->getOperand(0).getType());
    if (state.getShape() != llvm::ArrayRef<std::int64_t>{2} || is_wide(op->getResult(1).getType()))
      return false;
    const Pair both = pair(op->getOperand(0));
    const auto scalar = RankedTensorType::get({}, w.word());
    llvm::SmallVector<Value> words;
    for (const std::int64_t at : {0, 1}) {
      words.push_back(w.reshape(w.part(both.low, at, at + 1), {}));
      words.push_back(w.reshape(w.part(both.high, at, at + 1), {}));
    }
    mlir::OperationState made(op->getLoc(), op->getName().getStringRef(), words,
                              {scalar, scalar, op->getResult(1).getType()}, op->getAttrs());
    Operation* next = w.builder().create(made);
    const auto joined = [&](Value first, Value second) {
      return w.concatenate({w.reshape(first, {1}), w.reshape(second, {1})}, 0);
    };
    op->getResult(1).replaceAllUsesWith(next->getResult(2));
    return set(op, joined(words[0], next->getResult(0)), joined(words[1], next->getResult(1)));
  }

  llvm::DenseMap<Value, Pair> pairs_;
};

struct SplitPairs : FunctionPass<SplitPairs, PassName::split_pairs> {
  void run() {
    llvm::SetVector<Operation*> wide;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](Operation* op) {
      const auto is_one = [](mlir::Type type) { return is_wide(type); };
      if (op->getName().getDialectNamespace() == "stablehlo" && op->getNumResults() > 0 &&
          op->getNumRegions() == 0 &&
          (llvm::any_of(op->getOperandTypes(), is_one) ||
           llvm::any_of(op->getResultTypes(), is_one))) {
        wide.insert(op);
      }
    });
    Splitter splitter;
    for (Operation* op : wide) {
      // Refused by the check that follows.
      if (reads_unsplit(op, wide) || is_read_unsplit(op, wide)) return;
    }
    for (Operation* op : wide) {
      if (mlir::failed(splitter.rewrite(op))) return signalPassFailure();
    }
    for (Operation* op : llvm::reverse(wide)) op->erase();
  }

 private:
  // Whether a wide result goes to an operation that is not split: the end, or an operation with
  // regions.
  static bool is_read_unsplit(Operation* op, const llvm::SetVector<Operation*>& wide) {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return is_wide(result.getType()) &&
             llvm::any_of(result.getUsers(), [&](Operation* user) { return !wide.contains(user); });
    });
  }
  // Whether a wide operand comes from outside: an argument, or an operation with regions.
  static bool reads_unsplit(Operation* op, const llvm::SetVector<Operation*>& wide) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return is_wide(operand.getType()) && !wide.contains(operand.getDefiningOp());
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_split_pairs_pass() { return std::make_unique<SplitPairs>(); }

}  // namespace tandem::compiler
