// The pairs of flags of an exchange: one for a direct exchange, two for one round a ring.
//
// Exchanges have the same pair where they are among the same groups, or the same pairs of devices:
// then nobody can be ahead of another by more than its own next signal, which stays in the flag
// until it is waited for (decision 170). Between different ones there is no such order, so each has
// a pair of its own. Where there are more exchanges than pairs of flags, those that all devices
// reach, at the level of the function, share one: then each device signals to each other one, and
// none goes round a ring. In a ring only neighbours signal to each other, so rings of the same
// members in another order, and direct exchanges, are of another kind.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "compiler/stablehlo/collectives/groups.hpp"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tandem::compiler {

class ExchangeFlags {
 public:
  struct Choice {
    std::int64_t pair = 0;
    bool by_all = false;                 // each device signals to each
    std::optional<std::int64_t> second;  // goes round a ring
  };

  // Failure after an error at the operation for which no flag is left.
  mlir::LogicalResult plan(llvm::ArrayRef<mlir::Operation*> collectives,
                           llvm::function_ref<bool(mlir::Operation*)> may_go_round);
  // One pair of flags.
  [[nodiscard]] Choice of(mlir::Operation* op) const { return choices_.lookup(op); }

 private:
  using Key = std::vector<std::vector<std::int64_t>>;  // the members, in order of numbers
  // A kind of exchange, and its operations.
  struct Kind {
    Key key;
    llvm::SmallVector<mlir::Operation*> operations;
    bool is_ring = false;
    bool is_inside = false;  // in a loop or a branch, which some devices may not reach
  };

  static mlir::FailureOr<Key> key_of(mlir::Operation* op, bool is_ring);
  mlir::LogicalResult collect(llvm::ArrayRef<mlir::Operation*> collectives,
                              llvm::function_ref<bool(mlir::Operation*)> may_go_round);
  [[nodiscard]] std::size_t pairs() const;
  mlir::LogicalResult share();
  void give(const Kind& kind, Choice choice);

  std::vector<Kind> kinds_;
  llvm::DenseMap<mlir::Operation*, Choice> choices_;
};

}  // namespace tandem::compiler
