#include "compiler/tpu/tiles.hpp"

#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/look_up.hpp"
#include "compiler/tpu/select.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

class TileLowering {
 public:
  TileLowering(mlir::OpBuilder& builder, Memory& memory, const Parameters& parameters,
               mlir::linalg::LinalgOp op)
      : builder_(builder), memory_(memory), parameters_(parameters), op_(op), loc_(op.getLoc()) {}

  mlir::LogicalResult run();

 private:
  // The valid part of a vector: whole rows, or an attribute and a mask for less.
  struct Extent {
    llvm::SmallVector<mlir::NamedAttribute> attributes;
    Value mask;
  };
  struct Operand {
    std::int64_t row = 0;
    Value moved;
    BufferId buffer = no_buffer;
    std::int64_t turn_rows = 0;  // rows from one reduction iteration to the next; 0: none
    bool used = true;
    bool per_turn = false;  // one word per iteration
    bool is_all = true;     // the memory contains only the operand
  };

  mlir::LogicalResult find_operands();
  void vectors();
  Extent partial(std::int64_t elements);
  void one_vector(Value row, const Extent& extent);
  void parallel(Value row, const Extent& extent);
  void reducing(Value row, const Extent& extent);
  Value load(const Operand& operand, Value row, const Extent& extent);
  Value load_turn(const Operand& operand, Value turn);
  Value load_turns(const Operand& operand, mlir::OpFoldResult number, Value mask);
  [[nodiscard]] std::optional<LookUp> find_look_up();
  void looking_up(const LookUp& found, Value row, const Extent& extent);
  void store(const Operand& operand, Value row, const Extent& extent, Value value,
             bool in_part = false);
  Value constant(std::int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder_, loc_, value);
  }
  Value at(const Operand& operand, Value row) {
    return operand.moved ? add(operand.moved, row) : row;
  }
  Value add(Value a, Value b) { return mlir::arith::AddIOp::create(builder_, loc_, a, b); }
  Selector selector_of(llvm::ArrayRef<Value> arguments, Value row, Value turn);
  Value vector_of(Selector& selector, Value value);
  Value make(llvm::StringRef mnemonic, mlir::ValueRange operands = {}) {
    return machine(builder_, loc_, mnemonic, operands);
  }
  // A result of the body as a vector; with a mask, the output stays as it is elsewhere.
  struct Result {
    Value vector;
    Value mask;
  };
  Result result_of(Selector& selector, unsigned output, Value yielded);
  // Selects the body with these values for its arguments; the results as vectors.
  llvm::SmallVector<Value> body(llvm::ArrayRef<Value> arguments, Value row, Value turn);

  mlir::OpBuilder& builder_;
  Memory& memory_;
  const Parameters& parameters_;
  mlir::linalg::LinalgOp op_;
  mlir::Location loc_;
  llvm::SmallVector<Operand> operands_;
  unsigned inputs_ = 0;
  std::int64_t width_ = 0;
  std::int64_t turns_ = 0;  // 0: no reduction
  bool failed_ = false;
};

mlir::LogicalResult TileLowering::find_operands() {
  inputs_ = static_cast<unsigned>(op_.getNumDpsInputs());
  const auto ranges = op_.getStaticLoopRanges();
  width_ = ranges.back();
  turns_ = ranges.size() == 2 ? ranges.front() : 0;
  for (mlir::OpOperand& use : op_->getOpOperands()) {
    const auto type = mlir::cast<mlir::MemRefType>(use.get().getType());
    const auto row = memory_.row_of(builder_, use.get());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
      return mlir::failure();
    }
    Operand operand{row->fixed, row->moved, row->buffer, 0, op_.payloadUsesValueFromOperand(&use)};
    if (type.getRank() == 2) operand.turn_rows = strides.front() / parameters_.lanes;
    const mlir::AffineMap map = op_.getMatchingIndexingMap(&use);
    operand.per_turn = turns_ > 0 && map.getNumResults() == 1 && map.isFunctionOfDim(0);
    const auto all = mlir::dyn_cast<mlir::MemRefType>(buffer_behind(use.get()).getType());
    operand.is_all = all && all.hasStaticShape() && all.getNumElements() <= width_;
    operands_.push_back(operand);
  }
  return mlir::success();
}

// The first `elements` of a vector: by rows, and by a mask where a row is not full.
TileLowering::Extent TileLowering::partial(std::int64_t elements) {
  const std::int64_t lanes = parameters_.lanes;
  Extent extent;
  const std::int64_t rows = (elements + lanes - 1) / lanes;
  extent.attributes.push_back(number_attribute(builder_, "rows", rows));
  if (elements % lanes == 0) return extent;
  const Value row_start =
      machine(builder_, loc_, "vmul.s32", {machine(builder_, loc_, "vsublane"), constant(lanes)});
  const Value number =
      machine(builder_, loc_, "vadd.s32", {row_start, machine(builder_, loc_, "vlane")});
  extent.mask = machine(builder_, loc_, "vlt.s32", {number, constant(elements)});
  return extent;
}

Value TileLowering::load(const Operand& operand, Value row, const Extent& extent) {
  VmemAddress from{{at(operand, row)}, extent.attributes, operand.buffer};
  from.attributes.push_back(number_attribute(builder_, "address", operand.row));
  if (extent.mask) from.registers.push_back(extent.mask);
  return load_at(builder_, loc_, "vld", from);
}

// One word in every element.
Value TileLowering::load_turn(const Operand& operand, Value turn) {
  const std::int64_t lanes = parameters_.lanes;
  Value word = turn;
  if (operand.moved) {
    word = add(word, mlir::arith::MulIOp::create(builder_, loc_, operand.moved, constant(lanes)));
  }
  VmemAddress from = vmem_address(builder_, loc_, operand.row * lanes, word, operand.buffer);
  from.attributes.push_back(number_attribute(builder_, "rows", 1));
  const Value first = load_at(builder_, loc_, "vldc", from);
  return machine(builder_, loc_, "vbcast.sub", first, number_attribute(builder_, "n", 0));
}

// A row of an operand that has one word per iteration, in every sublane: the words of L iterations,
// or those of the lanes in the mask.
Value TileLowering::load_turns(const Operand& operand, mlir::OpFoldResult number, Value mask) {
  mlir::OpFoldResult row = number;
  if (operand.moved) row = tandem::compiler::add(builder_, loc_, operand.moved, row);
  VmemAddress from = vmem_address(builder_, loc_, operand.row, row, operand.buffer);
  from.attributes.push_back(number_attribute(builder_, "stride", 0));
  if (mask) from.registers.push_back(mask);
  return load_at(builder_, loc_, "vld", from);
}

// A partial vector is stored as a whole one where the memory after it is unused, unless it is
// stored in part anyway.
void TileLowering::store(const Operand& operand, Value row, const Extent& extent, Value value,
                         bool in_part) {
  Selector selector(builder_, loc_);
  Value vector = selector.as_vector(value);
  if (!mlir::isa<VectorType>(vector.getType())) vector = machine(builder_, loc_, "vmov", vector);
  VmemAddress to{{at(operand, row), vector},
                 {number_attribute(builder_, "address", operand.row)},
                 operand.buffer};
  if (!operand.is_all || in_part) {
    to.attributes.append(extent.attributes.begin(), extent.attributes.end());
    if (extent.mask) to.registers.push_back(extent.mask);
  }
  store_at(builder_, loc_, to);
}

// The results of the body for these values of its arguments.
Selector TileLowering::selector_of(llvm::ArrayRef<Value> arguments, Value row, Value turn) {
  Selector selector(builder_, loc_);
  mlir::Block* block = op_.getBlock();
  for (const auto [argument, value] : llvm::zip(block->getArguments(), arguments)) {
    if (!value) continue;
    selector.set(argument, argument.getType().isInteger(1) ? selector.as_mask(value) : value);
  }
  if (!block->getOps<mlir::linalg::IndexOp>().empty()) {
    // Element r L + j of the vector at this row of the tile.
    const Value lane = selector.make("vlane", {});
    const Value start = selector.make("vadd.s32", {selector.make("vsublane", {}), row});
    selector.element_index = selector.make(
        "vadd.s32", {selector.make("vmul.s32", {start, constant(parameters_.lanes)}), lane});
    selector.turn_index = turn;
  }
  return selector;
}

// A vector of the value.
Value TileLowering::vector_of(Selector& selector, Value value) {
  const Value vector = selector.as_vector(selector.get(value));
  return mlir::isa<VectorType>(vector.getType()) ? vector : selector.make("vmov", vector);
}

llvm::SmallVector<Value> TileLowering::body(llvm::ArrayRef<Value> arguments, Value row,
                                            Value turn) {
  Selector selector = selector_of(arguments, row, turn);
  llvm::SmallVector<Value> results;
  if (mlir::failed(selector.run(*op_.getBlock()))) {
    failed_ = true;
    return results;
  }
  for (const Value yielded : op_.getBlock()->getTerminator()->getOperands()) {
    results.push_back(vector_of(selector, yielded));
  }
  return results;
}

// A choice, the same for all elements, between a new value and the old one becomes a choice of the
// stored value: the next load of it waits for less.
TileLowering::Result TileLowering::result_of(Selector& selector, unsigned output, Value yielded) {
  auto choice = yielded.getDefiningOp<mlir::arith::SelectOp>();
  const Value before = op_.getBlock()->getArgument(inputs_ + output);
  if (!choice || choice.getFalseValue() != before ||
      choice.getCondition().getParentBlock() == op_.getBlock()) {
    return {vector_of(selector, yielded), {}};
  }
  return {vector_of(selector, choice.getTrueValue()),
          selector.as_mask(selector.get(choice.getCondition()))};
}

void TileLowering::parallel(Value row, const Extent& extent) {
  llvm::SmallVector<Value> arguments;
  for (const Operand& operand : operands_) {
    arguments.push_back(operand.used ? load(operand, row, extent) : Value());
  }
  Selector selector = selector_of(arguments, row, {});
  failed_ = failed_ || mlir::failed(selector.run(*op_.getBlock()));
  if (failed_) return;
  llvm::SmallVector<Result> results;
  for (const auto [number, yielded] :
       llvm::enumerate(op_.getBlock()->getTerminator()->getOperands())) {
    results.push_back(result_of(selector, static_cast<unsigned>(number), yielded));
  }
  for (const auto [operand, result] :
       llvm::zip(llvm::ArrayRef(operands_).drop_front(inputs_), results)) {
    Extent changed = extent;
    if (result.mask && changed.mask) {
      changed.mask = make("mand", {changed.mask, result.mask});
    } else if (result.mask) {
      changed.mask = result.mask;
    }
    store(operand, row, changed, result.vector, static_cast<bool>(result.mask));
  }
}

// The accumulators stay in registers over all iterations.
void TileLowering::reducing(Value row, const Extent& extent) {
  const auto outputs = llvm::ArrayRef(operands_).drop_front(inputs_);
  llvm::SmallVector<Value> start;
  for (const Operand& operand : outputs) start.push_back(load(operand, row, extent));
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(turns_), constant(1), start,
      [&](mlir::OpBuilder&, mlir::Location at, Value turn, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(turn.getParentBlock());
        llvm::SmallVector<Value> arguments;
        for (const Operand& operand : llvm::ArrayRef(operands_).take_front(inputs_)) {
          if (!operand.used) {
            arguments.emplace_back();
            continue;
          }
          if (operand.per_turn) {
            arguments.push_back(load_turn(operand, turn));
            continue;
          }
          Value at_row = row;
          if (operand.turn_rows != 0) {
            const Value moved =
                mlir::arith::MulIOp::create(builder_, at, turn, constant(operand.turn_rows));
            at_row = add(row, moved);
          }
          arguments.push_back(load(operand, at_row, extent));
        }
        arguments.append(carried.begin(), carried.end());
        auto results = body(arguments, row, turn);
        if (failed_) results.assign(carried.begin(), carried.end());
        mlir::scf::YieldOp::create(builder_, at, results);
      });
  for (const auto [operand, result] : llvm::zip(outputs, loop.getResults())) {
    store(operand, row, extent, result);
  }
}

std::optional<LookUp> TileLowering::find_look_up() {
  if (turns_ == 0) return std::nullopt;
  return look_up_of(op_, [&](unsigned operand) {
    if (operands_[operand].per_turn) return OperandOfTurns::word;
    const bool stays = operand < inputs_ && operands_[operand].turn_rows == 0;
    return stays ? OperandOfTurns::same : OperandOfTurns::elements;
  });
}

// The lanes of a row of the table are permuted so that each element gets its word, if it is in that
// row at all: a row covers L iterations.
void TileLowering::looking_up(const LookUp& found, Value row, const Extent& extent) {
  const std::int64_t lanes = parameters_.lanes;
  const Operand& output = operands_.back();
  llvm::SmallVector<Value> arguments;
  for (const Operand& operand : llvm::ArrayRef(operands_).take_front(inputs_)) {
    const bool is_here = operand.used && !operand.per_turn && operand.turn_rows == 0;
    arguments.push_back(is_here ? load(operand, row, extent) : constant(0));
  }
  arguments.push_back(constant(0));
  Selector selector = selector_of(arguments, row, constant(0));
  failed_ = failed_ || mlir::failed(selector.run(*op_.getBlock(), found.test));
  if (failed_) return;
  const Value turn = vector_of(selector, found.wanted);
  Value number = make("vshr", {turn, constant(llvm::Log2_64(lanes))});
  const std::int64_t rest = turns_ % lanes;
  if (rest != 0) {  // nothing follows the last word
    const Value exists = make("vlt.u32", {turn, constant(turns_)});
    number = make("vsel", {exists, number, constant(-1)});
  }
  const auto after = [&](mlir::OpFoldResult at, Value mask, Value before) {
    const Value words = make("lperm", {load_turns(operands_[found.table], at, mask), turn});
    const Value here = mlir::getValueOrCreateConstantIndexOp(builder_, loc_, at);
    return make("vsel", {make("veq.s32", {number, here}), words, before});
  };
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(turns_ / lanes), constant(1),
      mlir::ValueRange{load(output, row, extent)},
      [&](mlir::OpBuilder&, mlir::Location at, Value counter, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(counter.getParentBlock());
        mlir::scf::YieldOp::create(builder_, at, after(counter, {}, carried.front()));
      });
  Value result = loop.getResult(0);
  if (rest != 0) {
    const Value mask = make("vlt.s32", {make("vlane"), constant(rest)});
    result = after(builder_.getIndexAttr(turns_ / lanes), mask, result);
  }
  store(output, row, extent, result);
}

void TileLowering::one_vector(Value row, const Extent& extent) {
  if (const auto found = find_look_up()) {
    looking_up(*found, row, extent);
  } else if (turns_ > 0) {
    reducing(row, extent);
  } else {
    parallel(row, extent);
  }
}

void TileLowering::vectors() {
  const std::int64_t size = parameters_.vector_words();
  const std::int64_t whole = width_ / size;
  if (whole == 1) one_vector(constant(0), {});
  if (whole > 1) {
    mlir::scf::ForOp::create(builder_, loc_, constant(0), constant(whole * sublanes),
                             constant(sublanes), mlir::ValueRange{},
                             [&](mlir::OpBuilder&, mlir::Location at, Value row, mlir::ValueRange) {
                               mlir::OpBuilder::InsertionGuard guard(builder_);
                               builder_.setInsertionPointToStart(row.getParentBlock());
                               one_vector(row, {});
                               mlir::scf::YieldOp::create(builder_, at);
                             });
  }
  if (width_ % size != 0) one_vector(constant(whole * sublanes), partial(width_ % size));
}

mlir::LogicalResult TileLowering::run() {
  if (mlir::failed(find_operands())) return mlir::failure();
  vectors();
  return mlir::failure(failed_);
}

}  // namespace

mlir::LogicalResult lower_tile(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op) {
  return TileLowering(builder, memory, machine, op).run();
}

}  // namespace tandem::compiler
