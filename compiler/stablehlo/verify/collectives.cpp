// Joint operations of several devices: the devices, and the change of an extent.
#include <fmt/format.h>

#include "compiler/stablehlo/collectives/groups.hpp"
#include "compiler/stablehlo/verify/facts.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::verify {
namespace {

// As many results as operands, of the same elements.
bool one_to_one(Facts& facts) {
  mlir::Operation* op = facts.op();
  const bool is_alike =
      op->getNumOperands() > 0 && op->getNumOperands() == op->getNumResults() &&
      llvm::all_of(llvm::zip(op->getOperandTypes(), op->getResultTypes()), [](const auto& types) {
        return mlir::getElementTypeOrSelf(std::get<0>(types)) ==
               mlir::getElementTypeOrSelf(std::get<1>(types));
      });
  return facts.want(is_alike, "it has a result of the same elements for each operand");
}

// A computation on elements of each operand, with one result.
bool computes_elements(Facts& facts) {
  mlir::Region& body = facts.op()->getRegion(0);
  llvm::SmallVector<mlir::Type> types(body.getArgumentTypes());
  types.append(llvm::to_vector(body.front().back().getOperandTypes()));
  const bool is_alike = llvm::all_of(facts.op()->getOperandTypes(), [&](mlir::Type operand) {
    return llvm::all_of(types, [&](mlir::Type type) {
      return mlir::getElementTypeOrSelf(type) == mlir::getElementTypeOrSelf(operand);
    });
  });
  return facts.want(is_alike, "its computation is of other elements than its operands");
}

// The shape of each result, which `change` derives from that of its operand.
template <typename Change>
bool shapes(Facts& facts, Change change) {
  for (std::size_t i = 0; i < facts.op()->getNumOperands(); ++i) {
    Shape shape = shape_of(facts.operand(i));
    if (!change(shape) || !facts.shape(shape, i)) return false;
  }
  return true;
}

bool same_shapes(Facts& facts) {
  return shapes(facts, [](Shape&) { return true; });
}

bool shrinks(Facts& facts, Shape& shape, llvm::StringRef name, std::int64_t dimension,
             std::int64_t size) {
  if (!facts.dimensions(name, dimension, shape.size())) return false;
  const auto extent = static_cast<std::int64_t>(shape[dimension]);
  if (extent % size != 0) {
    return facts.fail(fmt::format("dimension {} has {}, which are not {} parts of one size",
                                  dimension, extent, size));
  }
  shape[dimension] /= size;
  return true;
}

bool all_gather(Facts& facts, std::int64_t size) {
  const std::int64_t along = facts.number("all_gather_dim", -1);
  return !facts.failed() && shapes(facts, [&](Shape& shape) {
    if (!facts.dimensions("all_gather_dim", along, shape.size())) return false;
    shape[along] *= size;
    return true;
  });
}

bool reduce_scatter(Facts& facts, std::int64_t size) {
  const std::int64_t along = facts.number("scatter_dimension", -1);
  return !facts.failed() && shapes(facts, [&](Shape& shape) {
    return shrinks(facts, shape, "scatter_dimension", along, size);
  });
}

bool all_to_all(Facts& facts, std::int64_t size) {
  const std::int64_t from = facts.number("split_dimension", -1);
  const std::int64_t to = facts.number("concat_dimension", -1);
  const std::int64_t count = facts.number("split_count", -1);
  if (facts.failed() ||
      !facts.want(count == size, fmt::format("it has {} parts for {} devices", count, size))) {
    return false;
  }
  return shapes(facts, [&](Shape& shape) {
    if (!facts.dimensions("concat_dimension", to, shape.size()) ||
        !shrinks(facts, shape, "split_dimension", from, size)) {
      return false;
    }
    shape[to] *= size;
    return true;
  });
}

bool has_no_root(Facts& facts) {
  const auto dynamic = facts.op()->getAttrOfType<mlir::BoolAttr>("has_dynamic_root");
  return facts.want(!dynamic || !dynamic.getValue(), "unimplemented: a root that is computed");
}

}  // namespace

bool verify_collectives(Facts& facts, llvm::StringRef name) {
  mlir::Operation* op = facts.op();
  if (name == "partition_id") {
    return facts.counts(0, 1) &&
           facts.want(facts.result().empty() &&
                          mlir::getElementTypeOrSelf(op->getResult(0).getType()).isInteger(32),
                      "its result is one number of 32 bits");
  }
  if (!is_collective(op->getName().getStringRef())) return true;
  if (!one_to_one(facts)) return false;
  if (name == "collective_permute") {
    return same_shapes(facts) && mlir::succeeded(pairs_of(op));
  }
  const auto groups = groups_of(op);
  if (mlir::failed(groups)) return false;
  if (op->getNumRegions() != 0 && !computes_elements(facts)) return false;
  if (name == "all_gather") return all_gather(facts, groups->size);
  if (name == "reduce_scatter") return reduce_scatter(facts, groups->size);
  if (name == "all_to_all") return all_to_all(facts, groups->size);
  return has_no_root(facts) && same_shapes(facts);
}

}  // namespace tandem::compiler::verify
