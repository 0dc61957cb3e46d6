// Operations whose places are known only at run time: scalar loops around slices.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;
using Places = llvm::SmallVector<mlir::OpFoldResult>;

Places places(mlir::OpBuilder& builder, llvm::ArrayRef<std::int64_t> values) {
  return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
}

// As a word with a sign. What no such word holds is beyond the end of every tensor, and so is the
// largest one.
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

// A start index moved so that `size` elements fit into `extent`.
mlir::OpFoldResult clamped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value start,
                           std::int64_t extent, std::int64_t size) {
  if (extent == size) return builder.getIndexAttr(0);
  const mlir::Value low =
      arith::MaxSIOp::create(builder, loc, start, index_constant(builder, loc, 0));
  return arith::MinSIOp::create(builder, loc, low, index_constant(builder, loc, extent - size))
      .getResult();
}

bool is_unsigned(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

// The start indices of dynamic_slice and its like, clamped.
Places starts(Lowering& lowering, mlir::Operation* op, mlir::ValueRange indices,
              llvm::ArrayRef<std::int64_t> extents, llvm::ArrayRef<std::int64_t> sizes) {
  Places result;
  mlir::OpBuilder& builder = lowering.builder;
  for (const auto [dimension, index] : llvm::enumerate(indices)) {
    if (extents[dimension] == sizes[dimension]) {
      result.push_back(builder.getIndexAttr(0));
      continue;
    }
    const mlir::Value number = scalar_of(builder, op->getLoc(), lowering.map.lookup(index));
    const mlir::Value start = as_index(builder, op->getLoc(), number, is_unsigned(index));
    result.push_back(clamped(builder, op->getLoc(), start, extents[dimension], sizes[dimension]));
  }
  return result;
}

// What gather and scatter have in common: loops over index vectors, and windows of one tensor.
struct Windows {
  List batch;           // sizes of the loops: the dimensions of the indices but the vector's
  std::int64_t vector;  // index_vector_dim
  List index_map;       // component of the index vector -> dimension of the operand
  List operand_batch;   // dimensions of the operand ...
  List indices_batch;   // ... that run along with these dimensions of the indices
  List window;          // sizes of a window, one a dimension of the operand
  List inserted;        // dimensions of the operand that a window does not show
  List offset_dims;     // dimensions of updates or result that run over a window
};

// One component of the index vector at this turn of the loops.
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

// Where in the operand the window of this turn begins, before clamping.
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

// The part of the updates or of the result that belongs to this turn: loops at the dimensions that
// are no offsets, whole windows at those that are.
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

using Turn = llvm::function_ref<mlir::Value(mlir::OpBuilder&, mlir::ValueRange, mlir::Value)>;

// Nested loops over the batch that carry one tensor.
mlir::Value for_each_index(mlir::OpBuilder& builder, mlir::Location loc,
                           llvm::ArrayRef<std::int64_t> sizes, mlir::Value initial, Turn turn) {
  Values lower(sizes.size(), index_constant(builder, loc, 0));
  Values step(sizes.size(), index_constant(builder, loc, 1));
  Values upper;
  for (const std::int64_t size : sizes) upper.push_back(index_constant(builder, loc, size));
  if (sizes.empty()) return turn(builder, {}, initial);
  auto nest =
      mlir::scf::buildLoopNest(builder, loc, lower, upper, step, mlir::ValueRange{initial},
                               [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange loops,
                                   mlir::ValueRange carried) -> mlir::scf::ValueVector {
                                 return {turn(nested, loops, carried.front())};
                               });
  return nest.results.front();
}

List batch_sizes(mlir::RankedTensorType indices, std::int64_t vector) {
  List sizes(indices.getShape());
  if (vector < indices.getRank()) sizes.erase(sizes.begin() + vector);
  return sizes;
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

// Whether a window fits at these starts, and the starts clamped.
mlir::Value fits_inside(mlir::OpBuilder& builder, mlir::Location loc, const Values& begin,
                        mlir::RankedTensorType type, const List& window, Places& clamped_starts) {
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

}  // namespace

mlir::FailureOr<Values> lower_dynamic_slice(Lowering& lowering, mlir::Operation* op) {
  const auto sizes = integers(op, "slice_sizes");
  if (mlir::failed(sizes)) return mlir::failure();
  const mlir::Value source = lowering.map.lookup(op->getOperand(0));
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  if (type.getNumElements() == 0) {
    return Values{empty_tensor(lowering.builder, op->getLoc(), type)};
  }
  const Places offsets = starts(lowering, op, op->getOperands().drop_front(1),
                                tensor_type_of(source).getShape(), *sizes);
  return Values{tensor::ExtractSliceOp::create(lowering.builder, op->getLoc(), source, offsets,
                                               places(lowering.builder, *sizes),
                                               places(lowering.builder, List(sizes->size(), 1)))};
}

mlir::FailureOr<Values> lower_dynamic_update_slice(Lowering& lowering, mlir::Operation* op) {
  const mlir::Value into = lowering.map.lookup(op->getOperand(0));
  const mlir::Value update = lowering.map.lookup(op->getOperand(1));
  if (tensor_type_of(update).getNumElements() == 0) return Values{into};
  const auto sizes = tensor_type_of(update).getShape();
  const Places offsets =
      starts(lowering, op, op->getOperands().drop_front(2), tensor_type_of(into).getShape(), sizes);
  return Values{tensor::InsertSliceOp::create(lowering.builder, op->getLoc(), update, into, offsets,
                                              places(lowering.builder, sizes),
                                              places(lowering.builder, List(sizes.size(), 1)))};
}

mlir::FailureOr<Values> lower_gather(Lowering& lowering, mlir::Operation* op) {
  auto windows = windows_of(op, true);
  const auto sizes = integers(op, "slice_sizes");
  if (mlir::failed(windows) || mlir::failed(sizes)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  windows->window = *sizes;
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::Location loc = op->getLoc();
  const mlir::Value room = empty_tensor(lowering.builder, loc, type);
  if (type.getNumElements() == 0) return Values{room};
  const auto operand = tensor_type_of(inputs[0]);
  const List visible = visible_sizes(*windows);
  const bool no_sign = is_unsigned(op->getOperand(1));
  const auto turn = [&](mlir::OpBuilder& builder, mlir::ValueRange loops, mlir::Value carried) {
    const Values begin = window_starts(builder, loc, inputs[1], *windows, loops, no_sign);
    Places from;
    for (const auto [dimension, start] : llvm::enumerate(begin)) {
      from.push_back(
          clamped(builder, loc, start, operand.getDimSize(dimension), windows->window[dimension]));
    }
    const auto visible_type = mlir::RankedTensorType::get(visible, type.getElementType());
    const mlir::Value window = tensor::ExtractSliceOp::create(
        builder, loc, visible_type, inputs[0], from, places(builder, windows->window),
        places(builder, List(from.size(), 1)));
    Places offsets;
    Places extents;
    outer_slice(builder, *windows, type.getRank(), loops, visible, offsets, extents);
    return tensor::InsertSliceOp::create(builder, loc, window, carried, offsets, extents,
                                         places(builder, List(type.getRank(), 1)))
        .getResult();
  };
  const List batch = batch_sizes(tensor_type_of(inputs[1]), windows->vector);
  return Values{for_each_index(lowering.builder, loc, batch, room, turn)};
}

namespace {

// A scatter's windows: of an update's size where it shows them, of one element elsewhere.
void give_sizes(Windows& windows, mlir::RankedTensorType type, mlir::RankedTensorType updates) {
  std::size_t shown = 0;
  for (std::int64_t i = 0; i < type.getRank(); ++i) {
    const bool hidden =
        llvm::is_contained(windows.inserted, i) || llvm::is_contained(windows.operand_batch, i);
    windows.window.push_back(hidden ? 1 : updates.getDimSize(windows.offset_dims[shown++]));
  }
}

// The update of one turn of the loops.
mlir::Value update_of(mlir::OpBuilder& builder, mlir::Location loc, const Windows& windows,
                      mlir::Value updates, mlir::ValueRange loops) {
  const mlir::RankedTensorType type = tensor_type_of(updates);
  const List visible = visible_sizes(windows);
  Places offsets;
  Places sizes;
  outer_slice(builder, windows, type.getRank(), loops, visible, offsets, sizes);
  return tensor::ExtractSliceOp::create(
      builder, loc, mlir::RankedTensorType::get(visible, type.getElementType()), updates, offsets,
      sizes, places(builder, List(type.getRank(), 1)));
}

}  // namespace

mlir::FailureOr<Values> lower_scatter(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumOperands() != 3) {
    return op->emitError("unimplemented: stablehlo.scatter of several tensors");
  }
  auto windows = windows_of(op, false);
  if (mlir::failed(windows)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  const mlir::RankedTensorType type = tensor_type_of(inputs[0]);
  const mlir::RankedTensorType updates = tensor_type_of(inputs[2]);
  if (updates.getNumElements() == 0 || type.getNumElements() == 0) return Values{inputs[0]};
  const mlir::Location loc = op->getLoc();
  give_sizes(*windows, type, updates);
  const List visible = visible_sizes(*windows);
  const auto visible_type = mlir::RankedTensorType::get(visible, type.getElementType());
  const bool no_sign = is_unsigned(op->getOperand(1));
  const auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  bool complete = true;
  // An update whose window reaches outside writes back what stands at the nearest place inside.
  const auto turn = [&](mlir::OpBuilder& builder, mlir::ValueRange loops, mlir::Value carried) {
    const Values begin = window_starts(builder, loc, inputs[1], *windows, loops, no_sign);
    Places from;
    const mlir::Value inside = fits_inside(builder, loc, begin, type, windows->window, from);
    const Places ones = places(builder, List(from.size(), 1));
    const Places extents = places(builder, windows->window);
    const mlir::Value old =
        tensor::ExtractSliceOp::create(builder, loc, visible_type, carried, from, extents, ones);
    const mlir::Value update = update_of(builder, loc, *windows, inputs[2], loops);
    const auto identity = builder.getMultiDimIdentityMap(visible_type.getRank());
    const mlir::Value combined = parallel_generic(
        builder, loc, visible_type, {old, update}, {identity, identity},
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> mlir::Value {
          const auto results = scalar_region(nested, op->getRegion(0), elements, *outer);
          complete = complete && mlir::succeeded(results);
          if (!complete) return elements.front();
          return arith::SelectOp::create(nested, at, inside, results->front(), elements.front());
        });
    return tensor::InsertSliceOp::create(builder, loc, combined, carried, from, extents, ones)
        .getResult();
  };
  const List batch = batch_sizes(tensor_type_of(inputs[1]), windows->vector);
  const mlir::Value result = for_each_index(lowering.builder, loc, batch, inputs[0], turn);
  if (!complete) return mlir::failure();
  return Values{result};
}

}  // namespace tandem::compiler
