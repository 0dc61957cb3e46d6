// The loops over tiles, and their bodies.
#include "compiler/tiled/contraction/contraction.hpp"
#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::contraction {

using mlir::OpFoldResult;
using mlir::Value;

Offsets Contraction::moved(mlir::OpBuilder& builder, Offsets offsets, const Loop& loop,
                           OpFoldResult index) const {
  for (const Operand operand : {left, right, result}) {
    if (loop.strides[operand] == 0) continue;
    offsets[operand] =
        add(builder, loc_, offsets[operand], times(builder, loc_, index, loop.strides[operand]));
  }
  return offsets;
}

void Contraction::around(mlir::OpBuilder& builder, llvm::ArrayRef<Loop> loops, Offsets offsets,
                         llvm::function_ref<void(mlir::OpBuilder&, Offsets)> body) {
  if (loops.empty()) return body(builder, offsets);
  in_steps(
      builder, loc_, loops.front().size, 1,
      [&](mlir::OpBuilder& nested, OpFoldResult index, std::int64_t) {
        around(nested, loops.drop_front(), moved(nested, offsets, loops.front(), index), body);
      },
      repeats_);
}

// One operation on VMEM: loops (row, column, half, chunk, depth in the chunk).
void Contraction::multiply_chunks(mlir::OpBuilder& builder, const Offsets& offsets,
                                  std::int64_t row_count, std::int64_t column_count,
                                  std::int64_t first, std::int64_t chunks, std::int64_t depth_count,
                                  bool overwrites) {
  if (chunks == 0 || depth_count == 0) return;
  const Value left_tile = left_view(builder, offsets, first, chunks, row_count, depth_count);
  const Value right_tile = right_view(builder, offsets, first, chunks, column_count, depth_count);
  mlir::AffineExpr row;
  mlir::AffineExpr column;
  mlir::AffineExpr half;
  mlir::AffineExpr chunk;
  mlir::AffineExpr deep;
  mlir::MLIRContext* context = builder.getContext();
  mlir::bindDims(context, row, column, half, chunk, deep);
  using mlir::utils::IteratorType;
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc_, mlir::ValueRange{left_tile, right_tile}, mlir::ValueRange{result_tile_},
      {mlir::AffineMap::get(5, 0, {half, chunk, row, deep}, context),
       mlir::AffineMap::get(5, 0, {half, chunk, deep, column}, context),
       mlir::AffineMap::get(5, 0, {row, column}, context)},
      {IteratorType::parallel, IteratorType::parallel, IteratorType::reduction,
       IteratorType::reduction, IteratorType::reduction},
      [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
        mlir::IRMapping map;
        map.map(kernel_.op.getBlock()->getArguments(), arguments);
        for (mlir::Operation& op : *kernel_.op.getBlock()) {
          mlir::Operation* clone = nested.clone(op, map);
          // Only the number of the half is used.
          if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(clone)) number.setDim(2);
        }
      });
  attribute::precision.copy(kernel_.op, generic);
  attribute::left.copy(kernel_.op, generic);
  attribute::right.copy(kernel_.op, generic);
  if (on_vectors_) attribute::vector.set(generic);
  if (right_by_columns_) attribute::by_columns.set(generic);
  if (overwrites) attribute::overwrites.set(generic);
  // Unrolled operations alternate between accumulators, so that they overlap: each has as many as
  // all of its tiles of columns need.
  const std::int64_t taken = accumulators_of(row_count) * ((column_count + lanes_ - 1) / lanes_);
  const std::int64_t turns = std::max<std::int64_t>(1, accumulators / taken);
  attribute::accumulator.set(generic,
                             unrolls_ || repeats_rows_ ? tile_number_++ % turns * taken : 0);
}

void Contraction::multiply(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                           std::int64_t column_count, std::int64_t depth_count) {
  const std::int64_t whole = depth_count / lanes_;
  const bool overwrites = single_step() && attribute::from_zero.is_on(kernel_.op);
  if (depth_in_one_piece()) {
    return multiply_chunks(builder, offsets, row_count, column_count, 0, 1, depth_count,
                           overwrites);
  }
  multiply_chunks(builder, offsets, row_count, column_count, 0, whole, lanes_, overwrites);
  multiply_chunks(builder, offsets, row_count, column_count, whole, 1, depth_count % lanes_,
                  overwrites && whole == 0);
}

void Contraction::depth(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t row_count,
                        std::int64_t column_count) {
  if (single_step()) {
    copy_right(builder, offsets, column_count, depth_.size);
    return multiply(builder, offsets, row_count, column_count, depth_.size);
  }
  around(builder, other_depth_, offsets, [&](mlir::OpBuilder& inner, const Offsets& at) {
    in_steps(inner, loc_, depth_.size, depth_step_,
             [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
               const Offsets here = moved(nested, at, depth_, start);
               const auto step = [&] {
                 copy_left(nested, here, row_count, count);
                 copy_right(nested, here, column_count, count);
                 multiply(nested, here, row_count, column_count, count);
               };
               if (count == depth_step_) return step();
               in_own_rooms(nested, {left, right}, step);
             });
  });
}

void Contraction::columns(mlir::OpBuilder& builder, const Offsets& offsets,
                          std::int64_t row_count) {
  if (single_step()) copy_left(builder, offsets, row_count, depth_.size);
  const std::int64_t rounded_columns = (columns_.size + lanes_ - 1) / lanes_ * lanes_;
  in_steps(
      builder, loc_, columns_.size, std::min(column_step_, rounded_columns),
      [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
        const Offsets at = moved(nested, offsets, columns_, start);
        const auto step = [&] { tile(nested, at, row_count, count); };
        if (count == column_step_) return step();
        in_own_rooms(
            nested,
            single_step() ? llvm::ArrayRef({right, result}) : llvm::ArrayRef({left, right, result}),
            step);
      },
      unrolls_);
}

// The result of some rows and columns.
void Contraction::tile(mlir::OpBuilder& builder, const Offsets& at, std::int64_t row_count,
                       std::int64_t count) {
  const std::int64_t stride = row_count == 1 ? lanes_ : rows_.strides[result];
  const Value far = outside(builder, result, at[result], {row_count, count},
                            {stride, in_place_[result] ? 1 : columns_.strides[result]});
  result_tile_ =
      in_place_[result] ? far : tile_of(builder, result, 0, {row_count, count}, {lanes_, 1});
  const bool adds = !attribute::from_zero.is_on(kernel_.op);
  if (adds && !in_place_[result]) mlir::memref::CopyOp::create(builder, loc_, far, result_tile_);
  if (!adds && !single_step()) clear(builder, row_count);
  depth(builder, at, row_count, count);
  if (!in_place_[result]) mlir::memref::CopyOp::create(builder, loc_, result_tile_, far);
}

void Contraction::block(mlir::OpBuilder& builder, const Offsets& offsets) {
  in_steps(
      builder, loc_, rows_.size, row_step_,
      [&](mlir::OpBuilder& nested, OpFoldResult start, std::int64_t count) {
        const auto step = [&] { columns(nested, moved(nested, offsets, rows_, start), count); };
        if (count == row_step_) return step();
        in_own_rooms(nested, {left, right, result}, step);
      },
      repeats_rows_);
}

void Contraction::run() {
  // In this order: each decision depends on those before it and is made once.
  classify();
  find_operands();
  choose_rows_and_depth();
  find_result();
  choose_unit();
  choose_columns();
  mlir::OpBuilder builder(kernel_.op);
  for (const Operand operand : {left, right, result}) rooms_[operand] = room_of(builder, operand);
  left_rooms_ = {rooms_[left], in_lanes_ ? room_of(builder, left) : rooms_[left]};
  const Offsets start{builder.getIndexAttr(kernel_.operands[left].offset),
                      builder.getIndexAttr(kernel_.operands[right].offset),
                      builder.getIndexAttr(kernel_.operands[result].offset)};
  around(builder, outer_, start, [&](mlir::OpBuilder& nested, const Offsets& offsets) {
    rooms_[left] = left_rooms_[left_room_++ % left_rooms_.size()];
    block(nested, offsets);
  });
  kernel_.op->erase();
}

}  // namespace tandem::compiler::contraction

namespace tandem::compiler {
namespace {

// fp32, or bytes with sums of words.
bool has_types(const Kernel& kernel) {
  const auto element = [&](unsigned operand) {
    return mlir::cast<mlir::MemRefType>(kernel.operands[operand].buffer.getType()).getElementType();
  };
  if (element(2).isF32()) return true;
  return element(2).isInteger(32) && element(0).isInteger(8) && element(1).isInteger(8);
}

}  // namespace

bool is_for_contraction(const Kernel& kernel) {
  // Nothing to sum: the general path leaves the zeros.
  const bool is_empty = llvm::any_of(kernel.loops, [](const Loop& loop) { return loop.size == 0; });
  return attribute::precision.is_on(kernel.op) && kernel.operands.size() == 3 &&
         has_types(kernel) && !is_empty;
}

bool tile_contraction(Kernel& kernel, const Parameters& machine) {
  if (!is_for_contraction(kernel)) return false;
  contraction::Contraction(kernel, machine).run();
  return true;
}

}  // namespace tandem::compiler
