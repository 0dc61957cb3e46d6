#include "compiler/tensor/lowering/windows.hpp"

#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/words.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;

// One component of the index vector in this iteration of the loops.
mlir::Value component(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value indices,
                      const Windows& windows, mlir::ValueRange loops, std::int64_t number,
                      bool unsigned_indices) {
  Values at(loops.begin(), loops.end());
  if (windows.vector < tensor_type_of(indices).getRank()) {
    at.insert(at.begin() + windows.vector, index_constant(builder, loc, number));
  }
  return as_index(builder, loc, tensor::ExtractOp::create(builder, loc, indices, at),
                  unsigned_indices);
}

List batch_sizes(mlir::RankedTensorType indices, std::int64_t vector) {
  List sizes(indices.getShape());
  if (vector < indices.getRank()) sizes.erase(sizes.begin() + vector);
  return sizes;
}

}  // namespace

Places places(mlir::OpBuilder& builder, llvm::ArrayRef<std::int64_t> values) {
  return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
}

mlir::Value as_index(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value number,
                     bool is_unsigned) {
  if (is_unsigned) {
    const mlir::Type word = builder.getI32Type();
    if (number.getType() != word) number = arith::ExtUIOp::create(builder, loc, word, number);
    const mlir::Value most =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0x7fffffff));
    number = arith::MinUIOp::create(builder, loc, number, most);
  }
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
}

mlir::Value nearest_place(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value index,
                          std::int64_t places, bool is_unsigned) {
  const auto number = [&](std::int64_t value) -> mlir::Value {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
  };
  const mlir::Value word = extended(builder, loc, index, is_unsigned);
  if (is_unsigned) return arith::MinUIOp::create(builder, loc, word, number(places - 1));
  const mlir::Value low = arith::MaxSIOp::create(builder, loc, word, number(0));
  return arith::MinSIOp::create(builder, loc, low, number(places - 1));
}

mlir::OpFoldResult clamped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value start,
                           std::int64_t extent, std::int64_t size) {
  if (extent == size) return builder.getIndexAttr(0);
  const mlir::Value low =
      arith::MaxSIOp::create(builder, loc, start, index_constant(builder, loc, 0));
  return arith::MinSIOp::create(builder, loc, low, index_constant(builder, loc, extent - size))
      .getResult();
}

bool has_no_sign(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

Values window_starts(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value indices,
                     const Windows& windows, mlir::ValueRange loops, bool unsigned_indices) {
  Values result(windows.window.size(), mlir::Value());
  for (const auto [number, dimension] : llvm::enumerate(windows.index_map)) {
    result[dimension] = component(builder, loc, indices, windows, loops,
                                  static_cast<std::int64_t>(number), unsigned_indices);
  }
  for (const auto [mine, theirs] : llvm::zip(windows.operand_batch, windows.indices_batch)) {
    result[mine] = loops[theirs < windows.vector ? theirs : theirs - 1];
  }
  for (mlir::Value& start : result) {
    if (!start) start = index_constant(builder, loc, 0);
  }
  return result;
}

void outer_slice(mlir::OpBuilder& builder, const Windows& windows, std::int64_t rank,
                 mlir::ValueRange loops, llvm::ArrayRef<std::int64_t> visible, Places& offsets,
                 Places& sizes) {
  std::size_t loop = 0;
  std::size_t shown = 0;
  for (std::int64_t i = 0; i < rank; ++i) {
    const bool inside = llvm::is_contained(windows.offset_dims, i);
    offsets.push_back(inside ? mlir::OpFoldResult(builder.getIndexAttr(0))
                             : mlir::OpFoldResult(loops[loop++]));
    sizes.push_back(builder.getIndexAttr(inside ? visible[shown++] : 1));
  }
}

List visible_sizes(const Windows& windows) {
  List result;
  for (const auto [dimension, size] : llvm::enumerate(windows.window)) {
    if (!llvm::is_contained(windows.inserted, dimension) &&
        !llvm::is_contained(windows.operand_batch, dimension)) {
      result.push_back(size);
    }
  }
  return result;
}

Values for_each_index(mlir::OpBuilder& builder, mlir::Location loc, const Windows& windows,
                      mlir::RankedTensorType indices, mlir::ValueRange initial, Turn turn) {
  const List sizes = batch_sizes(indices, windows.vector);
  Values lower(sizes.size(), index_constant(builder, loc, 0));
  Values step(sizes.size(), index_constant(builder, loc, 1));
  Values upper;
  for (const std::int64_t size : sizes) upper.push_back(index_constant(builder, loc, size));
  if (sizes.empty()) return turn(builder, {}, initial);
  auto nest =
      mlir::scf::buildLoopNest(builder, loc, lower, upper, step, initial,
                               [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange loops,
                                   mlir::ValueRange carried) -> mlir::scf::ValueVector {
                                 const Values next = turn(nested, loops, carried);
                                 return {next.begin(), next.end()};
                               });
  return {nest.results.begin(), nest.results.end()};
}

mlir::FailureOr<Windows> windows_of(mlir::Operation* op, bool gathers) {
  const auto get = [&](llvm::StringRef name) { return integers(op, name); };
  const auto offsets = get(gathers ? "offset_dims" : "update_window_dims");
  const auto collapsed = get(gathers ? "collapsed_slice_dims" : "inserted_window_dims");
  const auto operand_batch = get(gathers ? "operand_batching_dims" : "input_batching_dims");
  const auto indices_batch =
      get(gathers ? "start_indices_batching_dims" : "scatter_indices_batching_dims");
  const auto map = get(gathers ? "start_index_map" : "scatter_dims_to_operand_dims");
  const auto vector = integer(op, "index_vector_dim");
  if (mlir::failed(offsets) || mlir::failed(collapsed) || mlir::failed(operand_batch) ||
      mlir::failed(indices_batch) || mlir::failed(map) || mlir::failed(vector)) {
    return mlir::failure();
  }
  Windows windows;
  windows.vector = *vector;
  windows.index_map = *map;
  windows.operand_batch = *operand_batch;
  windows.indices_batch = *indices_batch;
  windows.inserted = *collapsed;
  windows.offset_dims = *offsets;
  return windows;
}

mlir::Value fits_inside(mlir::OpBuilder& builder, mlir::Location loc, const Values& begin,
                        mlir::RankedTensorType type, llvm::ArrayRef<std::int64_t> window,
                        Places& clamped_starts) {
  mlir::Value inside = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  for (const auto [dimension, start] : llvm::enumerate(begin)) {
    const std::int64_t extent = type.getDimSize(dimension);
    const mlir::Value fits =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, start,
                              index_constant(builder, loc, extent - window[dimension]));
    inside = arith::AndIOp::create(builder, loc, inside, fits);
    clamped_starts.push_back(clamped(builder, loc, start, extent, window[dimension]));
  }
  return inside;
}

}  // namespace tandem::compiler
