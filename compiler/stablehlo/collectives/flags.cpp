#include "compiler/stablehlo/collectives/flags.hpp"

#include <algorithm>

#include "compiler/contract/exchange_flags.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {

mlir::FailureOr<ExchangeFlags::Key> ExchangeFlags::key_of(mlir::Operation* op) {
  Key key;
  if (is_grouped_collective(op->getName().getStringRef())) {
    const auto groups = groups_of(op);
    if (mlir::failed(groups)) return mlir::failure();
    key.emplace_back();  // no pairs
    for (std::int64_t i = 0; i < groups->count(); ++i) {
      const auto group = groups->group(i);
      key.emplace_back(group.begin(), group.end());
      std::sort(key.back().begin(), key.back().end());
    }
  } else {
    const auto pairs = pairs_of(op);
    if (mlir::failed(pairs)) return mlir::failure();
    for (const auto& [from, to] : pairs->pairs) key.push_back({from, to});
  }
  std::sort(key.begin(), key.end());
  return key;
}

mlir::LogicalResult ExchangeFlags::collect(llvm::ArrayRef<mlir::Operation*> collectives) {
  std::map<Key, std::size_t> known;
  for (mlir::Operation* op : collectives) {
    auto key = key_of(op);
    if (mlir::failed(key)) return mlir::failure();
    const auto [place, is_new] = known.try_emplace(*key, kinds_.size());
    if (is_new) kinds_.push_back({*std::move(key), {}, false});
    Kind& kind = kinds_[place->second];
    kind.operations.push_back(op);
    kind.is_inside = kind.is_inside || !mlir::isa<mlir::func::FuncOp>(op->getParentOp());
  }
  return mlir::success();
}

void ExchangeFlags::give(const Kind& kind, Choice choice) {
  for (mlir::Operation* op : kind.operations) choices_[op] = choice;
}

// The first pair is for all; those in loops and branches have the next ones.
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
    give(kind, {next++, false});
  }
  for (const Kind& kind : kinds_) {
    if (kind.is_inside) continue;
    give(kind, is_left() ? Choice{next++, false} : Choice{0, true});
  }
  return mlir::success();
}

mlir::LogicalResult ExchangeFlags::plan(llvm::ArrayRef<mlir::Operation*> collectives) {
  if (mlir::failed(collect(collectives))) return mlir::failure();
  if (kinds_.size() > exchange_flags.size()) return share();
  for (const auto& [number, kind] : llvm::enumerate(kinds_)) {
    give(kind, {static_cast<std::int64_t>(number), false});
  }
  return mlir::success();
}

}  // namespace tandem::compiler
