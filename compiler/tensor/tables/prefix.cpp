// Prefixes: eight consecutive elements are combined one after the other in registers, for eight
// groups at a time; then the last ones of all groups in the same way, and each group is combined
// with the result before it. So the work is linear in the number of elements, for any combining
// operation.
//
// The elements are rows of a table (tables/table.hpp). A single row of the tensor, or one of few,
// is distributed to several columns, each with consecutive elements.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/tables/row_prefix.hpp"
#include "compiler/tensor/tables/rows.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Value;
using mlir::ValueRange;

constexpr std::int64_t group = 8;

struct Prefix {
  unsigned dimension = 0;
  bool from_end = false;  // the window reaches from the element to the end
};

// The windows as prefixes along one dimension; none for other windows, or short ones.
std::optional<Prefix> prefix_of(mlir::Operation* op) {
  const auto type = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType());
  const auto sizes = integers(op, "window_dimensions");
  const auto padding = integers(op, "padding");
  if (mlir::failed(sizes) || mlir::failed(padding) || padding->empty()) return std::nullopt;
  for (const llvm::StringRef name : {"window_strides", "base_dilations", "window_dilations"}) {
    const auto steps = integers(op, name);
    const auto is_one = [](std::int64_t step) { return step == 1; };
    if (mlir::failed(steps) || !llvm::all_of(*steps, is_one)) return std::nullopt;
  }
  std::optional<Prefix> found;
  for (const auto [index, size] : llvm::enumerate(*sizes)) {
    const std::int64_t low = (*padding)[2 * index];
    const std::int64_t high = (*padding)[2 * index + 1];
    if (size == 1 && low == 0 && high == 0) continue;
    const bool is_prefix = low == size - 1 && high == 0;
    const bool is_suffix = low == 0 && high == size - 1;
    if (found || size != type.getDimSize(static_cast<unsigned>(index)) ||
        (!is_prefix && !is_suffix) || !threshold::short_window(size)) {
      return std::nullopt;
    }
    found = Prefix{static_cast<unsigned>(index), is_suffix};
  }
  return found;
}

class PrefixLowering {
 public:
  PrefixLowering(Lowering& lowering, mlir::Operation* op, bool from_end, mlir::IRMapping outer)
      : lowering_(lowering),
        builder_(lowering.builder),
        op_(op),
        from_end_(from_end),
        outer_(std::move(outer)) {}

  mlir::FailureOr<Values> run(unsigned dimension) {
    const Values all = lowering_.mapped(op_->getOperands());
    const std::size_t count = all.size() / 2;
    const auto type = mlir::cast<mlir::RankedTensorType>(all.front().getType());
    const TableRows rows(type.getShape(), dimension, &TableShape::of);
    Values sources;
    for (std::size_t i = 0; i < count; ++i) {
      initial_.push_back(scalar_of(builder_, loc_, all[count + i]));
      types_.push_back(mlir::cast<mlir::RankedTensorType>(all[i].getType()).getElementType());
      sources.push_back(rows.arranged(lowering_, loc_, all[i], initial_.back()));
    }
    const Values results = of_columns(sources, rows.shape(), rows.is_plain_turn());
    if (failed_) return mlir::failure();
    Values tensors_back;
    for (const auto [result, value] : llvm::zip(op_->getResults(), results)) {
      tensors_back.push_back(rows.from_buffer(builder_, loc_, value, plain_tensor(result.getType()),
                                              type.getDimSize(dimension)));
    }
    return tensors_back;
  }

 private:
  // The earlier and the later value, in the order of the elements.
  Values combined(mlir::OpBuilder& builder, ValueRange before, ValueRange element) {
    Values arguments(from_end_ ? element : before);
    arguments.append(from_end_ ? Values(before) : Values(element));
    const auto results = scalar_region(builder, op_->getRegion(0), arguments, outer_);
    failed_ = failed_ || mlir::failed(results);
    return mlir::failed(results) ? Values(element) : *results;
  }

  // Buffers of [batches, count, columns], along the second dimension.
  Values scanned(ValueRange sources, std::int64_t batches, std::int64_t count, std::int64_t columns,
                 bool are_elements, bool are_dense = true) {
    const TableShape shape{batches, count, 1, columns};
    Table table(lowering_, loc_, types_, batches, shape.table_rows(), columns);
    table.fill_rest(count, initial_);
    table.fill(sources, count,
               [&](mlir::OpBuilder& b, mlir::Location, Value, Value, ValueRange elements) {
                 return are_elements ? combined(b, initial_, elements) : Values(elements);
               });
    const std::int64_t groups = (count + group - 1) / group;
    const std::int64_t in_group = std::min(count, group);
    scan_groups(table, groups, in_group);
    if (groups > 1) add_carries(table, carries(table, groups), groups);
    return table.read(
        {count, columns, 1, are_dense}, types_,
        [](mlir::OpBuilder&, mlir::Location, ValueRange elements) { return Values(elements); });
  }

  // The position of the i-th element of a group, in the order in which they are combined.
  [[nodiscard]] std::int64_t place(std::int64_t i, std::int64_t count) const {
    return from_end_ ? count - 1 - i : i;
  }

  void scan_groups(Table& table, std::int64_t groups, std::int64_t in_group) {
    Values outputs;
    for (std::int64_t i = 0; i < in_group; ++i) {
      for (std::size_t field = 0; field < types_.size(); ++field) {
        outputs.push_back(table.element(field, 0, groups, place(i, in_group)));
      }
    }
    const llvm::SmallVector<mlir::AffineMap> maps(outputs.size(),
                                                  builder_.getMultiDimIdentityMap(3));
    on_buffers(builder_, loc_, {}, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location, ValueRange elements) {
                 const std::size_t fields = types_.size();
                 Values results(elements.take_front(fields));
                 Values last = results;
                 for (std::int64_t i = 1; i < in_group; ++i) {
                   last = combined(b, last, elements.slice(i * fields, fields));
                   results.append(last);
                 }
                 return results;
               });
  }

  // Buffers like `types_`, of [batches, count, columns], whose first element in order is the
  // initial value and the others those of `from`, without its last.
  Values shifted(llvm::ArrayRef<Value> from, std::int64_t batches, std::int64_t count,
                 std::int64_t columns) {
    Values result;
    for (const auto [type, scalar, source] : llvm::zip(types_, initial_, from)) {
      const Value room = memref::AllocOp::create(
          builder_, loc_, mlir::MemRefType::get({batches, count, columns}, type));
      const std::int64_t first = from_end_ ? count - 1 : 0;
      mlir::linalg::FillOp::create(
          builder_, loc_, scalar,
          part_of(builder_, loc_, room, {0, first, 0}, {batches, 1, columns}));
      memref::CopyOp::create(
          builder_, loc_, source,
          part_of(builder_, loc_, room, {0, from_end_ ? 0 : 1, 0}, {batches, count - 1, columns}));
      result.push_back(room);
    }
    return result;
  }

  // The value before each group: [batches, groups, columns].
  Values carries(const Table& table, std::int64_t groups) {
    Values last;
    for (std::size_t field = 0; field < types_.size(); ++field) {
      last.push_back(table.element(field, from_end_ ? 1 : 0, groups - 1, place(group - 1, group)));
    }
    const Values totals = shifted(last, table.batches(), groups, table.columns());
    return scanned(totals, table.batches(), groups, table.columns(), /*are_elements=*/false);
  }

  void add_carries(Table& table, const Values& carries, std::int64_t groups) {
    const std::size_t fields = types_.size();
    const std::int64_t first = from_end_ ? 0 : 1;
    Values inputs;
    for (const Value carry : carries) {
      inputs.push_back(part_of(builder_, loc_, carry, {0, first, 0},
                               {table.batches(), groups - 1, table.columns()}));
    }
    Values outputs;
    for (std::int64_t i = 0; i < group; ++i) {
      for (std::size_t field = 0; field < fields; ++field) {
        outputs.push_back(table.element(field, first, groups - 1, i));
      }
    }
    const llvm::SmallVector<mlir::AffineMap> maps(inputs.size() + outputs.size(),
                                                  builder_.getMultiDimIdentityMap(3));
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location, ValueRange values) {
                 Values results;
                 for (std::int64_t i = 0; i < group; ++i) {
                   results.append(combined(b, values.take_front(fields),
                                           values.slice((i + 1) * fields, fields)));
                 }
                 return results;
               });
  }

  // Columns that each hold a part of one row: each is combined with all before it.
  Values of_columns(ValueRange sources, const TableShape& shape, bool is_plain_turn) {
    const std::int64_t width = shape.columns * shape.width;
    Values result = scanned(sources, shape.batches, shape.rows, width, /*are_elements=*/true,
                            /*are_dense=*/!is_plain_turn);
    if (shape.columns == 1) return result;
    const auto columns_apart = [&](Value row) {
      return split(builder_, loc_, row, 1, {shape.columns, shape.width});
    };
    Values last;
    for (const Value part : result) {
      const Value row =
          part_of(builder_, loc_, part, {0, from_end_ ? 0 : shape.rows - 1, 0}, {1, 1, width}, {1});
      last.push_back(part_of(builder_, loc_, columns_apart(row), {0, from_end_ ? 1 : 0, 0},
                             {1, shape.columns - 1, shape.width}));
    }
    const Values totals = shifted(last, 1, shape.columns, shape.width);
    const Values before = scanned(totals, 1, shape.columns, shape.width, /*are_elements=*/false);
    Values inputs;
    for (const Value carry : before) {
      inputs.push_back(memref::CollapseShapeOp::create(
          builder_, loc_, carry, llvm::ArrayRef<mlir::ReassociationIndices>{{0, 1, 2}}));
    }
    const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    llvm::SmallVector<mlir::AffineMap> maps(
        inputs.size(), mlir::AffineMap::get(3, 0, {loop(2)}, builder_.getContext()));
    maps.append(result.size(), builder_.getMultiDimIdentityMap(3));
    on_buffers(builder_, loc_, inputs, result, maps,
               [&](mlir::OpBuilder& b, mlir::Location, ValueRange values) {
                 return combined(b, values.take_front(inputs.size()),
                                 values.drop_front(inputs.size()));
               });
    return result;
  }

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Operation* op_;
  bool from_end_;
  mlir::IRMapping outer_;
  mlir::Location loc_ = op_->getLoc();
  llvm::SmallVector<mlir::Type> types_;
  Values initial_;  // scalars
  bool failed_ = false;
};

}  // namespace

std::optional<mlir::FailureOr<Values>> lower_prefix(Lowering& lowering, mlir::Operation* op) {
  const auto prefix = prefix_of(op);
  if (!prefix) return std::nullopt;
  const auto type = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType());
  if (prefix->dimension + 1 == type.getRank()) {
    if (const auto result = lower_row_prefix(lowering, op, prefix->from_end)) {
      return mlir::FailureOr<Values>(Values{*result});
    }
  }
  auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::FailureOr<Values>(mlir::failure());
  return PrefixLowering(lowering, op, prefix->from_end, std::move(*outer)).run(prefix->dimension);
}

}  // namespace tandem::compiler
