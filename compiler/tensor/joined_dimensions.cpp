#include "compiler/tensor/joined_dimensions.hpp"

#include <cmath>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/packed_rows.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using mlir::AffineMap;
using mlir::RankedTensorType;
using mlir::ReassociationIndices;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::linalg::GenericOp;

constexpr std::int64_t best_chunks = 8;   // of rows that are neither many nor long
constexpr std::int64_t most_chunks = 16;  // for rows
constexpr double nearly_whole = 0.95;

// The part that a row fills of the rows of VMEM that it needs.
double filled(std::int64_t width, std::int64_t lanes) {
  const std::int64_t rows = (width + lanes - 1) / lanes;
  return static_cast<double>(width) / static_cast<double>(rows * lanes);
}

// A measure of how far rows are from a good number and length, as powers of two; where they are
// whole rows of VMEM, registers in addition to those of the elements count for more.
double cost_of_rows(std::int64_t rows, std::int64_t width, std::int64_t lanes) {
  const double away =
      std::abs(std::log2(static_cast<double>(width) / static_cast<double>(best_chunks * lanes)));
  if (width % lanes != 0) return away;
  const std::int64_t room = (rows + sublanes - 1) / sublanes * sublanes;
  constexpr double weight = 0.15;
  return std::log2(static_cast<double>(room) / static_cast<double>(rows)) + weight * away;
}

// Rows for which there is nothing to gain.
bool is_good_row(std::int64_t width, std::int64_t lanes) {
  return filled(width, lanes) > nearly_whole && 2 * width >= best_chunks * lanes;
}

std::size_t position(AffineMap map, unsigned loop) {
  for (std::size_t i = 0; i < map.getNumResults(); ++i) {
    if (map.getDimPosition(static_cast<unsigned>(i)) == loop) return i;
  }
  return map.getNumResults();
}

}  // namespace

std::int64_t filled_row(std::int64_t elements, const Parameters& machine) {
  const std::int64_t lanes = machine.lanes;
  std::int64_t best = 0;
  double best_cost = 0;
  constexpr std::int64_t parts = 4;  // of a word; rows of small elements are padded to words
  for (std::int64_t width = lanes; width <= most_chunks * lanes; ++width) {
    if (elements % width != 0 || elements / width < 2) continue;
    if (elements % lanes == 0 ? width % lanes != 0 : filled(width, lanes) <= nearly_whole) continue;
    if (elements % parts == 0 && width % parts != 0) continue;
    const double cost = cost_of_rows(elements / width, width, lanes);
    if (best == 0 || cost < best_cost) {
      best = width;
      best_cost = cost;
    }
  }
  return best;
}

JoinedDimensions::JoinedDimensions(mlir::func::FuncOp function, const Parameters& machine)
    : machine_(machine) {
  function.walk([&](mlir::Operation* op) { visit(op); });
  llvm::SmallVector<Value> values;
  for (const auto& [value, first] : first_) values.push_back(value);
  for (const Value value : values) bound(value);
}

bool JoinedDimensions::may_join(GenericOp op) {
  const auto is_static = [](Value value) { return tensor_type_of(value).hasStaticShape(); };
  return op.hasPureTensorSemantics() && !attribute::precision.is_on(op) &&
         !op.hasIndexSemantics() && op.getBody()->getOperations().size() > 1 &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         llvm::all_of(op->getOperands(), [&](Value value) {
           return mlir::isa<RankedTensorType>(value.getType()) && is_static(value);
         });
}

unsigned JoinedDimensions::border(Value value, std::size_t at) {
  const auto [place, is_new] = first_.try_emplace(value, static_cast<unsigned>(parent_.size()));
  if (is_new) {
    for (std::int64_t i = 0; i + 1 < tensor_type_of(value).getRank(); ++i) {
      parent_.push_back(static_cast<unsigned>(parent_.size()));
      kept_.push_back(false);
    }
  }
  return place->second + static_cast<unsigned>(at);
}

unsigned JoinedDimensions::find(unsigned border) const {
  while (parent_[border] != border) border = parent_[border];
  return border;
}

void JoinedDimensions::join(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  kept_[a] = kept_[a] || kept_[b];
  parent_[b] = a;
}

void JoinedDimensions::join_all(Value a, Value b) {
  for (std::int64_t i = 0; i + 1 < tensor_type_of(a).getRank(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    join(border(a, at), border(b, at));
  }
}

void JoinedDimensions::keep_all(Value value) {
  const auto type = mlir::dyn_cast<RankedTensorType>(value.getType());
  for (std::int64_t i = 0; type && i + 1 < type.getRank(); ++i) {
    keep(border(value, static_cast<std::size_t>(i)));
  }
}

void JoinedDimensions::visit(mlir::Operation* op) {
  if (auto generic = mlir::dyn_cast<GenericOp>(op); generic && may_join(generic)) {
    visit(generic);
  } else if (auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(op);
             fill && fill.hasPureTensorSemantics()) {
    join_all(fill.getDpsInits().front(), fill.getResult(0));
  } else if (auto expand = mlir::dyn_cast<mlir::tensor::ExpandShapeOp>(op)) {
    visit_reshape(expand.getResult(), expand.getSrc(), expand.getReassociationIndices());
  } else if (auto collapse = mlir::dyn_cast<mlir::tensor::CollapseShapeOp>(op)) {
    visit_reshape(collapse.getSrc(), collapse.getResult(), collapse.getReassociationIndices());
  } else if (auto read = mlir::dyn_cast<ToTensorOp>(op)) {
    visit_edge(read.getResult(), read.getBuffer());
  } else if (auto write = mlir::dyn_cast<MaterializeInDestinationOp>(op)) {
    visit_edge(write.getSource(), write.getDest());
  } else if (!mlir::isa<mlir::tensor::EmptyOp, mlir::arith::ConstantOp>(op)) {
    for (const Value value : op->getOperands()) keep_all(value);
    for (const Value value : op->getResults()) keep_all(value);
    for (mlir::Region& region : op->getRegions()) {
      for (const Value value : region.getArguments()) keep_all(value);
    }
  }
}

// Consecutive loops if adjacent everywhere, and of the same kind.
void JoinedDimensions::visit(GenericOp op) {
  const auto kinds = op.getIteratorTypesArray();
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    for (std::size_t i = 0; i + 1 < map.getNumResults(); ++i) {
      const unsigned loop = map.getDimPosition(static_cast<unsigned>(i));
      const unsigned next = map.getDimPosition(static_cast<unsigned>(i) + 1);
      const unsigned here = border(operand.get(), i);
      if (kinds[loop] != kinds[next]) keep(here);
      for (mlir::OpOperand& other : op->getOpOperands()) {
        const AffineMap read = op.getMatchingIndexingMap(&other);
        const std::size_t at = position(read, loop);
        const std::size_t after = position(read, next);
        const bool has = at < read.getNumResults();
        if (has != (after < read.getNumResults()) || (has && after != at + 1)) {
          keep(here);
        } else if (has) {
          join(here, border(other.get(), at));
        }
      }
    }
  }
  for (const auto [init, result] : llvm::zip(op.getDpsInits(), op.getResults())) {
    join_all(init, result);
  }
}

// Dimensions that the reshape leaves alone.
void JoinedDimensions::visit_reshape(Value fine, Value coarse,
                                     llvm::ArrayRef<mlir::ReassociationIndices> groups) {
  if (!tensor_type_of(fine).hasStaticShape()) {
    keep_all(fine);
    keep_all(coarse);
    return;
  }
  for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
    join(border(coarse, i), border(fine, static_cast<std::size_t>(groups[i].back())));
  }
}

// Rows of packed elements begin at whole words.
void JoinedDimensions::visit_edge(Value value, Value buffer) {
  const auto rank = static_cast<std::size_t>(tensor_type_of(value).getRank());
  if (rank < 2) return;
  for (mlir::Operation* user : buffer.getUsers()) {
    auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(user);
    if (!copy) continue;
    for (const Value end : {copy.getSource(), copy.getTarget()}) {
      const auto type = mlir::cast<mlir::MemRefType>(end.getType());
      const bool fills = type.getShape().back() % parts_of(type.getElementType()) == 0;
      if (type.getMemorySpace() && !fills) keep(border(value, rank - 2));
    }
  }
}

// Rows may not become too long, and good rows must not change.
void JoinedDimensions::bound(Value value) {
  const auto shape = tensor_type_of(value).getShape();
  if (shape.size() < 2 || !is_joined(value)) return;
  // Trailing dimensions of one element do not count in VMEM.
  if (shape.back() == 1) keep(border(value, shape.size() - 2));
  const auto joined = type(value).getShape();
  const std::int64_t lanes = machine_.lanes;
  const std::int64_t chunks = joined.back() / lanes;
  const bool is_wrong =
      joined.size() == 1
          ? is_good_row(shape.back(), lanes) ||
                (threshold::flat_row(chunks) && filled_row(joined.back(), machine_) == 0)
          : joined.back() != shape.back() && threshold::joined_row(chunks);
  if (!is_wrong) return;
  const ReassociationIndices row = groups(value).back();
  for (const std::int64_t at : llvm::ArrayRef(row).drop_back()) {
    keep(border(value, static_cast<std::size_t>(at)));
  }
}

llvm::SmallVector<ReassociationIndices> JoinedDimensions::groups(Value value) const {
  llvm::SmallVector<ReassociationIndices> result;
  const auto first = first_.find(value);
  for (std::int64_t i = 0; i < tensor_type_of(value).getRank(); ++i) {
    const bool is_new = i == 0 || first == first_.end() ||
                        kept_[find(first->second + static_cast<unsigned>(i) - 1)];
    if (is_new) result.emplace_back();
    result.back().push_back(i);
  }
  return result;
}

bool JoinedDimensions::is_joined(Value value) const {
  const auto type = mlir::dyn_cast<RankedTensorType>(value.getType());
  return type && static_cast<std::int64_t>(groups(value).size()) != type.getRank();
}

RankedTensorType JoinedDimensions::type(Value value) const {
  const auto type = tensor_type_of(value);
  llvm::SmallVector<std::int64_t> shape;
  for (const ReassociationIndices& group : groups(value)) {
    shape.push_back(1);
    for (const std::int64_t at : group) shape.back() *= type.getDimSize(static_cast<unsigned>(at));
  }
  return RankedTensorType::get(shape, type.getElementType());
}

}  // namespace tandem::compiler
