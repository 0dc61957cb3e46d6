#include "compiler/tensor/sorting/columns.hpp"

#include <bit>
#include <optional>

#include "compiler/contract/thresholds.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

// Comparisons across columns. Each element's partner, which is in another column, is moved to its
// place in a second table by a permutation of lanes; then each of the two keeps the element that
// belongs there.
class Across {
 public:
  Across(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape, Keep keep)
      : builder_(lowering.builder),
        loc_(loc),
        table_(table),
        partners_(lowering, loc, table.fields(), 1, shape.rows, table.columns()),
        shape_(shape),
        keep_(keep) {}

  // Merges each two sorted blocks of 2^(levels - 1) columns, for the columns part.
  void merge(int levels) {
    // The first element of a pair of blocks is compared with its last one, and so on.
    bring(std::int64_t{1} << levels, 1, /*upside_down=*/true);
    keep(levels - 1);
    for (int level = levels - 1; level-- > 0;) {
      bring(2, std::int64_t{1} << level, /*upside_down=*/false);
      keep(level);
    }
  }

  // Of each two columns this far apart both keep the first elements: afterwards bitonic.
  void keep_first(std::int64_t apart) {
    bring(2, apart, /*upside_down=*/true);
    keep(std::nullopt);
  }

 private:
  // For blocks of this many parts of `size` columns: the partner is in the part that is as far from
  // the end as this one is from the beginning; its row is so, too, where they are `upside_down`.
  void bring(std::int64_t parts, std::int64_t size, bool upside_down) {
    if (!shape_.across) size *= shape_.width;
    const List columns{table_.columns() / (parts * size), parts, size};
    const auto loop = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    // Loops: batch, group, eight, blocks, parts, rest.
    const mlir::AffineExpr group = upside_down ? shape_.rows / 8 - 1 - loop(1) : loop(1);
    const mlir::AffineExpr row = upside_down ? 7 - loop(2) : loop(2);
    const auto from = mlir::AffineMap::get(
        6, 0, {loop(0), group, row, loop(3), parts - 1 - loop(4), loop(5)}, builder_.getContext());
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

  // Of column and partner, which differ in this bit of their numbers, one keeps the first element
  // and the other the second; without a bit both keep the first.
  void keep(std::optional<int> bit) {
    const std::size_t fields = table_.fields().size();
    Values inputs;
    Values outputs;
    for (std::size_t field = 0; field < fields; ++field) {
      inputs.push_back(partners_.view(field, 0, shape_.rows));
      outputs.push_back(table_.view(field, 0, shape_.rows));
    }
    const llvm::SmallVector<mlir::AffineMap> maps(2 * fields, builder_.getMultiDimIdentityMap(4));
    on_buffers(builder_, loc_, inputs, outputs, maps,
               [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
                 const Value second = bit ? has_bit(b, at, *bit) : Value();
                 return keep_(b, at, elements.drop_front(fields), elements.take_front(fields),
                              second);
               });
  }

  // Whether the column's number among those of its row of the tensor has this bit.
  Value has_bit(mlir::OpBuilder& builder, mlir::Location loc, int bit) const {
    const auto word = [&](std::int32_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
    };
    Value number = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                              mlir::linalg::IndexOp::create(builder, loc, 3));
    number = shape_.number_of(builder, loc, number);
    const Value bits = arith::AndIOp::create(builder, loc, number, word(1 << bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits, word(0));
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Table& table_;
  Table partners_;
  const TableShape& shape_;
  Keep keep_;
};

}  // namespace

TableShape dealt_to_columns(std::int64_t elements, std::int64_t width, bool by_extremes,
                            const Parameters& machine) {
  // Fewer columns are not worth their merges; two are where each lane's partner is one operation on
  // its number away.
  const std::int64_t least = llvm::isPowerOf2_64(static_cast<std::uint64_t>(width)) ? 2 : 4;
  const std::int64_t few = by_extremes && !threshold::dealt_extremes(elements) ? 16 : least;
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  if (!threshold::dealt_sort(elements) || few * width > lanes) return {1, elements, 1, width};
  const auto padded = static_cast<std::int64_t>(llvm::PowerOf2Ceil(elements));
  const auto columns =
      std::min(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(lanes / width))),
               padded / sublanes);
  return {1, padded / columns, columns, width, /*across=*/columns > width};
}

void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange, Keep keep) {
  mlir::OpBuilder& builder = lowering.builder;
  Network rows(builder, loc, table, shape.rows, exchange);
  Across across(lowering, loc, table, shape, keep);
  // The second half of every merge is the same: it is in a loop, so that the text is short.
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

void keep_first_columns(Lowering& lowering, mlir::Location loc, Table& table,
                        const TableShape& shape, Exchange exchange, Keep keep) {
  Network rows(lowering.builder, loc, table, shape.rows, exchange);
  Across across(lowering, loc, table, shape, keep);
  for (std::int64_t apart = 1; apart < shape.columns; apart *= 2) {
    across.keep_first(apart);
    rows.merge_bitonic(levels_of(shape.rows));
  }
}

}  // namespace tandem::compiler
