// Operations on tiles in the row layout (tiled/rows.cpp): eight rows at a time, chunk after chunk
// of their columns.
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/select.hpp"
#include "compiler/tpu/tiles.hpp"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

struct Combiner {
  llvm::StringRef vector;  // of two vectors
  llvm::StringRef lanes;   // along the lanes
  std::int64_t identity = 0;
};

Combiner combiner_of(mlir::Operation* op) {
  constexpr std::int64_t infinity = 0x7f800000;
  return llvm::TypeSwitch<mlir::Operation*, Combiner>(op)
      .Case([](arith::AddFOp) {
        return Combiner{"vadd.f32", "lsum.f32", 0};
      })
      .Case([](arith::MaximumFOp) {
        return Combiner{"vmax.f32", "lmax.f32", 0xff800000};
      })
      .Case([](arith::MinimumFOp) {
        return Combiner{"vmin.f32", "lmin.f32", infinity};
      })
      .Case([](arith::AddIOp) {
        return Combiner{"vadd.s32", "lsum.s32", 0};
      })
      .Case([](arith::MaxSIOp) {
        return Combiner{"vmax.s32", "lmax.s32", 0x80000000};
      })
      .Default([](mlir::Operation*) {
        return Combiner{"vmin.s32", "lmin.s32", 0x7fffffff};
      });
}

class RowLowering {
 public:
  RowLowering(mlir::OpBuilder& builder, const Parameters& parameters, mlir::linalg::LinalgOp op)
      : builder_(builder), parameters_(parameters), op_(op), loc_(op.getLoc()) {}

  mlir::LogicalResult run(Memory& memory);

 private:
  enum class Kind : std::uint8_t { row, column, full };
  struct Operand {
    std::int64_t row = 0;
    std::int64_t pitch = 0;  // in rows of VMEM
    Kind kind = Kind::full;
    bool used = true;
  };

  mlir::LogicalResult find(Memory& memory);
  void group(Value first, std::int64_t count);
  void map_group(Value first, std::int64_t count);
  void sum_group(Value first, std::int64_t count);
  Value load(const Operand& operand, Value first, Value chunk, std::int64_t count, Value mask);
  llvm::SmallVector<Value> arguments(Value first, Value chunk, std::int64_t count, Value mask);
  // The results of the body, or of the summed operation's other operand.
  llvm::SmallVector<Value> body(llvm::ArrayRef<Value> given);
  void store_sums(Value first, std::int64_t count, Value sums);
  void chunks(llvm::function_ref<void(Value, Value)> visit);

  Value make(llvm::StringRef mnemonic, mlir::ValueRange operands = {},
             llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return machine(builder_, loc_, mnemonic, operands, attributes);
  }
  Value constant(std::int64_t value) {
    return arith::ConstantIndexOp::create(builder_, loc_, value);
  }
  Value plus(Value a, Value b) { return arith::AddIOp::create(builder_, loc_, a, b); }
  Value times(Value a, std::int64_t b) {
    return arith::MulIOp::create(builder_, loc_, a, constant(b));
  }
  mlir::NamedAttribute number(llvm::StringRef name, std::int64_t value) {
    return builder_.getNamedAttr(name, builder_.getI64IntegerAttr(value));
  }
  // A loop whose body builds at the builder of this object.
  void repeat(std::int64_t count, std::int64_t step, llvm::function_ref<void(Value)> visit);

  mlir::OpBuilder& builder_;
  const Parameters& parameters_;
  mlir::linalg::LinalgOp op_;
  mlir::Location loc_;
  llvm::SmallVector<Operand> operands_;
  unsigned inputs_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  bool sums_ = false;
  bool failed_ = false;
};

mlir::LogicalResult RowLowering::find(Memory& memory) {
  inputs_ = static_cast<unsigned>(op_.getNumDpsInputs());
  const auto ranges = op_.getStaticLoopRanges();
  rows_ = ranges[0];
  columns_ = ranges[1];
  sums_ = op_.getIteratorTypesArray()[1] == mlir::utils::IteratorType::reduction;
  for (mlir::OpOperand& use : op_->getOpOperands()) {
    const auto type = mlir::cast<mlir::MemRefType>(use.get().getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    const auto row = memory.row_of(use.get());
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
      return mlir::failure();
    }
    const mlir::AffineMap map = op_.getMatchingIndexingMap(&use);
    Operand operand{*row, 0, Kind::full, op_.payloadUsesValueFromOperand(&use)};
    if (map.getNumResults() == 2) operand.pitch = strides.front() / parameters_.lanes;
    if (map.getNumResults() == 1) {
      operand.kind = map.isFunctionOfDim(0) ? Kind::row : Kind::column;
    }
    operands_.push_back(operand);
  }
  return mlir::success();
}

void RowLowering::repeat(std::int64_t count, std::int64_t step,
                         llvm::function_ref<void(Value)> visit) {
  if (count <= 0) return;
  if (count == 1) return visit(constant(0));
  mlir::scf::ForOp::create(builder_, loc_, constant(0), constant(count * step), constant(step),
                           mlir::ValueRange{},
                           [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange) {
                             mlir::OpBuilder::InsertionGuard guard(builder_);
                             builder_.setInsertionPointToStart(index.getParentBlock());
                             visit(index);
                             mlir::scf::YieldOp::create(builder_, at);
                           });
}

// Eight values of the operand's rows, or fewer, for one chunk of columns.
Value RowLowering::load(const Operand& operand, Value first, Value chunk, std::int64_t count,
                        Value mask) {
  llvm::SmallVector<mlir::NamedAttribute> attributes{number("rows", count)};
  llvm::SmallVector<Value> registers;
  if (operand.kind == Kind::row) {
    registers.push_back(plus(first, constant(operand.row * parameters_.lanes)));
    attributes.push_back(number("address", 0));
    return make("vldc", registers, attributes);
  }
  if (operand.kind == Kind::full) {
    registers.push_back(plus(times(first, operand.pitch), chunk));
    attributes.push_back(number("stride", operand.pitch));
  } else {
    registers.push_back(chunk);
    attributes.push_back(number("stride", 0));
  }
  attributes.push_back(number("address", operand.row));
  if (mask) registers.push_back(mask);
  return make("vld", registers, attributes);
}

llvm::SmallVector<Value> RowLowering::arguments(Value first, Value chunk, std::int64_t count,
                                                Value mask) {
  llvm::SmallVector<Value> result;
  for (const auto [index, operand] : llvm::enumerate(operands_)) {
    const bool summed = sums_ && index >= inputs_;
    result.push_back(operand.used && !summed ? load(operand, first, chunk, count, mask) : Value());
  }
  return result;
}

llvm::SmallVector<Value> RowLowering::body(llvm::ArrayRef<Value> given) {
  Selector selector(builder_, loc_);
  mlir::Block* block = op_.getBlock();
  for (const auto [argument, value] : llvm::zip(block->getArguments(), given)) {
    if (!value) continue;
    selector.set(argument, argument.getType().isInteger(1) ? selector.as_mask(value) : value);
  }
  mlir::Operation* terminator = block->getTerminator();
  llvm::SmallVector<Value> results;
  if (sums_) {
    // All but the last operation, which adds to the sum.
    mlir::Operation* last = terminator->getOperand(0).getDefiningOp();
    const Value sum = block->getArguments().back();
    const Value other = last->getOperand(0) == sum ? last->getOperand(1) : last->getOperand(0);
    selector.set(sum, constant(0));
    failed_ = failed_ || mlir::failed(selector.run(*block, last));
    results.push_back(failed_ ? constant(0) : selector.get(other));
  } else {
    failed_ = failed_ || mlir::failed(selector.run(*block));
    if (failed_) return results;
    for (const Value yielded : terminator->getOperands()) {
      results.push_back(selector.as_vector(selector.get(yielded)));
    }
  }
  for (Value& result : results) {
    if (!mlir::isa<VectorType>(result.getType())) result = make("vmov", result);
  }
  return results;
}

// Calls visit(chunk, mask): chunks are rows of VMEM from the beginning of a row of the tile.
void RowLowering::chunks(llvm::function_ref<void(Value, Value)> visit) {
  const std::int64_t whole = columns_ / parameters_.lanes;
  repeat(whole, 1, [&](Value chunk) { visit(chunk, {}); });
  if (const std::int64_t rest = columns_ % parameters_.lanes; rest != 0) {
    visit(constant(whole), make("vlt.s32", {make("vlane"), constant(rest)}));
  }
}

void RowLowering::map_group(Value first, std::int64_t count) {
  chunks([&](Value chunk, Value mask) {
    const auto results = body(arguments(first, chunk, count, mask));
    for (const auto [operand, result] :
         llvm::zip(llvm::ArrayRef(operands_).drop_front(inputs_), results)) {
      llvm::SmallVector<mlir::NamedAttribute> attributes{number("address", operand.row),
                                                         number("rows", count)};
      Value row = chunk;
      if (operand.kind == Kind::full) {
        row = plus(times(first, operand.pitch), chunk);
        attributes.push_back(number("stride", operand.pitch));
      } else {
        attributes.back() = number("rows", 1);  // the same in every row: there is one
      }
      make("vst", {row, result}, attributes);
    }
  });
}

// Row r's sum, which stands in all its lanes, goes to word first + r: into lane first + r of the
// words' row, by way of a sum over the sublanes of the diagonal.
void RowLowering::store_sums(Value first, std::int64_t count, Value sums) {
  const std::int64_t lanes = parameters_.lanes;
  const Operand& output = operands_.back();
  const Value shift = arith::AndIOp::create(builder_, loc_, first, constant(lanes - 1));
  const Value row = arith::ShRUIOp::create(
      builder_, loc_, first, constant(llvm::Log2_64(static_cast<std::uint64_t>(lanes))));
  const Value lane = make("vsub.s32", {make("vlane"), shift});
  const Value diagonal = make("veq.s32", {lane, make("vsublane")});
  const Value words = make("ssum.s32", make("vsel", {diagonal, sums, constant(0)}));
  const Value begun = make("vle.s32", {constant(0), lane});
  const Value mask = make("mand", {begun, make("vlt.s32", {lane, constant(count)})});
  make("vst", {row, words, mask}, {number("address", output.row), number("rows", 1)});
}

void RowLowering::sum_group(Value first, std::int64_t count) {
  mlir::Operation* last = op_.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  const Combiner combiner = combiner_of(last);
  Value sums = make("vmov", constant(combiner.identity));
  const std::int64_t whole = columns_ / parameters_.lanes;
  const auto step = [&](Value before, Value chunk, Value mask) {
    const Value x = body(arguments(first, chunk, count, mask)).front();
    const Value after = make(combiner.vector, {before, x});
    return mask ? make("vsel", {mask, after, before}) : after;
  };
  if (whole == 1) sums = step(sums, constant(0), {});
  if (whole > 1) {
    auto loop = mlir::scf::ForOp::create(
        builder_, loc_, constant(0), constant(whole), constant(1), mlir::ValueRange{sums},
        [&](mlir::OpBuilder&, mlir::Location at, Value chunk, mlir::ValueRange carried) {
          mlir::OpBuilder::InsertionGuard guard(builder_);
          builder_.setInsertionPointToStart(chunk.getParentBlock());
          mlir::scf::YieldOp::create(builder_, at, step(carried.front(), chunk, {}));
        });
    sums = loop.getResult(0);
  }
  if (const std::int64_t rest = columns_ % parameters_.lanes; rest != 0) {
    sums = step(sums, constant(whole), make("vlt.s32", {make("vlane"), constant(rest)}));
  }
  const Value before = load(operands_.back(), first, {}, count, {});
  store_sums(first, count, make(combiner.vector, {before, make(combiner.lanes, sums)}));
}

void RowLowering::group(Value first, std::int64_t count) {
  if (sums_) {
    sum_group(first, count);
  } else {
    map_group(first, count);
  }
}

mlir::LogicalResult RowLowering::run(Memory& memory) {
  if (mlir::failed(find(memory))) return mlir::failure();
  const std::int64_t whole = rows_ / sublanes;
  repeat(whole, sublanes, [&](Value first) { group(first, sublanes); });
  if (rows_ % sublanes != 0) group(constant(whole * sublanes), rows_ % sublanes);
  return mlir::failure(failed_);
}

}  // namespace

mlir::LogicalResult lower_rows(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op) {
  return RowLowering(builder, machine, op).run(memory);
}

}  // namespace tandem::compiler
