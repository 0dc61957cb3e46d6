#include "compiler/tensor/tables/table.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

mlir::MemRefType buffer(Value value) { return mlir::cast<mlir::MemRefType>(value.getType()); }

}  // namespace

Value part_of(mlir::OpBuilder& builder, mlir::Location loc, Value from,
              llvm::ArrayRef<std::int64_t> offsets, llvm::ArrayRef<std::int64_t> sizes,
              llvm::ArrayRef<unsigned> dropped) {
  List shape;
  for (const auto [index, size] : llvm::enumerate(sizes)) {
    if (!llvm::is_contained(dropped, static_cast<unsigned>(index))) shape.push_back(size);
  }
  const List ones(sizes.size(), 1);
  const auto type =
      memref::SubViewOp::inferRankReducedResultType(shape, buffer(from), offsets, sizes, ones);
  return memref::SubViewOp::create(builder, loc, type, from, offsets, sizes, ones);
}

Value narrow_buffer(Lowering& lowering, mlir::Location loc, llvm::ArrayRef<std::int64_t> shape,
                    mlir::Type element) {
  const std::int64_t least = lowering.machine.lanes / 4;
  List wide(shape);
  wide.back() = std::max(wide.back(), least);
  const Value room =
      memref::AllocOp::create(lowering.builder, loc, mlir::MemRefType::get(wide, element));
  if (wide.back() == shape.back()) return room;
  return part_of(lowering.builder, loc, room, List(shape.size(), 0), shape);
}

Value split(mlir::OpBuilder& builder, mlir::Location loc, Value from, unsigned dimension,
            llvm::ArrayRef<std::int64_t> sizes) {
  List shape;
  llvm::SmallVector<mlir::ReassociationIndices> groups;
  for (const auto [index, size] : llvm::enumerate(buffer(from).getShape())) {
    groups.emplace_back();
    const llvm::ArrayRef<std::int64_t> own =
        index == dimension ? sizes : llvm::ArrayRef<std::int64_t>(size);
    for (const std::int64_t part : own) {
      groups.back().push_back(static_cast<std::int64_t>(shape.size()));
      shape.push_back(part);
    }
  }
  return memref::ExpandShapeOp::create(builder, loc, shape, from, groups);
}

void on_buffers(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange inputs,
                mlir::ValueRange outputs, llvm::ArrayRef<mlir::AffineMap> maps, TableBody body) {
  const llvm::SmallVector<mlir::utils::IteratorType> loops(maps.front().getNumDims(),
                                                           mlir::utils::IteratorType::parallel);
  mlir::linalg::GenericOp::create(
      builder, loc, mlir::TypeRange{}, inputs, outputs, maps, loops,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
        mlir::linalg::YieldOp::create(nested, at, body(nested, at, arguments));
      });
}

Table::Table(Lowering& lowering, mlir::Location loc, llvm::ArrayRef<mlir::Type> fields,
             std::int64_t batches, std::int64_t rows, std::int64_t columns)
    : lowering_(lowering),
      builder_(lowering.builder),
      loc_(loc),
      fields_(fields),
      batches_(batches),
      rows_(rows),
      columns_(columns),
      group_(std::min<std::int64_t>(rows, 8)) {
  const List shape{batches, rows / group_, group_ % 2 == 0 ? group_ + 1 : group_, columns};
  for (const mlir::Type field : fields) {
    buffers_.push_back(narrow_buffer(lowering, loc, shape, field));
  }
}

Table Table::with_fields(std::size_t first, std::size_t count) const {
  Table part = *this;
  const llvm::ArrayRef<mlir::Type> fields(fields_);
  const llvm::ArrayRef<Value> buffers(buffers_);
  part.fields_.assign(fields.slice(first, count));
  part.buffers_.assign(buffers.slice(first, count));
  return part;
}

Value Table::groups_of(std::size_t field) const {
  return part_of(builder_, loc_, buffers_[field], {0, 0, 0, 0},
                 {batches_, rows_ / group_, group_, columns_});
}

Value Table::view(std::size_t field, std::int64_t from, std::int64_t count) const {
  const std::int64_t groups = std::max<std::int64_t>(1, count / group_);
  return part_of(builder_, loc_, groups_of(field), {0, from / group_, from % group_, 0},
                 {batches_, groups, std::min(count, group_), columns_});
}

Value Table::part(std::size_t field, const Part& part) const {
  const std::int64_t all = rows_ / group_ / (part.of * part.groups);
  const Value blocks = split(builder_, loc_, groups_of(field), 1, {all, part.of, part.groups});
  return part_of(builder_, loc_, blocks, {0, part.first, part.position, 0, 0, 0},
                 {batches_, part.blocks, 1, part.groups, group_, columns_}, {2});
}

Value Table::element(std::size_t field, std::int64_t first, std::int64_t groups,
                     std::int64_t position) const {
  return part_of(builder_, loc_, groups_of(field), {0, first, position, 0},
                 {batches_, groups, 1, columns_}, {2});
}

// Whole groups, then the remainder.
void Table::pieces(std::int64_t count,
                   llvm::function_ref<void(std::int64_t, std::int64_t)> act) const {
  const std::int64_t whole = count / group_ * group_;
  if (whole != 0) act(0, whole);
  if (whole != count) act(whole, count - whole);
}

void Table::fill(mlir::ValueRange sources, std::int64_t count, Fill body) {
  pieces(count, [&](std::int64_t from, std::int64_t rows) {
    const std::int64_t groups = std::max<std::int64_t>(1, rows / group_);
    llvm::SmallVector<Value> inputs;
    llvm::SmallVector<Value> outputs;
    for (const Value source : sources) {
      const Value own = part_of(builder_, loc_, source, {0, from, 0}, {batches_, rows, columns_});
      inputs.push_back(split(builder_, loc_, own, 1, {groups, rows / groups}));
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) outputs.push_back(view(i, from, rows));
    const llvm::SmallVector<mlir::AffineMap> maps(inputs.size() + outputs.size(),
                                                  builder_.getMultiDimIdentityMap(4));
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
                 const Value first = arith::MulIOp::create(
                     b, at, mlir::linalg::IndexOp::create(b, at, 1), index_constant(b, at, group_));
                 const Value row = arith::AddIOp::create(
                     b, at, arith::AddIOp::create(b, at, first, index_constant(b, at, from)),
                     mlir::linalg::IndexOp::create(b, at, 2));
                 return body(b, at, row, mlir::linalg::IndexOp::create(b, at, 3),
                             arguments.take_front(inputs.size()));
               });
  });
}

void Table::fill_rest(std::int64_t from, mlir::ValueRange scalars) {
  for (const auto [field, scalar] : llvm::enumerate(scalars)) {
    const std::int64_t next = (from + group_ - 1) / group_ * group_;
    if (next != from) {
      mlir::linalg::FillOp::create(builder_, loc_, scalar, view(field, from, next - from));
    }
    if (next != rows_) {
      mlir::linalg::FillOp::create(builder_, loc_, scalar, view(field, next, rows_ - next));
    }
  }
}

llvm::SmallVector<Value> Table::read(const Read& read, llvm::ArrayRef<mlir::Type> types,
                                     TableBody body) const {
  const std::int64_t columns = read.columns;
  const List shape{batches_, read.rows, columns};
  llvm::SmallVector<Value> results;
  for (const mlir::Type type : types) {
    results.push_back(read.is_dense ? Value(memref::AllocOp::create(
                                          builder_, loc_, mlir::MemRefType::get(shape, type)))
                                    : narrow_buffer(lowering_, loc_, shape, type));
  }
  const auto chosen = [&](Value whole) {
    List sizes(buffer(whole).getShape());
    sizes.back() = columns;
    if (read.apart == 1) {
      return part_of(builder_, loc_, whole, List(sizes.size(), 0), sizes);
    }
    sizes.push_back(1);
    return part_of(builder_, loc_, split(builder_, loc_, whole, 3, {columns, read.apart}),
                   List(sizes.size(), 0), sizes, 4);
  };
  pieces(read.rows, [&](std::int64_t from, std::int64_t rows) {
    const std::int64_t groups = std::max<std::int64_t>(1, rows / group_);
    llvm::SmallVector<Value> inputs;
    llvm::SmallVector<Value> outputs;
    for (std::size_t i = 0; i < fields_.size(); ++i) inputs.push_back(chosen(view(i, from, rows)));
    for (const Value result : results) {
      const Value own = part_of(builder_, loc_, result, {0, from, 0}, {batches_, rows, columns});
      outputs.push_back(split(builder_, loc_, own, 1, {groups, rows / groups}));
    }
    const llvm::SmallVector<mlir::AffineMap> maps(inputs.size() + outputs.size(),
                                                  builder_.getMultiDimIdentityMap(4));
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
                 return body(b, at, arguments.take_front(inputs.size()));
               });
  });
  return results;
}

}  // namespace tandem::compiler
