#include "compiler/stablehlo/collectives/flags.hpp"

#include <algorithm>

#include "compiler/contract/exchange_flags.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {

mlir::FailureOr<ExchangeFlags::Key> ExchangeFlags::key_of(mlir::Operation* op, bool is_ring) {
  Key key;
  if (is_grouped_collective(op->getName().getStringRef())) {
    const auto groups = groups_of(op);
    if (mlir::failed(groups)) return mlir::failure();
    key.emplace_back();  // no pairs
    for (std::int64_t i = 0; i < groups->count(); ++i) {
      const auto group = groups->group(i);
      key.emplace_back(group.begin(), group.end());
      if (!is_ring) std::sort(key.back().begin(), key.back().end());
    }
  } else {
    const auto pairs = pairs_of(op);
    if (mlir::failed(pairs)) return mlir::failure();
    for (const auto& [from, to] : pairs->pairs) key.push_back({from, to});
  }
  std::sort(key.begin(), key.end());
  return key;
}

mlir::LogicalResult ExchangeFlags::collect(
    llvm::ArrayRef<mlir::Operation*> collectives,
    llvm::function_ref<bool(mlir::Operation*)> may_go_round) {
  kinds_.clear();
  std::map<std::pair<bool, Key>, std::size_t> known;
  for (mlir::Operation* op : collectives) {
    const bool is_ring = may_go_round(op);
    auto key = key_of(op, is_ring);
    if (mlir::failed(key)) return mlir::failure();
    const auto [place, is_new] = known.try_emplace({is_ring, *key}, kinds_.size());
    if (is_new) kinds_.push_back({*std::move(key), {}, is_ring, false});
    Kind& kind = kinds_[place->second];
    kind.operations.push_back(op);
    kind.is_inside = kind.is_inside || !mlir::isa<mlir::func::FuncOp>(op->getParentOp());
  }
  return mlir::success();
}

void ExchangeFlags::give(const Kind& kind, Choice choice) {
  for (mlir::Operation* op : kind.operations) choices_[op] = choice;
}

// All exchanges share the first pair; those in loops and branches have the next ones.
mlir::LogicalResult ExchangeFlags::share() {
  std::int64_t next = 1;
  const auto is_left = [&] { return next < static_cast<std::int64_t>(exchange_flags.size()); };
  for (const Kind& kind : kinds_) {
    if (!kind.is_inside) continue;
    if (!is_left()) {
      mlir::Operation* op = kind.operations.front();
      return op->emitError("unimplemented: ")
             << op->getName() << " among devices that are grouped in another way than in "
             << next - 1 << " others in loops and branches; there are no flags left";
    }
    give(kind, {next++, false, {}});
  }
  for (const Kind& kind : kinds_) {
    if (kind.is_inside) continue;
    give(kind, is_left() ? Choice{next++, false, {}} : Choice{0, true, {}});
  }
  return mlir::success();
}

std::size_t ExchangeFlags::pairs() const {
  std::size_t pairs = 0;
  for (const Kind& kind : kinds_) pairs += kind.is_ring ? 2 : 1;
  return pairs;
}

mlir::LogicalResult ExchangeFlags::plan(llvm::ArrayRef<mlir::Operation*> collectives,
                                        llvm::function_ref<bool(mlir::Operation*)> may_go_round) {
  if (mlir::failed(collect(collectives, may_go_round))) return mlir::failure();
  if (pairs() > exchange_flags.size()) {
    if (mlir::failed(collect(collectives, [](mlir::Operation*) { return false; }))) {
      return mlir::failure();
    }
  }
  if (pairs() > exchange_flags.size()) return share();
  std::int64_t next = 0;
  for (const Kind& kind : kinds_) {
    Choice choice{next++, false, {}};
    if (kind.is_ring) choice.second = next++;
    give(kind, choice);
  }
  return mlir::success();
}

}  // namespace tandem::compiler
