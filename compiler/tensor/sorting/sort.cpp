// Sorts. The values that a comparator uses become keys (comparator.hpp), the elements are laid out
// as rows of tables (table.hpp), and a network of comparisons sorts these (network.hpp). The order
// is that of a stable sort: of equal elements, the one with the lower index comes first.
//
// Few rows to sort at once would leave most of a vector empty. So a row of n elements may be
// distributed to several columns: these are sorted, and then merged (columns.hpp).
//
// Where the results are read only by slices of the first elements (top_k), columns keep as many of
// them as are read, and of two columns one keeps as many again.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/sorting/by_counting.hpp"
#include "compiler/tensor/sorting/columns.hpp"
#include "compiler/tensor/sorting/comparator.hpp"
#include "compiler/tensor/sorting/fields.hpp"
#include "compiler/tensor/sorting/in_rounds.hpp"
#include "compiler/tensor/sorting/network.hpp"
#include "compiler/tensor/tables/rows.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

// The number of elements from the first on that are read of any result.
std::int64_t elements_read(mlir::Operation* op, unsigned dimension, std::int64_t size) {
  std::int64_t most = 0;
  for (mlir::Operation* user : op->getUsers()) {
    if (user->getName().getStringRef() != "stablehlo.slice") return size;
    const auto limits = user->getAttrOfType<mlir::DenseI64ArrayAttr>("limit_indices");
    if (!limits || limits.size() <= static_cast<std::int64_t>(dimension)) return size;
    most = std::max(most, limits[dimension]);
  }
  return std::clamp<std::int64_t>(most, 1, size);
}

// One row of few elements: comparing each with each is done in two reductions.
bool better_counted(std::int64_t elements, std::int64_t rows, const Parameters& machine) {
  return rows == 1 && !threshold::counted_sort(elements, machine);
}

// A table of fields, sorted for the first `wanted` elements of each row.
class Sorter {
 public:
  Sorter(Lowering& lowering, mlir::Location loc, SortFields& fields, std::int64_t wanted)
      : lowering_(lowering),
        builder_(lowering.builder),
        loc_(loc),
        fields_(fields),
        wanted_(wanted) {}

  // Results for each row of the tensor, from elements in `rows`.
  Values sorted(const TableRows& rows, mlir::ValueRange operands) {
    Values sources;
    for (const mlir::Value operand : operands) {
      const mlir::Type element = tensor_type_of(operand).getElementType();
      const mlir::Value zero =
          mlir::arith::ConstantOp::create(builder_, loc_, builder_.getZeroAttr(element));
      sources.push_back(rows.arranged(lowering_, loc_, operand, zero));
    }
    const TableShape& shape = rows.shape();
    Table table(lowering_, loc_, fields_.types(), shape.batches, shape.table_rows(),
                shape.columns * shape.width);
    const Value negative_zero =
        fields_.has_signs() ? fields_.has_negative_zero(builder_, loc_, operands) : Value();
    fields_.fill(builder_, loc_, table, shape, sources);
    const bool first_columns = sort_fields(table, shape, negative_zero);
    const bool all_columns = shape.columns != 1 && !first_columns;
    const Table::Read read{
        all_columns ? table.rows() : wanted_, first_columns ? shape.width : table.columns(),
        first_columns && shape.across ? shape.columns : 1, !rows.is_plain_turn()};
    return table.read(read, fields_.result_types(),
                      [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
                        return fields_.results_of(b, at, elements);
                      });
  }

 private:
  // Whether all wanted elements are in the first column of each row.
  bool sort_fields(Table& table, const TableShape& shape, Value negative_zero) {
    const auto exchange = [&](mlir::OpBuilder& b, mlir::Location at, auto& first, auto& second) {
      fields_.exchange(b, at, first, second);
    };
    const auto keep = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange own,
                          mlir::ValueRange other,
                          Value second) { return fields_.kept(b, at, own, other, second); };
    if (!fields_.has_signs()) return sort(table, shape, exchange, keep);
    const std::size_t keys = table.fields().size() - 1;
    Table only_keys = table.with_fields(0, keys);
    const bool first_columns = sort(only_keys, shape, exchange, keep);
    auto choice = mlir::scf::IfOp::create(builder_, loc_, negative_zero, /*withElse=*/false);
    const mlir::OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToStart(choice.thenBlock());
    Table signs = table.with_fields(keys, 1);
    sort(signs, shape, SortFields::exchange_signs, SortFields::kept_signs);
    return first_columns;
  }

  // The same, of all fields of the table.
  bool sort(Table& table, const TableShape& shape, Exchange exchange, Keep keep) {
    Network network(builder_, loc_, table, shape.rows, exchange);
    const int all = levels_of(shape.rows);
    const int kept = std::max(3, levels_of(wanted_));
    if (kept > all || (kept == all && shape.columns == 1)) {
      network.sort(all);
      if (shape.columns != 1) merge_columns(lowering_, loc_, table, shape, exchange, keep);
      return false;
    }
    network.sort(kept);
    network.keep_first(kept);
    if (shape.columns == 1) return false;
    TableShape first = shape;
    first.rows = std::int64_t{1} << kept;
    keep_first_columns(lowering_, loc_, table, first, exchange, keep);
    return true;
  }

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  SortFields& fields_;
  std::int64_t wanted_;
};

}  // namespace

mlir::FailureOr<Values> lower_sort(Lowering& lowering, mlir::Operation* op) {
  const auto dimension = integer(op, "dimension");
  if (mlir::failed(dimension)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  const mlir::RankedTensorType type = tensor_type_of(inputs.front());
  const std::int64_t rank = type.getRank();
  const std::int64_t sorted = *dimension < 0 ? *dimension + rank : *dimension;
  if (sorted < 0 || sorted >= rank) return op->emitError("no such dimension");
  const std::int64_t size = type.getDimSize(sorted);
  if (size <= 1 || type.getNumElements() == 0) return inputs;
  auto comparator = Comparator::of(lowering, op);
  if (mlir::failed(comparator)) return mlir::failure();
  const std::int64_t wanted = elements_read(op, static_cast<unsigned>(sorted), size);
  if (auto first = first_in_rounds(lowering, op, *comparator, sorted, wanted)) return *first;
  if (!comparator->keys().empty() &&
      better_counted(size, type.getNumElements() / size, lowering.machine)) {
    return sorted_by_counting(lowering, op, *comparator, sorted);
  }
  SortFields fields(lowering, op, *comparator, static_cast<unsigned>(sorted), size);
  const TableRows rows(type.getShape(), static_cast<unsigned>(sorted),
                       [&](std::int64_t elements, std::int64_t width) {
                         return dealt_to_columns(elements, width, fields.goes_by_extremes(),
                                                 lowering.machine);
                       });
  Sorter sorter(lowering, op->getLoc(), fields, wanted);
  const Values read = sorter.sorted(rows, fields.sources(inputs));
  Values results;
  for (mlir::OpResult result : op->getResults()) {
    const int number = fields.number_of(result.getResultNumber());
    const auto whole = plain_tensor(result.getType());
    results.push_back(
        number < 0 ? empty_tensor(lowering.builder, op->getLoc(), whole)
                   : rows.from_buffer(lowering.builder, op->getLoc(), read[number], whole, wanted));
  }
  return results;
}

}  // namespace tandem::compiler
