// A contraction of few rows on the vector units.
//
// Weights go through the matrix unit's push port at a quarter of the speed at which the two vector
// units multiply and add them, which pays only with many rows. Here a register holds eight elements
// of the depth by L columns of weights (a strip); the other operand is a load of one element of the
// left operand per sublane:
//
//   sums[row][strip] += right[k .. k + 7][strip] * left[row][k .. k + 7]
//
// Finally the sublanes of up to eight strips are summed together: each step halves the rest of a
// strip and merges two strips into one register, so that sublane i holds strip i.
//
// Two operations that read the parts of the same words are executed together, so that these are
// loaded once.
//
// Products of bf16 are exact in fp32. HIGH and HIGHEST multiply fp32 as it is.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/contraction/vector_products.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

constexpr std::int64_t most_strips = sublanes;  // that are added up together

// Eight elements of the depth: `number` eights after the loop's index.
struct Depth {
  OpFoldResult word;  // of the left operand
  OpFoldResult row;   // of the right one
  std::int64_t number = 0;
  std::int64_t half = 0;
  std::int64_t count = sublanes;
};

class VectorContraction : VectorProducts {
 public:
  using VectorProducts::VectorProducts;

  mlir::LogicalResult run(Memory& memory);

 private:
  void group(std::int64_t first, std::int64_t strips);
  void half(std::int64_t half, std::int64_t first, std::int64_t strips, Values& sums);
  void depth_loop(std::int64_t half, std::int64_t first, std::int64_t strips, Values& sums);
  void step(const Depth& at, std::int64_t first, std::int64_t strips, Values& sums);
  Source left_at(const Depth& at, std::int64_t row);
  Sources weights_at(const Depth& at, std::int64_t first, std::int64_t strips);
  Sources weights_of(const Sources& words, std::size_t op, std::int64_t half);
  Value add_sublanes(llvm::ArrayRef<Value> strips);
  Value fold(Value a, Value b, std::int64_t distance);
  void store(std::size_t op, Value sums, std::int64_t row, std::int64_t first, std::int64_t strips);

  Value scalar(OpFoldResult place) {
    return mlir::getValueOrCreateConstantIndexOp(builder_, loc_, place);
  }
  Value rotated(Value x, std::int64_t by) {
    return make("vrot.sub", x, number("n", (by + sublanes) % sublanes));
  }
  [[nodiscard]] llvm::StringRef part_of_words(std::size_t op, std::int64_t half) const {
    if (parts_[op] == "halves") return half == 0 ? "lo" : "hi";
    return parts_[op];
  }
  // Where the strip has fewer columns than there are lanes.
  Value strip_mask(std::int64_t strip) {
    const std::int64_t columns = columns_ - strip * machine_.lanes;
    if (columns >= machine_.lanes) return {};
    return make("vlt.s32", {make("vlane"), constant(columns)});
  }

  ContractionTile left_;
  ContractionTile right_;
  // Of each operation: its half, or its byte, of the weights' words, and its result.
  llvm::SmallVector<llvm::StringRef> parts_;
  llvm::SmallVector<std::optional<std::int64_t>> bytes_;
  llvm::SmallVector<ContractionTile> results_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t halves_ = 1;
  std::int64_t depth_ = 0;
};

// One element of the depth per sublane, the same in all lanes.
VectorProducts::Source VectorContraction::left_at(const Depth& at, std::int64_t row) {
  const std::int64_t lanes = machine_.lanes;
  const std::int64_t fixed =
      (left_.row.fixed + at.half * left_.half_rows + row * left_.pitch) * lanes +
      at.number * sublanes;
  OpFoldResult word = at.word;
  if (left_.row.moved)
    word = add(builder_, loc_, word, times(builder_, loc_, left_.row.moved, lanes));
  VmemAddress address = vmem_address(builder_, loc_, fixed, word, left_.row.buffer);
  address.attributes.push_back(number("rows", at.count));
  const Value x = load_at(builder_, loc_, "vldc", address);
  Source source = rounded({x}, left_).front();
  if (source.part.empty()) source.part = part(left_, at.half);
  return source;
}

VectorProducts::Sources VectorContraction::weights_at(const Depth& at, std::int64_t first,
                                                      std::int64_t strips) {
  Values result;
  for (std::int64_t strip = first; strip < first + strips; ++strip) {
    const std::int64_t fixed =
        right_.row.fixed + at.half * right_.half_rows + at.number * sublanes * right_.pitch + strip;
    OpFoldResult row = at.row;
    if (right_.row.moved) row = add(builder_, loc_, row, right_.row.moved);
    VmemAddress address = vmem_address(builder_, loc_, fixed, row, right_.row.buffer);
    address.attributes.push_back(number("rows", at.count));
    if (right_.pitch != 1 && at.count > 1) {
      address.attributes.push_back(number("stride", right_.pitch));
    }
    if (const Value mask = strip_mask(strip)) address.registers.push_back(mask);
    result.push_back(load_at(builder_, loc_, "vld", address));
  }
  return rounded(result, right_);
}

// The part of the weights' words that an operation uses.
VectorProducts::Sources VectorContraction::weights_of(const Sources& words, std::size_t op,
                                                      std::int64_t half) {
  Sources weights(words);
  for (Source& w : weights) {
    if (const auto byte = bytes_[op]) {
      w.vector = make("vext.f32.s8", w.vector, number("byte", *byte));
    } else if (w.part.empty()) {
      w.part = part_of_words(op, half);
    }
  }
  return weights;
}

// Sums of each operation, row and strip; those that are null have not begun.
void VectorContraction::step(const Depth& at, std::int64_t first, std::int64_t strips,
                             Values& sums) {
  Sources left;
  for (std::int64_t row = 0; row < rows_; ++row) left.push_back(left_at(at, row));
  const Sources words = weights_at(at, first, strips);
  auto* sum = sums.begin();
  for (std::size_t op = 0; op < ops_.size(); ++op) {
    const Sources weights = weights_of(words, op, at.half);
    for (const Source& x : left) {
      for (const Source& w : weights) {
        const Value product = multiplied(w, x);
        *sum = *sum ? make("vadd.f32", {*sum, product}) : product;
        ++sum;
      }
    }
  }
}

// Whole eights of the depth, several per iteration.
void VectorContraction::depth_loop(std::int64_t half, std::int64_t first, std::int64_t strips,
                                   Values& sums) {
  constexpr std::int64_t enough = 16;  // loads per iteration
  constexpr std::int64_t little = 48;  // loads for code without a loop
  const std::int64_t whole = depth_ / sublanes;
  const std::int64_t loads = strips + rows_;
  std::int64_t turn = 1;
  while (turn * loads < enough && whole % (2 * turn) == 0) turn *= 2;
  const OpFoldResult zero = builder_.getIndexAttr(0);
  if (whole * loads <= little || whole <= turn) {
    for (std::int64_t i = 0; i < whole; ++i) step({zero, zero, i, half}, first, strips, sums);
    return;
  }
  for (Value& sum : sums) {
    if (!sum) sum = make("vmov", constant(0));
  }
  Values start{constant(0)};
  start.append(sums.begin(), sums.end());
  const std::int64_t advance = turn * sublanes * right_.pitch;
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(whole / turn * advance), constant(advance), start,
      [&](mlir::OpBuilder&, mlir::Location at, Value row, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(row.getParentBlock());
        Values inner(carried.drop_front());
        for (std::int64_t i = 0; i < turn; ++i) {
          step({carried.front(), row, i, half}, first, strips, inner);
        }
        const Value word =
            mlir::arith::AddIOp::create(builder_, at, carried.front(), constant(turn * sublanes));
        inner.insert(inner.begin(), word);
        mlir::scf::YieldOp::create(builder_, at, inner);
      });
  sums.assign(loop.getResults().drop_front().begin(), loop.getResults().drop_front().end());
}

void VectorContraction::half(std::int64_t half, std::int64_t first, std::int64_t strips,
                             Values& sums) {
  // The remainder of the depth starts the sums.
  if (const std::int64_t rest = depth_ % sublanes; rest != 0) {
    const OpFoldResult zero = builder_.getIndexAttr(0);
    step({zero, zero, depth_ / sublanes, half, rest}, first, strips, sums);
  }
  depth_loop(half, first, strips, sums);
}

// Halves of sums: of a where bit `distance` of the sublane is not set, of b where it is. The halves
// of one sum are `distance` apart.
Value VectorContraction::fold(Value a, Value b, std::int64_t distance) {
  if (!b) return make("vadd.f32", {a, rotated(a, -distance)});
  const Value bit = make("vand", {make("vsublane"), constant(distance)});
  const Value of_a = make("veq.s32", {bit, constant(0)});
  const Value own = make("vsel", {of_a, a, b});
  // At half of the sublanes both directions are the same.
  const Value others = 2 * distance == sublanes
                           ? rotated(make("vsel", {of_a, b, a}), distance)
                           : make("vsel", {of_a, rotated(a, -distance), rotated(b, distance)});
  return make("vadd.f32", {own, others});
}

// Sublane i of the result: the sum over the sublanes of strip i.
Value VectorContraction::add_sublanes(llvm::ArrayRef<Value> strips) {
  Values left(strips);
  left.resize(sublanes);
  for (std::int64_t distance = sublanes / 2; distance > 0; distance /= 2) {
    for (std::int64_t i = 0; i < distance; ++i) {
      const auto a = static_cast<std::size_t>(i);
      const auto b = static_cast<std::size_t>(i + distance);
      if (left[a]) left[a] = fold(left[a], left[b], distance);
    }
  }
  return left.front();
}

void VectorContraction::store(std::size_t op, Value sums, std::int64_t row, std::int64_t first,
                              std::int64_t strips) {
  const ContractionTile& result = results_[op];
  OpFoldResult moved = builder_.getIndexAttr(0);
  if (result.row.moved) moved = result.row.moved;
  VmemAddress place = vmem_address(builder_, loc_, result.row.fixed + row * result.pitch + first,
                                   moved, result.row.buffer);
  place.attributes.push_back(number("rows", strips));
  Value mask;
  const std::int64_t columns = columns_ - first * machine_.lanes;
  if (columns < strips * machine_.lanes) {
    const Value start = make("vmul.s32", {make("vsublane"), constant(machine_.lanes)});
    mask = make("vlt.s32", {make("vadd.s32", {start, make("vlane")}), constant(columns)});
  }
  store_sums(ops_[op], place, mask, sums);
}

void VectorContraction::group(std::int64_t first, std::int64_t strips) {
  const auto rows = static_cast<std::size_t>(rows_);
  const auto width = static_cast<std::size_t>(strips);
  Values sums(ops_.size() * rows * width);
  for (std::int64_t i = 0; i < halves_; ++i) half(i, first, strips, sums);
  for (std::size_t i = 0; i < ops_.size() * rows; ++i) {
    const auto own = llvm::ArrayRef(sums).slice(i * width, width);
    store(i / rows, add_sublanes(own), static_cast<std::int64_t>(i % rows), first, strips);
  }
}

mlir::LogicalResult VectorContraction::run(Memory& memory) {
  for (const mlir::linalg::LinalgOp op : ops_) {
    const auto tiles = contraction_tiles(builder_, memory, machine_, op);
    if (mlir::failed(tiles)) return mlir::failure();
    std::tie(left_, right_) = std::tie(tiles->left, tiles->right);
    std::tie(rows_, columns_) = std::tie(tiles->rows, tiles->columns);
    std::tie(halves_, depth_) = std::tie(tiles->halves, tiles->depth);
    parts_.push_back(tiles->right.part);
    bytes_.push_back(tiles->right.byte());
    results_.push_back(tiles->result);
  }
  const std::int64_t strips = (columns_ + machine_.lanes - 1) / machine_.lanes;
  for (std::int64_t first = 0; first < strips; first += most_strips) {
    group(first, std::min(most_strips, strips - first));
  }
  return mlir::success();
}

}  // namespace

mlir::LogicalResult lower_vector_contraction(mlir::OpBuilder& builder, Memory& memory,
                                             const Parameters& machine,
                                             llvm::ArrayRef<mlir::linalg::LinalgOp> ops) {
  if (attribute::by_columns.is_on(ops.front())) {
    return lower_turned_contraction(builder, memory, machine, ops);
  }
  return VectorContraction(builder, machine, ops).run(memory);
}

bool share_words(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other) {
  const auto has_half = [](mlir::linalg::LinalgOp op) {
    const auto part = attribute::right.get(op);
    return part && part.getValue() != "halves";
  };
  return attribute::vector.is_on(one) && attribute::vector.is_on(other) &&
         !attribute::by_columns.is_on(one) && has_half(one) && has_half(other) &&
         one->getOperand(0) == other->getOperand(0) && one->getOperand(1) == other->getOperand(1) &&
         one->getOperand(2) != other->getOperand(2) &&
         one.getStaticLoopRanges() == other.getStaticLoopRanges() &&
         attribute::precision.is_same(one, other) && attribute::left.is_same(one, other);
}

}  // namespace tandem::compiler
