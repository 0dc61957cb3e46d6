// rng_bit_generator, with the same words as in XLA: Philox 4x32 (also what DEFAULT means) and
// Threefry 2x32, each of counters that follow the state. The state has been split into words
// before: key and counter, the lower word first.
#include "compiler/tensor/lowering/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

// Arithmetic on words, element by element.
class Word {
 public:
  Word(mlir::OpBuilder& builder, mlir::Location loc) : builder(builder), loc(loc) {}

  [[nodiscard]] Value number(std::uint32_t value) const {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(static_cast<std::int32_t>(value)));
  }
  [[nodiscard]] Value add(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  [[nodiscard]] Value exclusive(Value a, Value b) const { return make<arith::XOrIOp>(a, b); }
  [[nodiscard]] Value product(Value a, Value b) const { return make<arith::MulIOp>(a, b); }
  [[nodiscard]] Value lower(Value a) const { return make<arith::AndIOp>(a, number(0xffff)); }
  [[nodiscard]] Value upper(Value a) const { return make<arith::ShRUIOp>(a, number(16)); }
  // 1 where a sum has overflown: it is less than its operands.
  [[nodiscard]] Value carry(Value sum, Value part) const {
    const Value less = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, sum, part);
    return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), less);
  }
  [[nodiscard]] Value rotated(Value a, unsigned bits) const {
    return make<arith::OrIOp>(make<arith::ShLIOp>(a, number(bits)),
                              make<arith::ShRUIOp>(a, number(32 - bits)));
  }
  [[nodiscard]] Value upper_product(Value a, std::uint32_t b) const {
    const Value b_low = number(b & 0xffff);
    const Value b_high = number(b >> 16);
    const Value left = product(upper(a), b_low);
    const Value right = product(lower(a), b_high);
    const Value low = upper(product(lower(a), b_low));
    const Value middle = add(add(low, lower(left)), lower(right));
    const Value high = add(product(upper(a), b_high), upper(left));
    return add(add(high, upper(right)), upper(middle));
  }

  mlir::OpBuilder& builder;
  mlir::Location loc;

 private:
  template <typename Op>
  [[nodiscard]] Value make(Value a, Value b) const {
    return Op::create(builder, loc, a, b);
  }
};

using Key = std::array<Value, 2>;

llvm::SmallVector<Value> philox(const Word& w, Key key, std::array<Value, 4> x) {
  for (int round = 0; round < 10; ++round) {
    constexpr std::uint32_t first = 0xd2511f53;
    constexpr std::uint32_t second = 0xcd9e8d57;
    x = {w.exclusive(w.exclusive(w.upper_product(x[2], second), x[1]), key[0]),
         w.product(x[2], w.number(second)),
         w.exclusive(w.exclusive(w.upper_product(x[0], first), x[3]), key[1]),
         w.product(x[0], w.number(first))};
    key = {w.add(key[0], w.number(0x9e3779b9)), w.add(key[1], w.number(0xbb67ae85))};
  }
  return llvm::to_vector(x);
}

llvm::SmallVector<Value> threefry(const Word& w, const Key& key, std::array<Value, 2> x) {
  constexpr std::array<std::array<unsigned, 4>, 2> rotations{{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<Value, 3> keys{key[0], key[1],
                                  w.exclusive(w.exclusive(key[0], key[1]), w.number(0x1bd11bda))};
  x = {w.add(x[0], keys[0]), w.add(x[1], keys[1])};
  for (unsigned round = 0; round < 5; ++round) {
    for (const unsigned bits : rotations[round % 2]) {
      x[0] = w.add(x[0], x[1]);
      x[1] = w.exclusive(w.rotated(x[1], bits), x[0]);
    }
    x[0] = w.add(x[0], keys[(round + 1) % 3]);
    x[1] = w.add(w.add(x[1], keys[(round + 2) % 3]), w.number(round + 1));
  }
  return llvm::to_vector(x);
}

struct State {
  Key key;
  Value low;  // of the counter
  Value high;
};

// One block of random words for each counter from the state on, a list for each word of a block.
Values blocks(Lowering& lowering, mlir::Location loc, const State& state, std::int64_t count,
              bool is_philox) {
  mlir::OpBuilder& builder = lowering.builder;
  const auto type = mlir::RankedTensorType::get({count}, builder.getI32Type());
  const std::size_t width = is_philox ? 4 : 2;
  const Values rooms(width, empty_tensor(builder, loc, type));
  const llvm::SmallVector<mlir::AffineMap> maps(width, builder.getMultiDimIdentityMap(1));
  const auto body = [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) {
    const Word w(nested, at);
    const Value index = arith::IndexCastOp::create(nested, at, nested.getI32Type(),
                                                   mlir::linalg::IndexOp::create(nested, at, 0));
    const Value low = w.add(state.low, index);
    const Value carry = w.carry(low, index);
    const Value high = w.add(state.high, carry);
    if (!is_philox) {
      mlir::linalg::YieldOp::create(nested, at, threefry(w, state.key, {low, high}));
      return;
    }
    // The counter has 128 bits; the upper ones begin as the key.
    const Value second_carry = w.carry(high, carry);
    const Value third = w.add(state.key[0], second_carry);
    const Value fourth = w.add(state.key[1], w.carry(third, second_carry));
    mlir::linalg::YieldOp::create(nested, at, philox(w, state.key, {low, high, third, fourth}));
  };
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc, llvm::SmallVector<mlir::Type>(width, type), mlir::ValueRange{}, rooms, maps,
      {mlir::utils::IteratorType::parallel}, body);
  return Values(generic.getResults());
}

llvm::SmallVector<mlir::OpFoldResult> numbers(mlir::OpBuilder& builder,
                                              llvm::ArrayRef<std::int64_t> values) {
  return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
}

// A list in another shape of as many elements.
Value shaped_list(mlir::OpBuilder& builder, mlir::Location loc, Value list,
                  llvm::ArrayRef<std::int64_t> shape) {
  if (shape.size() == 1) return list;
  const auto element = mlir::cast<mlir::RankedTensorType>(list.getType()).getElementType();
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  if (shape.empty()) {
    return mlir::tensor::CollapseShapeOp::create(
        builder, loc, mlir::RankedTensorType::get({}, element), list, parts);
  }
  parts.emplace_back(
      llvm::to_vector(llvm::seq<std::int64_t>(0, static_cast<std::int64_t>(shape.size()))));
  return mlir::tensor::ExpandShapeOp::create(
      builder, loc, mlir::RankedTensorType::get(shape, element), list, parts);
}

// Interleaves parts along one dimension, and takes its first `size`.
Value interleaved(mlir::OpBuilder& builder, mlir::Location loc, const Values& parts,
                  std::size_t dimension, std::int64_t size) {
  const auto part = mlir::cast<mlir::RankedTensorType>(parts.front().getType());
  const auto count = static_cast<std::int64_t>(parts.size());
  List shape(part.getShape());
  shape[dimension] *= count;
  List steps(shape.size(), 1);
  steps[dimension] = count;
  Value all = empty_tensor(builder, loc, mlir::RankedTensorType::get(shape, part.getElementType()));
  for (std::int64_t i = 0; i < count; ++i) {
    List offsets(shape.size(), 0);
    offsets[dimension] = i;
    all = mlir::tensor::InsertSliceOp::create(
        builder, loc, parts[static_cast<std::size_t>(i)], all, numbers(builder, offsets),
        numbers(builder, part.getShape()), numbers(builder, steps));
  }
  if (shape[dimension] == size) return all;
  shape[dimension] = size;
  return mlir::tensor::ExtractSliceOp::create(
      builder, loc, all, numbers(builder, List(shape.size(), 0)), numbers(builder, shape),
      numbers(builder, List(shape.size(), 1)));
}

// Threefry's pairs are along the first dimension of even size, or else the largest.
std::size_t pair_dimension(llvm::ArrayRef<std::int64_t> shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] % 2 == 0) return i;
  }
  return std::max_element(shape.begin(), shape.end()) - shape.begin();
}

struct Bits {
  Value words;
  std::int64_t counters = 0;  // how far the counter has advanced
};

Bits philox_bits(Lowering& lowering, mlir::Location loc, const State& state,
                 llvm::ArrayRef<std::int64_t> shape, std::int64_t count) {
  const std::int64_t counters = (count + 3) / 4;
  const Values parts = blocks(lowering, loc, state, counters, true);
  const Value list = interleaved(lowering.builder, loc, parts, 0, count);
  return {shaped_list(lowering.builder, loc, list, shape), counters};
}

Bits threefry_bits(Lowering& lowering, mlir::Location loc, const State& state,
                   llvm::ArrayRef<std::int64_t> shape) {
  mlir::OpBuilder& builder = lowering.builder;
  List half(shape);
  if (half.empty()) half.push_back(1);
  const std::size_t dimension = pair_dimension(half);
  const std::int64_t size = half[dimension];
  half[dimension] = (size + 1) / 2;
  std::int64_t counters = 1;
  for (const std::int64_t extent : half) counters *= extent;
  Values parts = blocks(lowering, loc, state, counters, false);
  for (Value& part : parts) part = shaped_list(builder, loc, part, half);
  const Value words = interleaved(builder, loc, parts, dimension, size);
  return {shape.empty() ? shaped_list(builder, loc, words, shape) : words, counters};
}

// The counter after the last one used.
Values next_state(Lowering& lowering, mlir::Location loc, const State& state,
                  std::int64_t counters) {
  const auto scalar = mlir::RankedTensorType::get({}, lowering.builder.getI32Type());
  Values result;
  for (const bool upper : {false, true}) {
    result.push_back(parallel_generic(
        lowering.builder, loc, scalar, {}, {},
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) {
          const Word w(nested, at);
          const Value low = w.add(state.low, w.number(static_cast<std::uint32_t>(counters)));
          return upper ? w.add(state.high, w.carry(low, state.low)) : low;
        }));
  }
  return result;
}

Value narrowed_words(Lowering& lowering, mlir::Location loc, Value words,
                     mlir::RankedTensorType type) {
  return words.getType() == type ? words : narrowed(lowering, loc, words, type);
}

}  // namespace

mlir::FailureOr<Values> lower_rng_bit_generator(Lowering& lowering, mlir::Operation* op) {
  const mlir::Location loc = op->getLoc();
  if (op->getNumOperands() != 4 || op->getNumResults() != 3) {
    return op->emitError("unimplemented: stablehlo.rng_bit_generator with a state other than ")
           << "two words of 64 bits";
  }
  const Values words = lowering.mapped(op->getOperands());
  std::array<Value, 4> scalars;
  for (const auto [scalar, tensor] : llvm::zip(scalars, words)) {
    scalar = scalar_of(lowering.builder, loc, tensor);
  }
  const State state{{scalars[0], scalars[1]}, scalars[2], scalars[3]};
  const mlir::RankedTensorType type = plain_tensor(op->getResult(2).getType());
  if (!mlir::isa<mlir::IntegerType>(type.getElementType())) {
    return op->emitError("unimplemented: stablehlo.rng_bit_generator of ") << type;
  }
  Bits bits{empty_tensor(lowering.builder, loc, type), 0};
  if (type.getNumElements() != 0) {
    bits = text(op, "rng_algorithm") == "THREE_FRY"
               ? threefry_bits(lowering, loc, state, type.getShape())
               : philox_bits(lowering, loc, state, type.getShape(), type.getNumElements());
  }
  Values results = next_state(lowering, loc, state, bits.counters);
  results.push_back(narrowed_words(lowering, loc, bits.words, type));
  return results;
}

}  // namespace tandem::compiler
