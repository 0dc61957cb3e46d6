// `extract` moves any word to a scalar register, once in 4 cycles. An index of a gather is clamped
// or compared with the bounds of a table anyway. So it is clamped in a vector, compared with the
// numbers of all elements of a vector, and the first position where they are equal is the scalar:
// `mffs` is ready after two cycles, and another one can follow in each. Two of them, for the number
// of a vector and the position in it, cover ranges of more than a vector's elements.
#include "compiler/tpu/bounded_scalar.hpp"

#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/register_copies.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using P = arith::CmpIPredicate;

// Ends of a range, where they are known.
struct Asked {
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
};

std::optional<std::int64_t> number(Value value) {
  llvm::APInt found;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&found))) return std::nullopt;
  return found.getSExtValue();
}

bool is_unsigned(P predicate) {
  return predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
}

Asked asked_of(Value value);

// For one use of a value.
Asked asked_by(mlir::OpOperand& use) {
  mlir::Operation* op = use.getOwner();
  if (mlir::isa<arith::IndexCastOp>(op)) return asked_of(op->getResult(0));
  if (!mlir::isa<arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp>(op)) return {};
  const auto other = number(op->getOperand(1 - use.getOperandNumber()));
  if (!other) return {};
  if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op)) {
    if (!is_unsigned(compare.getPredicate())) return {*other - 1, *other + 1};
    // A negative number is more than all others.
    return *other < 0 ? Asked{} : Asked{-1, *other + 1};
  }
  Asked result = asked_of(op->getResult(0));
  if (mlir::isa<arith::MaxSIOp>(op)) {
    result.low = other;
    if (result.high) result.high = std::max(*result.high, *other);
  } else {
    result.high = other;
    if (result.low) result.low = std::min(*result.low, *other);
  }
  return result;
}

// For all uses together.
Asked asked_of(Value value) {
  Asked all;
  for (auto [index, use] : llvm::enumerate(value.getUses())) {
    const Asked one = asked_by(use);
    if (index == 0) {
      all = one;
      continue;
    }
    all.low = all.low && one.low ? std::optional(std::min(*all.low, *one.low)) : std::nullopt;
    all.high = all.high && one.high ? std::optional(std::max(*all.high, *one.high)) : std::nullopt;
  }
  return all;
}

// Whether the operation returns its operand, if that is in the range.
bool is_clamp_around(mlir::Operation* op, Value value, const ScalarRange& range) {
  if (!mlir::isa<arith::MaxSIOp, arith::MinSIOp>(op)) return false;
  const auto other = number(op->getOperand(op->getOperand(0) == value ? 1 : 0));
  return other && (mlir::isa<arith::MaxSIOp>(op) ? *other <= range.low : *other >= range.high);
}

void drop_clamps_of(Value value, const ScalarRange& range) {
  for (mlir::Operation* user : llvm::make_early_inc_range(value.getUsers())) {
    if (mlir::isa<arith::IndexCastOp>(user)) {
      drop_clamps_of(user->getResult(0), range);
    } else if (is_clamp_around(user, value, range)) {
      drop_clamps_of(user->getResult(0), range);
      user->getResult(0).replaceAllUsesWith(value);
    }
  }
}

std::int64_t size_of(const ScalarRange& range) { return range.high - range.low + 1; }

class RangeLoad {
 public:
  RangeLoad(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes)
      : builder_(builder), loc_(loc), lanes_(lanes), vector_(sublanes * lanes) {}

  Value run(const Place& place, const ScalarRange& range) {
    Value word = load_word(builder_, loc_, place);
    word = make("vmax.s32", {word, constant(range.low)});
    word = make("vmin.s32", {word, constant(range.high)});
    if (range.low != 0) word = make("vsub.s32", {word, constant(range.low)});
    Value result = place_in_range(word, size_of(range));
    if (range.low == 0) return result;
    return arith::AddIOp::create(builder_, loc_, result, constant(range.low));
  }

 private:
  // For a word in sublane 0 that is less than the size.
  Value place_in_range(Value word, std::int64_t size) {
    if (size > lanes_)
      word = machine(builder_, loc_, "vbcast.sub", word, number_attribute(builder_, "n", 0));
    if (size <= vector_) return place_in_vector(word, size);
    const auto log = static_cast<std::int64_t>(llvm::Log2_64(static_cast<std::uint64_t>(vector_)));
    const Value number = make("vshr", {word, constant(log)});
    const Value rest = make("vand", {word, constant(vector_ - 1)});
    const Value start =
        arith::ShLIOp::create(builder_, loc_, place_in_vector(number, vector_), constant(log));
    return arith::AddIOp::create(builder_, loc_, start, place_in_vector(rest, vector_));
  }

  Value place_in_vector(Value word, std::int64_t size) {
    Value numbers = make("vlane");
    if (size > lanes_) {
      numbers = make("vadd.s32", {make("vmul.s32", {make("vsublane"), constant(lanes_)}), numbers});
    }
    return make("mffs", {make("veq.s32", {word, numbers})});
  }

  Value make(llvm::StringRef mnemonic, mlir::ValueRange operands = {}) {
    return machine(builder_, loc_, mnemonic, operands);
  }
  Value constant(std::int64_t value) {
    return arith::ConstantIndexOp::create(builder_, loc_, value);
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  std::int64_t lanes_;
  std::int64_t vector_;
};

}  // namespace

std::optional<ScalarRange> range_asked(mlir::memref::LoadOp load) {
  if (!mlir::isa<mlir::IntegerType>(load.getType()) || load.getType().isInteger(1)) {
    return std::nullopt;
  }
  const Asked asked = asked_of(load.getResult());
  if (!asked.low || !asked.high || *asked.low > *asked.high) return std::nullopt;
  return ScalarRange{*asked.low, *asked.high};
}

void drop_clamps(mlir::memref::LoadOp load, const ScalarRange& range) {
  drop_clamps_of(load.getResult(), range);
}

bool is_short_range(const ScalarRange& range, std::int64_t lanes) {
  const std::int64_t vector = sublanes * lanes;
  return size_of(range) <= vector * vector;
}

Value load_in_range(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes,
                    const Place& place, const ScalarRange& range) {
  return RangeLoad(builder, loc, lanes).run(place, range);
}

}  // namespace tandem::compiler
