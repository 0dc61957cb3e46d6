// Which pair of flags an exchange has.
//
// Exchanges have the same pair where they are among the same groups, or the same pairs of devices:
// then nobody can be ahead of another by more than its own next signal, which waits in the flag
// until it is asked for (decision 170). Between different ones there is no such order, so each has
// a pair of its own.
#pragma once

#include <map>
#include <vector>

#include "compiler/stablehlo/collectives/groups.hpp"

namespace tandem::compiler {

class ExchangeFlags {
 public:
  // The number of the pair; failure after an error at the operation where none is left.
  mlir::FailureOr<std::int64_t> of_groups(mlir::Operation* op, const Groups& groups);
  mlir::FailureOr<std::int64_t> of_pairs(mlir::Operation* op, const Pairs& pairs);

 private:
  using Key = std::vector<std::vector<std::int64_t>>;  // who is with whom, in order of numbers
  mlir::FailureOr<std::int64_t> number(mlir::Operation* op, Key key);

  std::map<Key, std::int64_t> known_;
};

}  // namespace tandem::compiler
