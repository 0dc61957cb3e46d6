// Each round takes the largest word of every row, and its first position; that position is left out
// of the next rounds. So k rounds read a row k times, where a network sorts it: cheap for a small
// k, as rows stay in place and nothing is transposed.
//
// Words are keys with the order of integers, inverted where the least comes first. The least word
// of all replaces a taken element; it may be an element, too, so a taken element also loses its
// position.
#include "compiler/tensor/sorting/in_rounds.hpp"

#include <limits>

#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/words.hpp"
#include "compiler/tensor/sorting/columns.hpp"
#include "compiler/tensor/sorting/keys.hpp"
#include "compiler/tensor/tables/rows.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "isa/timing.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
using Iterator = mlir::utils::IteratorType;
using P = arith::CmpIPredicate;
using mlir::Value;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();

// Cycles of a round for eight rows, and for each of their chunks: two results of the cross-lane
// unit depend on each other.
constexpr std::int64_t of_round = 12 + 2 * (timing::row_unit_result + 1);
constexpr std::int64_t of_chunk = 8;
// Cycles of a network that keeps the first few elements, of one that merges columns, and for each
// of its vectors.
constexpr std::int64_t of_network = 300;
constexpr std::int64_t of_columns = 1500;
constexpr std::int64_t of_vector = 58;

bool rounds_take_less(std::int64_t rows, std::int64_t elements, std::int64_t wanted,
                      const Parameters& machine) {
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  const auto up = [](std::int64_t value, std::int64_t by) { return (value + by - 1) / by; };
  const std::int64_t rounds =
      wanted * up(rows, sublanes) * (of_round + of_chunk * up(elements, lanes));
  const TableShape shape = dealt_to_columns(elements, rows, /*by_extremes=*/false, machine);
  const std::int64_t vectors =
      up(shape.table_rows(), sublanes) * up(shape.columns * shape.width, lanes);
  return rounds < (shape.columns == 1 ? of_network : of_columns) + of_vector * vectors;
}

class Rounds {
 public:
  Rounds(Lowering& lowering, mlir::Location loc, Value words)
      : builder_(lowering.builder), loc_(loc), words_(words), type_(tensor_type_of(words)) {}

  // The next round.
  void take() {
    const Value largest = along_rows(
        {words_}, least, /*takes_largest=*/true,
        [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange values) { return values.front(); });
    Values operands{words_, largest};
    if (places_) operands.push_back(places_);
    const Value place =
        along_rows(operands, greatest, /*takes_largest=*/false,
                   [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) -> Value {
                     const Value own = values.size() > 2 ? values[2] : column(b, at);
                     const Value is_it = arith::CmpIOp::create(b, at, P::eq, values[0], values[1]);
                     return arith::SelectOp::create(b, at, is_it, own, word(b, at, greatest));
                   });
    largest_.push_back(largest);
    taken_.push_back(place);
  }

  // Excludes the element taken in the last round from the next.
  void leave_out() {
    const Value place = taken_.back();
    words_ = without(words_, place, least);
    places_ = without(places_, place, greatest);
  }

  // [.., wanted] of one word per row from each round, which the body converts to elements.
  Value gathered(const Values& rounds, mlir::Type element, Body body) const {
    llvm::SmallVector<std::int64_t> shape(type_.getShape());
    shape.back() = static_cast<std::int64_t>(rounds.size());
    const auto type = mlir::RankedTensorType::get(shape, element);
    const llvm::SmallVector<mlir::AffineMap> maps(rounds.size(), of_row());
    return parallel_generic(builder_, loc_, type, rounds, maps,
                            [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) {
                              const Value round = column(b, at);
                              Value result = values.front();
                              for (std::size_t i = 1; i < values.size(); ++i) {
                                const Value is_it = arith::CmpIOp::create(
                                    b, at, P::eq, round, word(b, at, static_cast<std::int32_t>(i)));
                                result = arith::SelectOp::create(b, at, is_it, values[i], result);
                              }
                              return body(b, at, result);
                            });
  }

  [[nodiscard]] const Values& largest() const { return largest_; }
  [[nodiscard]] const Values& taken() const { return taken_; }

 private:
  static Value word(mlir::OpBuilder& builder, mlir::Location loc, std::int32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }

  [[nodiscard]] unsigned rank() const { return static_cast<unsigned>(type_.getRank()); }

  Value column(mlir::OpBuilder& builder, mlir::Location loc) const {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      linalg::IndexOp::create(builder, loc, rank() - 1));
  }

  [[nodiscard]] mlir::AffineMap of_row() const {
    return builder_.getMultiDimIdentityMap(rank()).getMajorSubMap(rank() - 1);
  }

  [[nodiscard]] mlir::AffineMap map_of(Value operand) const {
    return tensor_type_of(operand).getRank() == type_.getRank()
               ? builder_.getMultiDimIdentityMap(rank())
               : of_row();
  }

  // The largest or least of the body's values for each row's elements.
  Value along_rows(mlir::ValueRange operands, std::int32_t from, bool takes_largest, Body body) {
    const auto type =
        mlir::RankedTensorType::get(type_.getShape().drop_back(), builder_.getI32Type());
    const Value start = filled_tensor(builder_, loc_, type, word(builder_, loc_, from));
    llvm::SmallVector<mlir::AffineMap> maps;
    for (const Value operand : operands) maps.push_back(map_of(operand));
    maps.push_back(of_row());
    llvm::SmallVector<Iterator> loops(rank(), Iterator::parallel);
    loops.back() = Iterator::reduction;
    const auto reduced = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) {
      const Value own = body(b, at, values.drop_back());
      const Value result = takes_largest ? Value(arith::MaxSIOp::create(b, at, own, values.back()))
                                         : Value(arith::MinSIOp::create(b, at, own, values.back()));
      linalg::YieldOp::create(b, at, result);
    };
    return linalg::GenericOp::create(builder_, loc_, mlir::TypeRange{type}, operands,
                                     mlir::ValueRange{start}, maps, loops, reduced)
        .getResult(0);
  }

  // The former value, or its column where there is none yet; at the taken position another one.
  Value without(Value before, Value place, std::int32_t instead) {
    const bool is_first = !before;
    Values operands{place};
    if (!is_first) operands.push_back(before);
    llvm::SmallVector<mlir::AffineMap> maps;
    for (const Value operand : operands) maps.push_back(map_of(operand));
    return parallel_generic(
        builder_, loc_, type_, operands, maps,
        [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) -> Value {
          const Value here = column(b, at);
          const Value is_it = arith::CmpIOp::create(b, at, P::eq, here, values[0]);
          return arith::SelectOp::create(b, at, is_it, word(b, at, instead),
                                         is_first ? here : values[1]);
        });
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Value words_;   // [.., elements]
  Value places_;  // the columns; none before the second round
  mlir::RankedTensorType type_;
  Values largest_;  // for each round, [..]
  Values taken_;
};

// The conversion of keys to words of which the largest comes first.
struct WordsOfKeys {
  mlir::Type key;
  bool is_unsigned = false;
  std::int32_t mask = 0;  // bits that are inverted

  static WordsOfKeys of(P before, mlir::Type key) {
    const bool rises = before == P::slt || before == P::ult;
    WordsOfKeys words{key, before == P::ult || before == P::ugt, rises ? -1 : 0};
    if (words.is_unsigned && key.isInteger(32)) words.mask ^= least;
    return words;
  }

  [[nodiscard]] Value masked(mlir::OpBuilder& builder, mlir::Location loc, Value word) const {
    if (mask == 0) return word;
    const Value bits = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(mask));
    return arith::XOrIOp::create(builder, loc, word, bits);
  }
  [[nodiscard]] Value word_of(mlir::OpBuilder& builder, mlir::Location loc, Value element) const {
    return masked(builder, loc, extended(builder, loc, element, is_unsigned));
  }
  [[nodiscard]] Value key_of(mlir::OpBuilder& builder, mlir::Location loc, Value word) const {
    const Value bits = masked(builder, loc, word);
    return key.isInteger(32) ? bits : Value(arith::TruncIOp::create(builder, loc, key, bits));
  }
};

// Whether each result that is read is the key or the index of the element.
bool rounds_tell(mlir::Operation* sort, const Comparator& comparator, std::size_t key,
                 unsigned dimension) {
  return llvm::all_of(sort->getResults(), [&](mlir::OpResult result) {
    const unsigned number = result.getResultNumber();
    return result.use_empty() || comparator.key_for(number) == key ||
           counts_elements(sort->getOperand(number), dimension);
  });
}

}  // namespace

std::optional<Values> first_in_rounds(Lowering& lowering, mlir::Operation* sort,
                                      Comparator& comparator, std::int64_t dimension,
                                      std::int64_t wanted) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = sort->getLoc();
  const mlir::RankedTensorType type = plain_tensor(sort->getOperand(0).getType());
  const auto simple = comparator.simple();
  const std::int64_t elements = type.getShape().back();
  const std::int64_t rows = type.getNumElements() / elements;
  if (dimension + 1 != type.getRank() || !simple || threshold::rounds(wanted) ||
      !rounds_tell(sort, comparator, simple->key, static_cast<unsigned>(dimension)) ||
      !rounds_take_less(rows, elements, wanted, lowering.machine)) {
    return std::nullopt;
  }
  const Values keys = key_tensors(lowering, loc, comparator, lowering.mapped(sort->getOperands()));
  const Value key = with_shape(builder, loc, keys[simple->key], {rows, elements});
  const auto order = WordsOfKeys::of(simple->before, tensor_type_of(key).getElementType());
  const auto words = mlir::RankedTensorType::get({rows, elements}, builder.getI32Type());
  Rounds rounds(
      lowering, loc,
      parallel_generic(builder, loc, words, key,
                       [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) {
                         return order.word_of(b, at, values.front());
                       }));
  for (std::int64_t round = 0; round < wanted; ++round) {
    if (round != 0) rounds.leave_out();
    rounds.take();
  }
  Values results;
  for (const mlir::OpResult result : sort->getResults()) {
    const unsigned number = result.getResultNumber();
    const mlir::RankedTensorType whole = plain_tensor(result.getType());
    if (result.use_empty()) {
      results.push_back(empty_tensor(builder, loc, whole));
      continue;
    }
    const bool is_key = comparator.key_for(number) == simple->key;
    const bool is_order = is_key && comparator.keys()[simple->key].is_order_of_bits;
    const Value first = rounds.gathered(
        is_key ? rounds.largest() : rounds.taken(), whole.getElementType(),
        [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange values) -> Value {
          if (!is_key) return values.front();
          const Value bits = order.key_of(b, at, values.front());
          return is_order ? real_of_order(b, at, bits, whole.getElementType()) : bits;
        });
    results.push_back(
        in_first_places(builder, loc, first, whole, static_cast<unsigned>(dimension)));
  }
  return results;
}

}  // namespace tandem::compiler
