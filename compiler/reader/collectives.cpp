// Collectives in which each device takes part alone: they return their operand. Impossible ones
// stay, for their verification. And the number of a device that is alone.
#include <algorithm>

#include "compiler/reader/read.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;

std::int64_t number(mlir::ModuleOp module, llvm::StringRef name) {
  const auto attribute = module->getAttrOfType<mlir::IntegerAttr>(name);
  return attribute ? attribute.getInt() : 1;
}

// Rows of `width` numbers.
mlir::DenseIntElementsAttr rows(Operation* op, llvm::StringRef name, std::int64_t width) {
  const auto numbers = op->getAttrOfType<mlir::DenseIntElementsAttr>(name);
  const bool fits =
      numbers && numbers.getType().getRank() == 2 && numbers.getType().getDimSize(1) == width;
  return fits ? numbers : nullptr;
}

// Each partition sends to itself.
bool stays(Operation* op, std::int64_t partitions) {
  const auto pairs = rows(op, "source_target_pairs", 2);
  if (!pairs || pairs.getType().getDimSize(0) != partitions) return false;
  const llvm::SmallVector<std::int64_t> numbers(pairs.getValues<std::int64_t>());
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const bool exists = numbers[i] >= 0 && numbers[i] < partitions;
    if (numbers[i] != numbers[i + 1] || !exists) return false;
  }
  return true;
}

// Whether these devices exist, and each is named once.
bool are_devices(Operation* op, std::int64_t devices) {
  const auto groups = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!groups || !groups.getElementType().isInteger(64)) return false;
  llvm::SmallVector<std::int64_t> members(groups.getValues<std::int64_t>());
  llvm::sort(members);
  const bool exist = members.empty() || (members.front() >= 0 && members.back() < devices);
  return exist && std::adjacent_find(members.begin(), members.end()) == members.end();
}

// Whether its operands have the dimensions that it names, and their parts are one.
bool is_possible(Operation* op) {
  for (const char* name :
       {"all_gather_dim", "scatter_dimension", "split_dimension", "concat_dimension"}) {
    const auto dimension = op->getAttrOfType<mlir::IntegerAttr>(name);
    const bool is_there = !dimension || llvm::all_of(op->getOperandTypes(), [&](mlir::Type type) {
      const auto shaped = mlir::dyn_cast<mlir::RankedTensorType>(type);
      return shaped && dimension.getInt() >= 0 && dimension.getInt() < shaped.getRank();
    });
    if (!is_there) return false;
  }
  const auto parts = op->getAttrOfType<mlir::IntegerAttr>("split_count");
  return !parts || parts.getInt() == 1;
}

bool is_of_one(Operation* op, std::int64_t devices, std::int64_t partitions) {
  const llvm::StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.collective_permute") return stays(op, partitions);
  return is_grouped_collective(name) && (devices == 1 || rows(op, "replica_groups", 1)) &&
         are_devices(op, devices) && is_possible(op);
}

void become_zero(Operation* op) {
  const auto type = mlir::cast<mlir::ShapedType>(op->getResult(0).getType());
  mlir::OperationState state(op->getLoc(), "stablehlo.constant", {}, op->getResultTypes());
  state.addAttribute("value", mlir::DenseElementsAttr::get(type, llvm::APInt(32, 0)));
  op->replaceAllUsesWith(mlir::OpBuilder(op).create(state));
  op->erase();
}

bool is_word(Operation* op) {
  const auto type = op->getNumResults() == 1
                        ? mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType())
                        : nullptr;
  return type && type.getElementType().isInteger(32);
}

}  // namespace

void resolve_alone(mlir::ModuleOp module) {
  const std::int64_t partitions = number(module, "mhlo.num_partitions");
  const std::int64_t replicas = number(module, "mhlo.num_replicas");
  llvm::SmallVector<Operation*> all;
  module.walk([&](Operation* op) { all.push_back(op); });
  for (Operation* op : llvm::reverse(all)) {
    const llvm::StringRef name = op->getName().getStringRef();
    const bool is_first = (name == "stablehlo.partition_id" && partitions == 1) ||
                          (name == "stablehlo.replica_id" && replicas == 1);
    if (is_first && is_word(op)) {
      become_zero(op);
    } else if (is_of_one(op, partitions * replicas, partitions) &&
               op->getOperandTypes() == op->getResultTypes()) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    }
  }
}

}  // namespace tandem::compiler
