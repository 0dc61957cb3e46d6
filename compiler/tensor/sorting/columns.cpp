#include "compiler/tensor/sorting/columns.hpp"

#include "compiler/contract/thresholds.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

// Comparisons across columns. Each element's partner, which is in another column, comes to its place
// in a second table by a permutation of lanes; then each of the two keeps what belongs there.
class Across {
 public:
  Across(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape, Keep keep)
      : builder_(lowering.builder),
        loc_(loc),
        table_(table),
        partners_(lowering, loc, table.fields(), 1, shape.rows, shape.columns * shape.width),
        shape_(shape),
        keep_(keep) {
    number_columns();
  }

  // Merges each two blocks of 2^(levels - 1) columns that are sorted, as far as columns go.
  void merge(int levels) {
    // The first element of a pair of blocks is compared with its last one, and so on.
    const std::int64_t block = std::int64_t{1} << levels;
    bring({shape_.columns / block, block, shape_.width}, /*upside_down=*/true);
    keep(levels - 1);
    for (int level = levels - 1; level-- > 0;) {
      const std::int64_t apart = std::int64_t{1} << level;
      bring({shape_.columns / (2 * apart), 2, apart * shape_.width}, /*upside_down=*/false);
      keep(level);
    }
  }

 private:
  // [columns]: the number of the column among those of its row of the tensor.
  void number_columns() {
    const std::int64_t all = shape_.columns * shape_.width;
    numbers_ = mlir::memref::AllocOp::create(
        builder_, loc_, mlir::MemRefType::get({all}, builder_.getI32Type()));
    on_buffers(builder_, loc_, {}, numbers_, builder_.getMultiDimIdentityMap(1),
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange) {
                 const Value column = mlir::linalg::IndexOp::create(b, at, 0);
                 const Value number =
                     arith::DivUIOp::create(b, at, column, index_constant(b, at, shape_.width));
                 return Values{arith::IndexCastOp::create(b, at, b.getI32Type(), number)};
               });
  }

  // Columns as [blocks, parts, rest]: the partner is in the part that is as far from the end as this
  // one is from the beginning; its row is so, too, where they are `upside_down`.
  void bring(const List& columns, bool upside_down) {
    const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    // Loops: batch, group, eight, blocks, parts, rest.
    const mlir::AffineExpr group = upside_down ? shape_.rows / 8 - 1 - loop(1) : loop(1);
    const mlir::AffineExpr row = upside_down ? 7 - loop(2) : loop(2);
    const auto from = mlir::AffineMap::get(
        6, 0, {loop(0), group, row, loop(3), columns[1] - 1 - loop(4), loop(5)},
        builder_.getContext());
    const auto to = builder_.getMultiDimIdentityMap(6);
    for (std::size_t field = 0; field < table_.fields().size(); ++field) {
      const auto view = [&](const Table& table) {
        return split(builder_, loc_, table.view(field, 0, shape_.rows), 3, columns);
      };
      on_buffers(builder_, loc_, view(table_), view(partners_), {from, to},
                 [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) {
                   return Values{elements.front()};
                 });
    }
  }

  // Of column and partner, which differ in this bit of their numbers.
  void keep(int bit) {
    const std::size_t fields = table_.fields().size();
    Values inputs;
    Values outputs;
    for (std::size_t field = 0; field < fields; ++field) {
      inputs.push_back(partners_.view(field, 0, shape_.rows));
      outputs.push_back(table_.view(field, 0, shape_.rows));
    }
    llvm::SmallVector<mlir::AffineMap> maps(2 * fields + 1, builder_.getMultiDimIdentityMap(4));
    maps[fields] = mlir::AffineMap::get(4, 0, builder_.getAffineDimExpr(3));
    inputs.push_back(numbers_);
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
                 const auto word = [&](std::int32_t value) {
                   return arith::ConstantOp::create(b, at, b.getI32IntegerAttr(value));
                 };
                 const Value bits =
                     arith::AndIOp::create(b, at, elements[fields], word(1 << bit));
                 const Value is_second =
                     arith::CmpIOp::create(b, at, arith::CmpIPredicate::ne, bits, word(0));
                 return keep_(b, at, elements.drop_front(fields + 1),
                              elements.take_front(fields), is_second);
               });
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Table& table_;
  Table partners_;
  Value numbers_;
  const TableShape& shape_;
  Keep keep_;
};

}  // namespace

TableShape dealt_to_columns(std::int64_t elements, std::int64_t width, const Parameters& machine) {
  constexpr std::int64_t few = 4;  // fewer columns are not worth their merges
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  if (!threshold::dealt_sort(elements) || few * width > lanes) return {1, elements, 1, width};
  const auto padded = static_cast<std::int64_t>(llvm::PowerOf2Ceil(elements));
  const auto columns = std::min(static_cast<std::int64_t>(llvm::bit_floor(
                                    static_cast<std::uint64_t>(lanes / width))),
                                padded / sublanes);
  return {1, padded / columns, columns, width, /*across=*/width == 1};
}

void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange, Keep keep) {
  mlir::OpBuilder& builder = lowering.builder;
  Network rows(builder, loc, table, shape.rows, exchange);
  Across across(lowering, loc, table, shape, keep);
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
    across.merge(levels);
    mlir::scf::YieldOp::create(builder, loc);
  }
  rows.merge_bitonic(levels_of(shape.rows));
}

}  // namespace tandem::compiler
