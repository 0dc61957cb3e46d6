// bf16 tensors of the launch are read and written as the words they are packed in, where all
// operations along their rows can be done in halves (packed_classes.hpp). s8 tensors are also read
// so, in quarters.
//
//   a tensor of halves    two tensors: its even and its odd elements
//   elementwise           twice, for the even and for the odd elements
//   a sum                 half as long, of sums of two
//   a contraction         one for the even and one for the odd columns; its depth, where an operand
//                         has it in words, is a loop over words around one over the two halves
//                         (attribute `tandem.halves`), else two contractions after each other;
//                         where both have it in words, one is read as if it had them twice;
//                         its columns are interleaved where only the weights are words of them
//
// The contraction's attributes `tandem.left` and `tandem.right` select the part of an operand's
// words for the body: "lo", "hi", or "halves", the current half of the loop; or "b0" to "b3", s8
// converted to fp32.
//
// Unpacking in registers by lane permutations would cost 8 cycles per register on the cross-lane
// unit, and VMEM for twice the words. On buffers, the pass would have to find again which buffers
// share memory (decision 38).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/halves.hpp"
#include "compiler/tensor/packed_classes.hpp"
#include "compiler/tensor/row_moves.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/tensor/words_of_argument.hpp"
#include "compiler/views/packed_rows.hpp"
#include "compiler/views/repeated.hpp"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::AffineExpr;
using mlir::AffineMap;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::linalg::FillOp;
using mlir::linalg::GenericOp;
using mlir::tensor::EmptyOp;

// The parts of a tensor, two or four.
using Parts = llvm::SmallVector<Value, 4>;

// As in the contraction's attributes; -1: the current part of a loop.
llvm::StringRef part_name(int parts, int part) {
  constexpr std::array halves{"lo", "hi"};
  constexpr std::array quarters{"b0", "b1", "b2", "b3"};
  if (part < 0) return "halves";
  const auto number = static_cast<std::size_t>(part);
  return parts == 2 ? halves.at(number) : quarters.at(number);
}

class Keeper {
 public:
  explicit Keeper(mlir::func::FuncOp function) : function_(function), classes_(function) {}
  void run();
  [[nodiscard]] bool has_changed() const { return !old_.empty(); }

 private:
  // How an operation's loops are processed: which of them in parts, and the current part.
  struct Walk {
    llvm::SmallVector<AffineExpr> loops;  // the current form of each old loop
    llvm::SmallVector<int> half;          // of each loop that is in halves; -1: a loop of its own
    unsigned count = 0;                   // loops
  };
  // An operand at some point of the loops.
  struct Operand {
    Value value;
    AffineMap map;
    llvm::StringRef part;    // of its words, as in the attributes; "" for an operand as it was
    mlir::Type number = {};  // the type to which the part's s8 is converted; null: s8
  };

  void rewrite(mlir::Operation* op);
  void rewrite_elementwise(GenericOp op, unsigned loop);
  void rewrite_reduction(GenericOp op, unsigned loop);
  static void clone_body(mlir::OpBuilder& builder, GenericOp op, mlir::ValueRange arguments,
                         llvm::ArrayRef<Operand> operands, mlir::IRMapping& map,
                         mlir::Operation* without);
  llvm::SmallVector<Operand> operands_at(GenericOp op, unsigned loop, int half, bool outputs);
  void rewrite_contraction(GenericOp op);
  [[nodiscard]] bool has_loop_of_halves(GenericOp op, unsigned depth) const;
  void twice(Operand& operand, AffineExpr half);
  Value contraction(GenericOp op, const Walk& walk, Value start);
  static Value woven(GenericOp op, llvm::ArrayRef<Value> parts);
  void write(MaterializeInDestinationOp op);
  static void take_apart(mlir::OpBuilder& builder, Operand& operand, AffineExpr word,
                         AffineExpr half);
  Operand operand_at(GenericOp op, mlir::OpOperand& operand, const Walk& walk);
  Value words(Value tensor);
  Value part_at(mlir::OpBuilder& builder, Value tensor, int parts, int part) const;
  static Value taken(mlir::OpBuilder& builder, mlir::Location loc, Value word,
                     const Operand& operand);
  // The loop in halves along the operand's rows, or -1.
  int row_loop(GenericOp op, mlir::OpOperand& operand) const;
  Walk whole_walk(GenericOp op) const;

  mlir::func::FuncOp function_;
  PackedClasses classes_;
  llvm::DenseMap<Value, Parts> parts_;
  llvm::DenseMap<Value, Value> words_;  // by packed argument
  llvm::SmallVector<mlir::Operation*> old_;
};

int Keeper::row_loop(GenericOp op, mlir::OpOperand& operand) const {
  if (!mlir::isa<mlir::RankedTensorType>(operand.get().getType())) return -1;
  const AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() == 0) return -1;
  const auto last = mlir::dyn_cast<mlir::AffineDimExpr>(map.getResults().back());
  if (!last || !classes_.is_halved(op, last.getPosition())) return -1;
  return static_cast<int>(last.getPosition());
}

Keeper::Walk Keeper::whole_walk(GenericOp op) const {
  Walk walk;
  walk.count = op.getNumLoops();
  walk.half.assign(walk.count, 0);
  for (unsigned i = 0; i < walk.count; ++i) {
    walk.loops.push_back(mlir::getAffineDimExpr(i, op.getContext()));
  }
  return walk;
}

// The argument's memory as words.
Value Keeper::words(Value tensor) {
  const auto boundary = *packed_source(tensor);
  Value& words = words_[boundary.argument];
  if (words) return words;
  mlir::OpBuilder builder(&function_.getBody().front(), function_.getBody().front().begin());
  const int parts =
      mlir::cast<mlir::RankedTensorType>(tensor.getType()).getElementType().isBF16() ? 2 : 4;
  words = ToTensorOp::create(builder, tensor.getLoc(),
                             part_type(tensor.getType(), parts, builder.getI32Type()),
                             boundary.argument, /*restrict=*/true, /*writable=*/false);
  return words;
}

// A part of a tensor; a new one where the tensor was empty, or filled with one number.
Value Keeper::part_at(mlir::OpBuilder& builder, Value tensor, int parts, int part) const {
  const auto made = parts_.find(tensor);
  if (made != parts_.end()) return made->second[static_cast<std::size_t>(part)];
  const auto type = part_type(tensor.getType(), parts);
  const Value room =
      EmptyOp::create(builder, tensor.getLoc(), type.getShape(), type.getElementType());
  auto fill = tensor.getDefiningOp<FillOp>();
  if (!fill) return room;
  return FillOp::create(builder, tensor.getLoc(), fill.getInputs(), room).getResult(0);
}

// Columns of all parts interleaved: with halves, every other one is of the even part.
Value Keeper::woven(GenericOp op, llvm::ArrayRef<Value> parts) {
  if (parts.size() == 1) return parts.front();
  Parts even;
  Parts odd;
  for (const auto [number, part] : llvm::enumerate(parts)) {
    (number % 2 == 0 ? even : odd).push_back(part);
  }
  const Value evens = woven(op, even);
  const Value odds = woven(op, odd);
  mlir::OpBuilder builder(op);
  llvm::SmallVector<std::int64_t> shape(
      mlir::cast<mlir::RankedTensorType>(evens.getType()).getShape());
  shape.back() *= 2;
  const auto type = mlir::cast<mlir::RankedTensorType>(evens.getType()).getElementType();
  const Value room = EmptyOp::create(builder, op.getLoc(), shape, type);
  return weave_rows(builder, op.getLoc(), evens, odds, room).getResult(0);
}

// The part of a word that the operand is.
Value Keeper::taken(mlir::OpBuilder& builder, mlir::Location loc, Value word,
                    const Operand& operand) {
  if (!operand.part.starts_with("b")) {
    return half_of(builder, loc, word, operand.part == "lo" ? 0 : 1);
  }
  const Value byte = byte_of(builder, loc, word, operand.part.back() - '0');
  if (!operand.number) return byte;
  return arith::SIToFPOp::create(builder, loc, operand.number, byte);
}

Keeper::Operand Keeper::operand_at(GenericOp op, mlir::OpOperand& operand, const Walk& walk) {
  Operand result{operand.get(), op.getMatchingIndexingMap(&operand), ""};
  const int row = row_loop(op, operand);
  llvm::SmallVector<AffineExpr> index;
  for (const AffineExpr expression : result.map.getResults()) {
    index.push_back(expression.replaceDims(walk.loops));
  }
  if (row >= 0) {
    index.back() = mlir::getAffineDimExpr(static_cast<unsigned>(row), op.getContext());
    const int half = walk.half[static_cast<unsigned>(row)];
    const int parts = classes_.parts(op, static_cast<unsigned>(row));
    const Value bytes = widened_bytes(operand);
    const Value source = bytes ? bytes : operand.get();
    if (bytes) result.number = tensor_type_of(operand.get()).getElementType();
    if (packed_source(source)) {
      result.value = words(source);
      result.part = part_name(parts, half);
    } else {
      mlir::OpBuilder builder(op);
      result.value = part_at(builder, operand.get(), parts, half);
    }
  }
  result.map = AffineMap::get(walk.count, 0, index, op.getContext());
  return result;
}

// The body's operations on the operands at one half.
void Keeper::clone_body(mlir::OpBuilder& builder, GenericOp op, mlir::ValueRange arguments,
                        llvm::ArrayRef<Operand> operands, mlir::IRMapping& map,
                        mlir::Operation* without) {
  for (const auto [old, given, operand] :
       llvm::zip(op.getBody()->getArguments(), arguments, operands)) {
    map.map(old, operand.part.empty() ? given : taken(builder, op.getLoc(), given, operand));
  }
  for (mlir::Operation& inner : op.getBody()->without_terminator()) {
    if (&inner != without) builder.clone(inner, map);
  }
}

llvm::SmallVector<Keeper::Operand> Keeper::operands_at(GenericOp op, unsigned loop, int half,
                                                       bool outputs) {
  Walk walk = whole_walk(op);
  walk.half[loop] = half;
  walk.loops[loop] = walk.loops[loop] * classes_.parts(op, loop) + half;
  llvm::SmallVector<Operand> result;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    if (outputs || !op.isDpsInit(&operand)) result.push_back(operand_at(op, operand, walk));
  }
  return result;
}

// The operation once for each part.
void Keeper::rewrite_elementwise(GenericOp op, unsigned loop) {
  mlir::OpBuilder builder(op);
  for (int half = 0; half < classes_.parts(op, loop); ++half) {
    const auto operands = operands_at(op, loop, half, true);
    llvm::SmallVector<Value> values;
    llvm::SmallVector<AffineMap> maps;
    for (const Operand& operand : operands) {
      values.push_back(operand.value);
      maps.push_back(operand.map);
    }
    const auto inputs = static_cast<std::size_t>(op.getNumDpsInputs());
    const auto outputs = mlir::ValueRange(values).drop_front(inputs);
    auto made = GenericOp::create(
        builder, op.getLoc(), mlir::TypeRange(outputs), mlir::ValueRange(values).take_front(inputs),
        outputs, maps, op.getIteratorTypesArray(),
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
          mlir::IRMapping map;
          clone_body(nested, op, arguments, operands, map, nullptr);
          llvm::SmallVector<Value> results;
          for (const Value value : op.getBody()->getTerminator()->getOperands()) {
            results.push_back(map.lookupOrDefault(value));
          }
          mlir::linalg::YieldOp::create(nested, at, results);
        });
    for (const auto [old, result] : llvm::zip(op->getResults(), made->getResults())) {
      parts_[old].push_back(result);
    }
  }
}

// One sum, of sums of all parts.
void Keeper::rewrite_reduction(GenericOp op, unsigned loop) {
  mlir::OpBuilder builder(op);
  llvm::SmallVector<llvm::SmallVector<Operand>> operands;
  for (int part = 0; part < classes_.parts(op, loop); ++part) {
    operands.push_back(operands_at(op, loop, part, false));
  }
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<AffineMap> maps;
  for (const auto& half : operands) {
    for (const Operand& operand : half) {
      inputs.push_back(operand.value);
      maps.push_back(operand.map);
    }
  }
  maps.push_back(op.getMatchingIndexingMap(&op.getDpsInitsMutable()[0]));
  const Combination combination = combination_of(op);
  auto made = GenericOp::create(
      builder, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(), maps,
      op.getIteratorTypesArray(),
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
        const auto combine = [&](Value a, Value b) {
          mlir::IRMapping map;
          map.map(combination.last->getOperands(), mlir::ValueRange{a, b});
          return nested.clone(*combination.last, map)->getResult(0);
        };
        Value added;
        for (const auto [part, own] : llvm::enumerate(operands)) {
          const std::size_t count = own.size();
          mlir::IRMapping map;
          clone_body(nested, op, arguments.slice(part * count, count), own, map, combination.last);
          const Value next = map.lookupOrDefault(combination.added);
          added = part == 0 ? next : combine(added, next);
        }
        const Value sum = combine(arguments.back(), added);
        mlir::linalg::YieldOp::create(nested, at, sum);
      });
  op.getResult(0).replaceAllUsesWith(made.getResult(0));
}

// An operand with other rows for each half: its dimension split into pairs, so that a loop over the
// halves has an operand that determines its extent.
void Keeper::take_apart(mlir::OpBuilder& builder, Operand& operand, AffineExpr word,
                        AffineExpr half) {
  llvm::SmallVector<AffineExpr> index;
  llvm::SmallVector<std::int64_t> shape;
  llvm::SmallVector<mlir::ReassociationIndices> groups;
  const auto type = mlir::cast<mlir::RankedTensorType>(operand.value.getType());
  const auto add = [&](AffineExpr expression, std::int64_t size) {
    groups.back().push_back(static_cast<std::int64_t>(shape.size()));
    index.push_back(expression);
    shape.push_back(size);
  };
  for (const auto [expression, size] : llvm::zip(operand.map.getResults(), type.getShape())) {
    groups.emplace_back();
    const bool splits = expression == word * 2 + half;
    add(splits ? word : expression, splits ? size / 2 : size);
    if (splits) add(half, 2);
  }
  if (shape.size() == type.getShape().size()) return;
  operand.value = mlir::tensor::ExpandShapeOp::create(
      builder, operand.value.getLoc(), mlir::RankedTensorType::get(shape, type.getElementType()),
      operand.value, groups);
  operand.map = AffineMap::get(operand.map.getNumDims(), 0, index, builder.getContext());
}

// Words of an argument, once for each half: the loop over the halves needs an operand that
// determines its extent.
void Keeper::twice(Operand& operand, AffineExpr half) {
  auto read = operand.value.getDefiningOp<ToTensorOp>();
  const auto type = mlir::cast<mlir::RankedTensorType>(operand.value.getType());
  const auto last = static_cast<unsigned>(type.getRank() - 1);
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape.insert(shape.begin() + last, 2);
  mlir::OpBuilder builder(read);
  const auto words = mlir::MemRefType::get(type.getShape(), type.getElementType());
  const Value view = repeated_view(builder, read.getLoc(), read.getBuffer(), words, last, 2);
  operand.value = ToTensorOp::create(
      builder, read.getLoc(), mlir::RankedTensorType::get(shape, type.getElementType()), view,
      /*restrict=*/true, /*writable=*/false);
  llvm::SmallVector<AffineExpr> index(operand.map.getResults());
  index.insert(index.begin() + last, half);
  operand.map = AffineMap::get(operand.map.getNumDims(), 0, index, builder.getContext());
}

// One contraction of these that adds to `start`.
Value Keeper::contraction(GenericOp op, const Walk& walk, Value start) {
  mlir::OpBuilder builder(op);
  Operand left = operand_at(op, *op.getDpsInputOperand(0), walk);
  Operand right = operand_at(op, *op.getDpsInputOperand(1), walk);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (walk.half[loop] >= 0) continue;
    const AffineExpr word = mlir::getAffineDimExpr(loop, op.getContext());
    const AffineExpr half = mlir::getAffineDimExpr(walk.count - 1, op.getContext());
    take_apart(builder, left, word, half);
    take_apart(builder, right, word, half);
    if (left.map.isFunctionOfDim(walk.count - 1) || right.map.isFunctionOfDim(walk.count - 1)) {
      continue;
    }
    const auto size = [](const Operand& operand) {
      return mlir::cast<mlir::RankedTensorType>(operand.value.getType()).getNumElements();
    };
    twice(size(left) <= size(right) ? left : right, half);
  }
  const AffineMap result = operand_at(op, op.getDpsInitsMutable()[0], walk).map;
  auto iterators = op.getIteratorTypesArray();
  iterators.resize(walk.count, mlir::utils::IteratorType::reduction);
  const auto part = [&](mlir::OpBuilder& nested, mlir::Location at, Value given,
                        const Operand& operand) -> Value {
    if (operand.part.empty()) return given;
    if (operand.part != "halves") return taken(nested, at, given, operand);
    const Value number = mlir::linalg::IndexOp::create(nested, at, walk.count - 1);
    const Value zero = arith::ConstantIndexOp::create(nested, at, 0);
    const Value is_low = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, number, zero);
    const Value low = half_of(nested, at, given, 0);
    return arith::SelectOp::create(nested, at, is_low, low, half_of(nested, at, given, 1));
  };
  auto made = GenericOp::create(
      builder, op.getLoc(), start.getType(), mlir::ValueRange{left.value, right.value}, start,
      llvm::ArrayRef<AffineMap>{left.map, right.map, result}, iterators,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
        mlir::IRMapping map;
        const auto old = op.getBody()->getArguments();
        map.map(old[0], part(nested, at, arguments[0], left));
        map.map(old[1], part(nested, at, arguments[1], right));
        map.map(old[2], arguments[2]);
        for (mlir::Operation& inner : *op.getBody()) nested.clone(inner, map);
      });
  attribute::precision.copy(op, made);
  if (!left.part.empty()) attribute::left.set(made, left.part);
  if (!right.part.empty()) attribute::right.set(made, right.part);
  if (walk.count > op.getNumLoops()) {
    attribute::halves.set(made, walk.count - 1);
  }
  return made.getResult(0);
}

// Whether one operand has the depth in words, and the other one in rows or in words, too.
bool Keeper::has_loop_of_halves(GenericOp op, unsigned depth) const {
  unsigned words = 0;
  unsigned rows = 0;
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    const AffineExpr loop = mlir::getAffineDimExpr(depth, op.getContext());
    if (row_loop(op, *input) == static_cast<int>(depth)) {
      words += packed_source(input->get()).has_value() ? 1 : 0;
    } else {
      rows += llvm::is_contained(map.getResults(), loop) ? 1 : 0;
    }
  }
  return words > 0 && words + rows == 2;
}

void Keeper::rewrite_contraction(GenericOp op) {
  mlir::OpOperand& start = op.getDpsInitsMutable()[0];
  const int columns = row_loop(op, start);
  int depth = -1;
  for (const unsigned loop : classes_.halved_loops(op)) {
    if (static_cast<int>(loop) != columns) depth = static_cast<int>(loop);
  }
  const bool from_words = depth >= 0 && has_loop_of_halves(op, static_cast<unsigned>(depth));
  Parts results;
  const int column_parts = columns >= 0 ? classes_.parts(op, static_cast<unsigned>(columns)) : 1;
  for (int part = 0; part < column_parts; ++part) {
    Walk walk = whole_walk(op);
    const auto set = [&](int loop, int half, AffineExpr number) {
      walk.half[static_cast<unsigned>(loop)] = half;
      const int parts = classes_.parts(op, static_cast<unsigned>(loop));
      walk.loops[static_cast<unsigned>(loop)] =
          mlir::getAffineDimExpr(static_cast<unsigned>(loop), op.getContext()) * parts + number;
    };
    const auto constant = [&](int value) {
      return mlir::getAffineConstantExpr(value, op.getContext());
    };
    if (columns >= 0) set(columns, part, constant(part));
    mlir::OpBuilder builder(op);
    Value sum = columns >= 0 ? part_at(builder, start.get(), column_parts, part) : start.get();
    if (from_words) {
      set(depth, -1, mlir::getAffineDimExpr(walk.count++, op.getContext()));
      sum = contraction(op, walk, sum);
    } else {
      for (int half = 0; half < (depth >= 0 ? 2 : 1); ++half) {
        if (depth >= 0) set(depth, half, constant(half));
        sum = contraction(op, walk, sum);
      }
    }
    results.push_back(sum);
  }
  if (columns < 0) return op.getResult(0).replaceAllUsesWith(results[0]);
  if (classes_.is_woven(op)) return op.getResult(0).replaceAllUsesWith(woven(op, results));
  parts_[op.getResult(0)] = results;
}

// The finished tensor packs its halves into words.
void Keeper::write(MaterializeInDestinationOp op) {
  const auto boundary = *packed_target(op);
  const Parts halves = parts_.lookup(op.getSource());
  mlir::OpBuilder builder(op);
  const auto type = half_type(op.getSource().getType(), builder.getI32Type());
  const Value room = EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
  const auto rank = static_cast<unsigned>(type.getRank());
  const llvm::SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(rank));
  const llvm::SmallVector<mlir::utils::IteratorType> iterators(rank,
                                                               mlir::utils::IteratorType::parallel);
  const Value packed =
      GenericOp::create(builder, op.getLoc(), type, mlir::ValueRange{halves[0], halves[1]}, room,
                        maps, iterators,
                        [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
                          mlir::linalg::YieldOp::create(
                              nested, at, word_of(nested, at, elements[0], elements[1]));
                        })
          .getResult(0);
  boundary.copy->erase();
  const Value far = op.getDest();
  bind_as_words(function_, boundary.argument);
  MaterializeInDestinationOp::create(builder, op.getLoc(), mlir::Type(), packed, boundary.argument,
                                     /*restrict=*/true, /*writable=*/true);
  op->erase();
  far.getDefiningOp()->erase();
}

void Keeper::rewrite(mlir::Operation* op) {
  mlir::OpBuilder builder(op);
  if (auto fill = mlir::dyn_cast<FillOp>(op);
      fill && fill->getNumResults() == 1 && classes_.in_halves(fill.getResult(0))) {
    const int parts = classes_.parts(fill.getResult(0));
    Parts filled;
    for (int part = 0; part < parts; ++part) {
      const Value room = part_at(builder, fill.getOutputs().front(), parts, part);
      filled.push_back(FillOp::create(builder, op->getLoc(), fill.getInputs(), room).getResult(0));
    }
    parts_[fill.getResult(0)] = filled;
    old_.push_back(op);
  } else if (auto generic = mlir::dyn_cast<GenericOp>(op)) {
    const auto loops = classes_.halved_loops(generic);
    if (loops.empty()) return;
    if (attribute::precision.is_on(op)) {
      rewrite_contraction(generic);
    } else if (generic.getIteratorTypesArray()[loops.front()] ==
               mlir::utils::IteratorType::reduction) {
      rewrite_reduction(generic, loops.front());
    } else {
      rewrite_elementwise(generic, loops.front());
    }
    old_.push_back(op);
  }
}

void Keeper::run() {
  llvm::SmallVector<mlir::Operation*> all;
  function_.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) { all.push_back(op); });
  llvm::SmallVector<MaterializeInDestinationOp> writes;
  for (mlir::Operation* op : all) {
    auto result = mlir::dyn_cast<MaterializeInDestinationOp>(op);
    if (result && classes_.in_halves(result.getSource()) && packed_target(result)) {
      writes.push_back(result);
    }
  }
  for (mlir::Operation* op : all) rewrite(op);
  for (MaterializeInDestinationOp op : writes) write(op);
  for (mlir::Operation* op : llvm::reverse(old_)) op->erase();
  for (const auto& [argument, words] : words_) {
    bind_as_words(function_, mlir::cast<mlir::BlockArgument>(argument));
  }
}

struct KeepBf16Packed : FunctionPass<KeepBf16Packed, PassName::keep_bf16_packed> {
  void run() {
    compute_in_halves();
    // The rest goes by elements, even where it is only moved.
    move_rows_in_words(getOperation());
  }

 private:
  void compute_in_halves() {
    Keeper keeper(getOperation());
    keeper.run();
    if (!keeper.has_changed()) return;
    drop_unread(getOperation());
    mlir::OpPassManager fusion(mlir::func::FuncOp::getOperationName());
    fusion.addPass(make_fuse_pass());
    fusion.addPass(make_lower_affine_pass());
    if (mlir::failed(runPipeline(fusion, getOperation()))) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_keep_bf16_packed_pass() {
  return std::make_unique<KeepBf16Packed>();
}

}  // namespace tandem::compiler
