// The devices that take part in a collective.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

using Numbers = llvm::SmallVector<std::int64_t>;

// Devices in groups of one size; each device is in one of them. Operands and results of a
// collective are in the order in which a group names its members.
struct Groups {
  std::int64_t chips = 1;
  std::int64_t size = 1;
  Numbers members;  // group after group

  [[nodiscard]] llvm::ArrayRef<std::int64_t> group(std::int64_t number) const {
    return llvm::ArrayRef(members).slice(static_cast<std::size_t>(number * size),
                                         static_cast<std::size_t>(size));
  }
  [[nodiscard]] std::int64_t count() const { return chips / size; }
};

// Senders and receivers; no device sends twice or receives twice.
struct Pairs {
  std::int64_t chips = 1;
  llvm::SmallVector<std::pair<std::int64_t, std::int64_t>> pairs;
};

// Whether the operation is done by several devices together, and has groups or pairs.
bool is_grouped_collective(llvm::StringRef name);  // "stablehlo.all_reduce"
bool is_collective(llvm::StringRef name);

// The groups of the operation, in its program; failure after an error at it, where the groups are
// invalid.
mlir::FailureOr<Groups> groups_of(mlir::Operation* op);
mlir::FailureOr<Pairs> pairs_of(mlir::Operation* op);

}  // namespace tandem::compiler
