#include "compiler/tensor/lowering/exchange/ring_group.hpp"

#include <algorithm>
#include <utility>

#include "compiler/contract/exchange_flags.hpp"
#include "compiler/functions/ring_neighbours.hpp"
#include "compiler/tensor/lowering/exchange/exchange_call.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {
namespace {

using Members = llvm::ArrayRef<std::int64_t>;

bool are_devices_once(Members members) {
  llvm::SmallVector<bool> seen(members.size(), false);
  return llvm::all_of(members, [&](std::int64_t member) {
    return is_below(member, static_cast<std::int64_t>(seen.size())) &&
           !std::exchange(seen[member], true);
  });
}

bool are_pairs(Members flags) {
  const auto pairs = static_cast<std::int64_t>(exchange_flags.size());
  return flags.size() == 2 && is_below(flags[0], pairs) && is_below(flags[1], pairs) &&
         flags[0] != flags[1];
}

bool are_in_order(Members members) {
  return llvm::all_of(llvm::enumerate(members), [](const auto& member) {
    return static_cast<std::int64_t>(member.index()) == member.value();
  });
}

}  // namespace

mlir::FailureOr<RingGroup> ring_group(mlir::Operation* op) {
  const auto members = integers(op, "members");
  const auto places = integer(op, "places");
  const auto flags = integers(op, "flags");
  if (mlir::failed(members) || mlir::failed(places) || mlir::failed(flags)) return mlir::failure();
  const bool is_ring = *places >= 3 && *places <= 64 && !members->empty() &&
                       members->size() % *places == 0 && are_devices_once(*members);
  if (!is_ring || !are_pairs(*flags)) {
    return op->emitError("a ring is of 3 to 64 devices, with two pairs of flags");
  }
  const ExchangeFlagPair first = exchange_flags[(*flags)[0]];
  const ExchangeFlagPair second = exchange_flags[(*flags)[1]];
  const bool is_one = static_cast<std::int64_t>(members->size()) == *places;
  return RingGroup{static_cast<std::uint32_t>(*places),
                   *members,
                   !is_one || !are_in_order(*members),
                   first.ready,
                   first.arrived,
                   second.arrived,
                   second.ready,
                   std::max((*flags)[0], (*flags)[1])};
}

std::vector<std::uint32_t> RingGroup::table() const {
  std::vector<std::uint32_t> words(members.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = i / places * places;
    const auto chip = [&](std::size_t place) {
      return static_cast<std::uint32_t>(members[first + place % places]);
    };
    const std::size_t place = i - first;
    words[members[i]] =
        ring_word(static_cast<std::uint32_t>(place), chip(place + 1), chip(place + places - 1));
  }
  return words;
}

}  // namespace tandem::compiler
