#include "schedule/memory/memory_order.hpp"

#include <algorithm>

namespace tandem::schedule {
namespace {

constexpr std::pair<std::uint32_t, std::uint32_t> unknown_base{~0U, ~0U};

}  // namespace

MaybeRange hull_of(const MaybeRange& address, std::int64_t units, std::int64_t stride) {
  const std::int64_t span = (units - 1) * stride;
  const MaybeRange last = shifted(address, 0, span);
  if (!address || !last) return std::nullopt;
  return Range{address->anchor, std::min(address->low, last->low),
               std::max(address->high, last->high), 1};
}

MaybeRange hull_of(const MaybeRange& address, const MemoryUse& use, std::uint32_t lanes) {
  if (!use.extent_known) return std::nullopt;
  const MaybeRange hull = hull_of(address, use.units, use.stride);
  return use.in_words ? rows_of_words(hull, lanes) : hull;
}

Promises::Promises(const LinearBlock& block) : block_(&block) {
  for (const Disjoint& promise : block.disjoint) {
    pairs_.emplace(std::min(promise.a, promise.b), std::max(promise.a, promise.b));
  }
}

bool Promises::apart(VirtualId a, VirtualId b) const {
  if (pairs_.empty() || a == no_virtual || b == no_virtual) return false;
  a = original(a);
  b = original(b);
  return pairs_.count({std::min(a, b), std::max(a, b)}) != 0;
}

VirtualId Promises::original(VirtualId id) const {
  const VirtualId from = block_->virtuals[id].copy_of;
  return from == no_virtual ? id : from;
}

bool MemoryOrder::apart(const Base& base, const MemoryAccess& access) const {
  if (access.in_frame ? !base.in_frame : !base.outside) return true;
  return schedule::apart(base.hull, access.hull) || promises_->apart(base.through, access.through);
}

// Beyond a number of bases, new ones share the unknown base: the work stays proportional to the
// code.
MemoryOrder::Base& MemoryOrder::base_of(const MemoryAccess& access, bool& exact) {
  exact = false;
  if (!access.extent_known) return bases_[unknown_base];
  const std::pair key{access.address.root, access.address.anchor};
  const auto found = bases_.find(key);
  if (found == bases_.end() && bases_.size() >= most_bases) return bases_[unknown_base];
  exact = true;
  return found == bases_.end() ? bases_[key] : found->second;
}

// Many nodes are joined in one, so that the edges stay proportional to the operations.
void MemoryOrder::wait_for(Pending& pending, std::uint32_t node) {
  if (pending.nodes.size() > 2) {
    const std::uint32_t fence = graph_->join();
    if (pending.fence != none) graph_->edge(pending.fence, fence, 0);
    for (const auto& [from, distance] : pending.nodes) graph_->edge(from, fence, distance);
    pending.nodes.clear();
    pending.fence = fence;
  }
  if (pending.fence != none) graph_->edge(pending.fence, node, 0);
  for (const auto& [from, distance] : pending.nodes) graph_->edge(from, node, distance);
}

void MemoryOrder::touch(Place& place, std::uint32_t node, bool writes,
                        std::uint32_t visible_after) {
  if (place.store != none && place.store != node) {
    graph_->edge(place.store, node, writes ? 1 : place.store_distance);
  }
  if (!writes) {
    place.loads.push_back(node);
    return;
  }
  for (const std::uint32_t load : place.loads) {
    if (load != node) graph_->edge(load, node, 0);
  }
  place.loads.clear();
  place.store = node;
  place.store_distance = visible_after;
}

void MemoryOrder::access(std::uint32_t node, const MemoryAccess& access,
                         std::uint32_t visible_after) {
  bool exact = false;
  Base& own = base_of(access, exact);
  for (auto& [key, base] : bases_) {
    if (&base == &own || base.accesses.empty() || apart(base, access)) continue;
    wait_for(access.writes ? base.accesses : base.stores, node);
  }
  if (exact) {
    for (std::int32_t r = 0; r < access.units; ++r) {
      const auto at =
          static_cast<std::uint32_t>(access.address.offset + std::int64_t{r} * access.stride);
      touch(own.places[at], node, access.writes, visible_after);
    }
  } else {
    touch(own.places[0], node, access.writes, visible_after);
  }
  const bool first = own.accesses.empty();
  own.hull = first ? access.hull : joined(own.hull, access.hull);
  own.through = first || own.through == access.through ? access.through : no_virtual;
  (access.in_frame ? own.in_frame : own.outside) = true;
  own.accesses.nodes.emplace_back(node, access.writes ? visible_after : 0);
  if (access.writes) own.stores.nodes.emplace_back(node, visible_after);
}

void MemoryOrder::before(std::uint32_t node) {
  for (auto& [key, base] : bases_) wait_for(base.accesses, node);
}

}  // namespace tandem::schedule
