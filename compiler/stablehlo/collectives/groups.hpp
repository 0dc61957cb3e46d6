// Which devices a collective is among.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

using Numbers = llvm::SmallVector<std::int64_t>;

// Devices in groups of one size; each device is in one of them. A collective takes and gives in the
// order in which a group names its members.
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

// Who sends to whom; nobody sends twice, nor receives twice.
struct Pairs {
  std::int64_t chips = 1;
  llvm::SmallVector<std::pair<std::int64_t, std::int64_t>> pairs;
};

// Whether the operation is done by several devices together, and has groups or pairs.
bool is_grouped_collective(llvm::StringRef name);  // "stablehlo.all_reduce"
bool is_collective(llvm::StringRef name);

// Of the operation, in its program; failure after an error at it, where they are no such groups.
mlir::FailureOr<Groups> groups_of(mlir::Operation* op);
mlir::FailureOr<Pairs> pairs_of(mlir::Operation* op);

}  // namespace tandem::compiler
