// A contraction on tiles in VMEM as pushes, multiplies and reads of the matrix unit.
//
// fp32 enters the unit rounded to bf16. HIGH and HIGHEST split each operand into parts of bf16 that
// add up to it, and multiply those pairs of parts whose products matter: one set of weights for
// each part of the right operand.
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/expansions.hpp"
#include "compiler/tpu/tiles.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

// A part of the right operand, and how many parts of the left meet it.
struct Pass {
  int right = 0;
  int left_parts = 1;
};

llvm::SmallVector<Pass> passes_of(llvm::StringRef precision) {
  if (precision == "HIGHEST") return {{0, 3}, {1, 2}, {2, 1}};
  if (precision == "HIGH") return {{0, 2}, {1, 1}};
  return {{0, 1}};
}

class ContractionLowering {
 public:
  ContractionLowering(mlir::OpBuilder& builder, const Parameters& machine,
                      mlir::linalg::LinalgOp op)
      : builder_(builder), machine_(machine), op_(op), loc_(op.getLoc()) {}

  mlir::LogicalResult run(Memory& memory);

 private:
  struct Tile {
    std::int64_t row = 0;
    std::int64_t chunk_rows = 0;
    bool is_bytes = false;
  };

  void chunk(Value number, bool adds);
  void weights(Value first_row, int part);
  void multiply(Value first_row, int part, bool adds, bool swaps);
  void multiply_group(Value row, Value group, std::int64_t rows, int part, bool adds, bool swaps);
  void read_results();
  Value part_of(Value x, int part);
  Value lane_mask(std::int64_t count);
  Value load(Value row, std::int64_t address, std::int64_t rows, Value mask);
  Value constant(std::int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder_, loc_, value);
  }
  mlir::NamedAttribute number(llvm::StringRef name, std::int64_t value) {
    return builder_.getNamedAttr(name, builder_.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute flag(llvm::StringRef name) {
    return builder_.getNamedAttr(name, builder_.getUnitAttr());
  }
  mlir::NamedAttribute form() {
    return builder_.getNamedAttr("x", builder_.getStringAttr(is_bytes_ ? "b0" : "f32"));
  }
  // Calls the body for 0, step, ...; the first few are written out, the others are a loop.
  void repeat(std::int64_t from, std::int64_t to, llvm::function_ref<void(Value)> body);

  mlir::OpBuilder& builder_;
  const Parameters& machine_;
  mlir::linalg::LinalgOp op_;
  mlir::Location loc_;
  Tile left_;
  Tile right_;
  Tile result_;
  bool is_bytes_ = false;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t chunks_ = 0;
  std::int64_t depth_ = 0;
  llvm::SmallVector<Pass> passes_;
  Value column_mask_;
  Value depth_mask_;
};

Value ContractionLowering::lane_mask(std::int64_t count) {
  if (count == machine_.lanes) return {};
  return machine(builder_, loc_, "vlt.s32", {machine(builder_, loc_, "vlane"), constant(count)});
}

Value ContractionLowering::load(Value row, std::int64_t address, std::int64_t rows, Value mask) {
  llvm::SmallVector<Value> registers{row};
  if (mask) registers.push_back(mask);
  return machine(builder_, loc_, "vld", registers,
                 {number("address", address), number("rows", rows)});
}

// What is left after the parts before, rounded to bf16; beyond an infinity there is nothing.
Value ContractionLowering::part_of(Value x, int part) {
  if (passes_.size() == 1) return x;
  Selector s(builder_, loc_);
  for (int i = 0; i < part; ++i) {
    const Value taken = expand_bf16(s, x);
    const Value finite = s.make(
        "vlt.f32", {expand_absolute(s, taken), s.real(std::numeric_limits<float>::infinity())});
    x = s.choose(finite, s.make("vsub.f32", {x, taken}), s.real(0));
  }
  return x;
}

// Rows of weights beyond the depth are zero.
void ContractionLowering::weights(Value first_row, int part) {
  for (std::int64_t row = 0; row < machine_.lanes; row += sublanes) {
    const std::int64_t rows = std::min<std::int64_t>(sublanes, depth_ - row);
    const Value x = rows > 0 ? part_of(load(first_row, right_.row + row, rows, column_mask_), part)
                             : machine(builder_, loc_, "vmov", constant(0));
    machine(builder_, loc_, "mxpush", x, {flag("absolute"), number("row", row), form()});
  }
}

void ContractionLowering::multiply_group(Value row, Value group, std::int64_t rows, int part,
                                         bool adds, bool swaps) {
  const Value x = part_of(load(row, left_.row, rows, depth_mask_), part);
  llvm::SmallVector<mlir::NamedAttribute> attributes{number("acc", 0), form()};
  if (adds) attributes.push_back(flag("add"));
  if (swaps) attributes.push_back(flag("swap"));
  machine(builder_, loc_, is_bytes_ ? "mxmul.s8" : "mxmul.bf16", {group, x}, attributes);
}

void ContractionLowering::repeat(std::int64_t from, std::int64_t to,
                                 llvm::function_ref<void(Value)> body) {
  constexpr std::int64_t written_out = 2;
  if (to - from <= written_out) {
    for (std::int64_t i = from; i < to; ++i) body(constant(i));
    return;
  }
  mlir::scf::ForOp::create(builder_, loc_, constant(from), constant(to), constant(1),
                           mlir::ValueRange{},
                           [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange) {
                             mlir::OpBuilder::InsertionGuard guard(builder_);
                             builder_.setInsertionPointToStart(index.getParentBlock());
                             body(index);
                             mlir::scf::YieldOp::create(builder_, at);
                           });
}

// All rows with the weights that have been pushed. A group of fewer than eight rows is filled up
// with zeros by its load.
void ContractionLowering::multiply(Value first_row, int part, bool adds, bool swaps) {
  const std::int64_t whole = rows_ / sublanes;
  const auto group = [&](Value number_of, std::int64_t rows, bool first) {
    const Value moved = mlir::arith::MulIOp::create(builder_, loc_, number_of, constant(sublanes));
    const Value row = mlir::arith::AddIOp::create(builder_, loc_, first_row, moved);
    multiply_group(row, number_of, rows, part, adds, first);
  };
  if (whole > 0) group(constant(0), sublanes, swaps);
  repeat(1, whole, [&](Value index) { group(index, sublanes, false); });
  if (rows_ % sublanes != 0) group(constant(whole), rows_ % sublanes, swaps && whole == 0);
}

void ContractionLowering::chunk(Value number_of, bool adds) {
  const auto row_of = [&](const Tile& tile) -> Value {
    return mlir::arith::MulIOp::create(builder_, loc_, number_of, constant(tile.chunk_rows));
  };
  const Value left_row = row_of(left_);
  const Value right_row = row_of(right_);
  for (const Pass& pass : passes_) {
    weights(right_row, pass.right);
    for (int part = 0; part < pass.left_parts; ++part) {
      multiply(left_row, part, adds, part == 0);
      adds = true;
    }
  }
}

void ContractionLowering::read_results() {
  const std::int64_t groups = (rows_ + sublanes - 1) / sublanes;
  const bool overwrites = op_->hasAttr("tandem.overwrites");
  const auto read = [&](Value group, std::int64_t rows) {
    const Value row = mlir::arith::MulIOp::create(builder_, loc_, group, constant(sublanes));
    Value sum = machine(builder_, loc_, "mxread", group, number("acc", 0));
    if (!overwrites) {
      const Value old = load(row, result_.row, rows, column_mask_);
      sum = machine(builder_, loc_, is_bytes_ ? "vadd.s32" : "vadd.f32", {old, sum});
    }
    machine(builder_, loc_, "vst", {row, sum}, {number("address", result_.row)});
  };
  const std::int64_t whole = rows_ / sublanes;
  repeat(0, whole, [&](Value group) { read(group, sublanes); });
  if (whole != groups) read(constant(whole), rows_ % sublanes);
}

mlir::LogicalResult ContractionLowering::run(Memory& memory) {
  const auto tile = [&](unsigned operand, Tile& into) {
    const Value buffer = op_->getOperand(operand);
    const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    const auto row = memory.row_of(buffer);
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
      return mlir::failure();
    }
    into = {*row, strides.front() / machine_.lanes, type.getElementType().isInteger(8)};
    return mlir::success();
  };
  if (mlir::failed(tile(0, left_)) || mlir::failed(tile(1, right_)) ||
      mlir::failed(tile(2, result_))) {
    return mlir::failure();
  }
  const auto ranges = op_.getStaticLoopRanges();
  rows_ = ranges[0];
  columns_ = ranges[1];
  chunks_ = ranges[2];
  depth_ = ranges[3];
  is_bytes_ = left_.is_bytes;
  const auto is_bf16 = [&](unsigned operand) {
    return mlir::cast<mlir::MemRefType>(op_->getOperand(operand).getType())
        .getElementType()
        .isBF16();
  };
  const bool exact = is_bytes_ || (is_bf16(0) && is_bf16(1));
  const auto precision = op_->getAttrOfType<mlir::StringAttr>("tandem.precision").getValue();
  passes_ = passes_of(exact ? "DEFAULT" : precision);
  column_mask_ = lane_mask(columns_);
  depth_mask_ = lane_mask(depth_);
  chunk(constant(0), false);
  repeat(1, chunks_, [&](Value index) { chunk(index, true); });
  read_results();
  return mlir::success();
}

}  // namespace

mlir::LogicalResult lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                      const Parameters& machine, mlir::linalg::LinalgOp op) {
  return ContractionLowering(builder, machine, op).run(memory);
}

}  // namespace tandem::compiler
