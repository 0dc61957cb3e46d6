#include "compiler/stablehlo/collectives/groups.hpp"

#include <numeric>

#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;

constexpr std::int64_t most_chips = 64;

mlir::InFlightDiagnostic complain(Operation* op) {
  return op->emitError() << op->getName() << ": ";
}

std::int64_t number(Operation* module, llvm::StringRef name) {
  const auto attribute = module->getAttrOfType<mlir::IntegerAttr>(name);
  return attribute ? attribute.getInt() : 1;
}

// The number of devices that the program is for.
mlir::FailureOr<std::int64_t> chips_of(Operation* op) {
  auto module = op->getParentOfType<mlir::ModuleOp>();
  if (number(module, "mhlo.num_replicas") != 1) {
    return op->emitError("unimplemented: ") << op->getName() << " among replicas of a program";
  }
  const std::int64_t chips = number(module, "mhlo.num_partitions");
  if (chips < 1 || chips > most_chips) {
    return op->emitError("unimplemented: ")
           << op->getName() << " among " << chips << " devices; there are 1 to " << most_chips;
  }
  return chips;
}

mlir::FailureOr<Numbers> table(Operation* op, llvm::StringRef name) {
  const auto numbers = op->getAttrOfType<mlir::DenseIntElementsAttr>(name);
  if (!numbers || numbers.getType().getRank() != 2 || !numbers.getElementType().isInteger(64)) {
    return complain(op) << name << " is no table of numbers";
  }
  return Numbers(numbers.getValues<std::int64_t>());
}

mlir::LogicalResult is_device(Operation* op, std::int64_t device, std::int64_t chips) {
  if (device >= 0 && device < chips) return mlir::success();
  return complain(op) << "it names device " << device << " of " << chips;
}

}  // namespace

bool is_grouped_collective(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all"}, true)
      .Cases({"stablehlo.collective_broadcast", "stablehlo.reduce_scatter"}, true)
      .Default(false);
}

bool is_collective(llvm::StringRef name) {
  return is_grouped_collective(name) || name == "stablehlo.collective_permute";
}

mlir::FailureOr<Groups> groups_of(Operation* op) {
  const auto chips = chips_of(op);
  if (mlir::failed(chips)) return mlir::failure();
  auto members = table(op, "replica_groups");
  if (mlir::failed(members)) return mlir::failure();
  Groups groups{*chips, *chips, std::move(*members)};
  if (groups.members.empty()) {  // all devices together
    groups.members.resize(static_cast<std::size_t>(*chips));
    std::iota(groups.members.begin(), groups.members.end(), 0);
    return groups;
  }
  groups.size =
      op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups").getType().getDimSize(1);
  llvm::SmallVector<bool> seen(static_cast<std::size_t>(*chips), false);
  for (const std::int64_t device : groups.members) {
    if (device == -1) {
      return op->emitError("unimplemented: ") << op->getName() << " in groups of different sizes";
    }
    if (mlir::failed(is_device(op, device, *chips))) return mlir::failure();
    if (seen[device]) return complain(op) << "it names device " << device << " twice";
    seen[device] = true;
  }
  const auto* const left = llvm::find(seen, false);
  if (left == seen.end()) return groups;
  return complain(op) << "device " << (left - seen.begin()) << " is in none of its groups";
}

mlir::FailureOr<Pairs> pairs_of(Operation* op) {
  const auto chips = chips_of(op);
  if (mlir::failed(chips)) return mlir::failure();
  const auto devices = table(op, "source_target_pairs");
  if (mlir::failed(devices)) return mlir::failure();
  if (devices->size() % 2 != 0) return complain(op) << "source_target_pairs are no pairs";
  Pairs result{*chips, {}};
  llvm::SmallVector<bool> sends(static_cast<std::size_t>(*chips), false);
  llvm::SmallVector<bool> receives = sends;
  for (std::size_t i = 0; i < devices->size(); i += 2) {
    const std::int64_t from = (*devices)[i];
    const std::int64_t to = (*devices)[i + 1];
    if (mlir::failed(is_device(op, from, *chips)) || mlir::failed(is_device(op, to, *chips))) {
      return mlir::failure();
    }
    if (sends[from]) return complain(op) << "device " << from << " sends twice";
    if (receives[to]) return complain(op) << "device " << to << " receives twice";
    sends[from] = receives[to] = true;
    result.pairs.emplace_back(from, to);
  }
  return result;
}

}  // namespace tandem::compiler
