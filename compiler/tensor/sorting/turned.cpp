#include "compiler/tensor/sorting/turned.hpp"

#include "compiler/tensor/sorting/network.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

// Moves between a table and the turned one, whose rows are the columns. A merge of 2^levels columns
// compares the first element of its first column with the last one of its last: so the columns of
// its second half are turned upside down on the way.
class Turn {
 public:
  Turn(mlir::OpBuilder& builder, mlir::Location loc, Table& table, Table& turned,
       const TableShape& shape)
      : builder_(builder), loc_(loc), table_(table), turned_(turned), shape_(shape) {}

  void there(int levels) { move(levels, true); }
  void back(int levels) { move(levels, false); }

 private:
  // The columns as [blocks, halves, rest], of which blocks or rest have two dimensions.
  struct Columns {
    List of_table;      // dimensions that the columns are split to
    List of_turned;     // the same for the rows of the turned table, groups and eight
    unsigned half = 0;  // the dimension of halves
  };

  [[nodiscard]] Columns columns(int levels) const {
    const std::int64_t half = std::int64_t{1} << (levels - 1);
    const std::int64_t groups = shape_.columns / 8;
    if (half >= 8) {
      const std::int64_t spread = half / 8;
      return {{groups / (2 * spread), 2, spread, 8}, {groups / (2 * spread), 2, spread}, 1};
    }
    return {{groups, 8 / (2 * half), 2, half}, {8 / (2 * half), 2, half}, 2};
  }

  // [3 dimensions of columns, groups of rows, 8, width]
  Value near(std::size_t field, const Columns& columns, std::int64_t half) {
    const std::int64_t groups = shape_.rows / 8;
    List sizes = columns.of_table;
    sizes.push_back(shape_.width);
    Value view = split(builder_, loc_, table_.view(field, 0, shape_.rows), 3, sizes);
    List offsets(3 + sizes.size(), 0);
    List extents{1, groups, 8};
    extents.append(sizes);
    offsets[3 + columns.half] = half;
    extents[3 + columns.half] = 1;
    return part_of(builder_, loc_, view, offsets, extents, {0, 3 + columns.half});
  }

  Value far(std::size_t field, const Columns& columns, std::int64_t half) {
    const std::int64_t groups = shape_.columns / 8;
    const bool between = columns.half == 1;
    Value view = turned_.view(field, 0, shape_.columns);
    view = split(builder_, loc_, view, 3, {shape_.rows / 8, 8, shape_.width});
    view = split(builder_, loc_, view, between ? 1 : 2, columns.of_turned);
    List extents{1};
    if (!between) extents.push_back(groups);
    extents.append(columns.of_turned);
    if (between) extents.push_back(8);
    extents.append({shape_.rows / 8, 8, shape_.width});
    List offsets(extents.size(), 0);
    const unsigned at = 1 + columns.half;
    offsets[at] = half;
    extents[at] = 1;
    return part_of(builder_, loc_, view, offsets, extents, {0, at});
  }

  void move(int levels, bool there) {
    const Columns split = columns(levels);
    const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    for (std::int64_t half = 0; half < 2; ++half) {
      // Loops: three of columns, groups, eight, width.
      const mlir::AffineExpr group = half == 0 ? loop(3) : shape_.rows / 8 - 1 - loop(3);
      const mlir::AffineExpr row = half == 0 ? loop(4) : 7 - loop(4);
      const auto of_table = mlir::AffineMap::get(
          6, 0, {group, row, loop(0), loop(1), loop(2), loop(5)}, builder_.getContext());
      const auto of_turned = builder_.getMultiDimIdentityMap(6);
      for (std::size_t field = 0; field < table_.fields().size(); ++field) {
        const Value here = near(field, split, half);
        const Value other = far(field, split, half);
        on_buffers(
            builder_, loc_, there ? here : other, there ? other : here,
            there ? llvm::ArrayRef({of_table, of_turned}) : llvm::ArrayRef({of_turned, of_table}),
            [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) {
              return Values{elements.front()};
            });
      }
    }
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Table& table_;
  Table& turned_;
  const TableShape& shape_;
};

}  // namespace

void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange) {
  mlir::OpBuilder& builder = lowering.builder;
  Table turned(lowering, loc, table.fields(), 1, shape.columns, shape.rows * shape.width);
  Network rows(builder, loc, table, shape.rows, exchange);
  Network columns(builder, loc, turned, shape.columns, exchange);
  Turn turn(builder, loc, table, turned, shape);
  // The second half of every merge is the same: it stands in a loop, so that the text is short.
  const int last = levels_of(shape.columns);
  const auto number = [&](std::int64_t value) { return index_constant(builder, loc, value); };
  auto loop = mlir::scf::ForOp::create(builder, loc, number(1), number(last + 1), number(1));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  const auto cases = llvm::to_vector(llvm::seq<std::int64_t>(1, last));
  auto choice = mlir::scf::IndexSwitchOp::create(builder, loc, mlir::TypeRange{},
                                                 loop.getInductionVar(), cases, cases.size());
  for (int levels = 1; levels <= last; ++levels) {
    mlir::OpBuilder::InsertionGuard within(builder);
    mlir::Region& region =
        levels == last ? choice.getDefaultRegion() : choice.getCaseRegions()[levels - 1];
    builder.setInsertionPointToStart(&region.emplaceBlock());
    turn.there(levels);
    columns.merge_sorted(levels);
    turn.back(levels);
    mlir::scf::YieldOp::create(builder, loc);
  }
  rows.merge_bitonic(levels_of(shape.rows));
}

}  // namespace tandem::compiler
