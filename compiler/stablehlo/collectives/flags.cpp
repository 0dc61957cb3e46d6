#include "compiler/stablehlo/collectives/flags.hpp"

#include <algorithm>

#include "compiler/contract/exchange_flags.hpp"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {

mlir::FailureOr<std::int64_t> ExchangeFlags::number(mlir::Operation* op, Key key) {
  std::sort(key.begin(), key.end());
  const auto [known, is_new] = known_.try_emplace(std::move(key), known_.size());
  if (known->second < static_cast<std::int64_t>(exchange_flags.size())) return known->second;
  return op->emitError("unimplemented: ")
         << op->getName() << " among devices that are grouped in another way than in "
         << exchange_flags.size() << " others; there are no flags left";
}

mlir::FailureOr<std::int64_t> ExchangeFlags::of_groups(mlir::Operation* op, const Groups& groups) {
  Key key{{}};  // no pairs
  for (std::int64_t i = 0; i < groups.count(); ++i) {
    const auto group = groups.group(i);
    key.emplace_back(group.begin(), group.end());
    std::sort(key.back().begin(), key.back().end());
  }
  return number(op, std::move(key));
}

mlir::FailureOr<std::int64_t> ExchangeFlags::of_pairs(mlir::Operation* op, const Pairs& pairs) {
  Key key;
  for (const auto& [from, to] : pairs.pairs) key.push_back({from, to});
  return number(op, std::move(key));
}

}  // namespace tandem::compiler
