// Which pairs of flags an exchange has: one that goes straight one, and one round a ring two.
//
// Exchanges have the same pair where they are among the same groups, or the same pairs of devices:
// then nobody can be ahead of another by more than its own next signal, which waits in the flag
// until it is asked for (decision 170). Between different ones there is no such order, so each has
// a pair of its own. Where there are more than pairs of flags, those that all devices come to, at
// the level of the function, share one: then each device hears of each other one, and none goes
// round a ring. In a ring only those side by side hear of each other, so those of the same members
// in another order, and those that go straight, are of another kind.
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

  // Failure after an error at the operation that none is left for.
  mlir::LogicalResult plan(llvm::ArrayRef<mlir::Operation*> collectives,
                           llvm::function_ref<bool(mlir::Operation*)> may_go_round);
  // One of those.
  [[nodiscard]] Choice of(mlir::Operation* op) const { return choices_.lookup(op); }

 private:
  using Key = std::vector<std::vector<std::int64_t>>;  // who is with whom, in order of numbers
  // A kind of exchange, and the operations that are of it.
  struct Kind {
    Key key;
    llvm::SmallVector<mlir::Operation*> operations;
    bool is_ring = false;
    bool is_inside = false;  // of a loop or a branch, which some devices may not come to
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
