// The order among accesses to one memory: VMEM in rows, SMEM in words, accumulators.
//
// Accesses whose addresses have a common base are compared place by place. Those with different
// bases, or of unknown extent, may overlap and stay in order wherever one of them writes, unless
// their ranges are disjoint or the author has promised so.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "schedule/memory/address.hpp"

namespace tandem::schedule {

// Adds edges and nodes to a graph; see dependence.hpp.
class GraphBuilder {
 public:
  virtual ~GraphBuilder() = default;
  virtual void edge(std::uint32_t from, std::uint32_t to, std::uint32_t distance) = 0;
  virtual std::uint32_t join() = 0;  // a new node that is not an operation
};

struct MemoryAccess {
  bool writes = false;
  bool extent_known = false;
  Symbolic address;
  std::int32_t units = 1;
  std::int32_t stride = 1;
  MaybeRange hull;                 // contains everything that may be touched
  VirtualId through = no_virtual;  // the register that the address names
  bool in_frame = false;           // of the block, where nothing else reaches
};

// The hull of rows `stride` apart, starting at an address of this range.
MaybeRange hull_of(const MaybeRange& address, std::int64_t units, std::int64_t stride);
// The part of its memory that an instruction touches, for VMEM in rows of this many lanes; nothing
// if the extent is unknown.
MaybeRange hull_of(const MaybeRange& address, const MemoryUse& use, std::uint32_t lanes);

// The author's promises, by pairs of registers.
class Promises {
 public:
  explicit Promises(const LinearBlock& block);
  [[nodiscard]] bool apart(VirtualId a, VirtualId b) const;

 private:
  [[nodiscard]] VirtualId original(VirtualId id) const;

  const LinearBlock* block_;
  std::set<std::pair<VirtualId, VirtualId>> pairs_;
};

class MemoryOrder {
 public:
  MemoryOrder(GraphBuilder& graph, const Promises& promises)
      : graph_(&graph), promises_(&promises) {}

  // Cycles until a later access sees a store; for an accumulator, those of its multiply.
  void access(std::uint32_t node, const MemoryAccess& access, std::uint32_t visible_after = 1);
  // Every access so far comes before the node.
  void before(std::uint32_t node);

 private:
  static constexpr std::uint32_t none = ~0U;
  static constexpr std::size_t most_bases = 12;

  struct Pending {  // nodes, and one that represents earlier ones
    std::uint32_t fence = none;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  // with distance
    [[nodiscard]] bool empty() const { return fence == none && nodes.empty(); }
  };
  struct Place {
    std::uint32_t store = none;
    std::uint32_t store_distance = 1;
    std::vector<std::uint32_t> loads;  // since the store
  };
  struct Base {
    Pending stores;
    Pending accesses;
    MaybeRange hull;                 // of all accesses
    VirtualId through = no_virtual;  // of all, or none
    bool in_frame = false;           // some are
    bool outside = false;            // some are not
    std::unordered_map<std::uint32_t, Place> places;
  };

  [[nodiscard]] bool apart(const Base& base, const MemoryAccess& access) const;
  Base& base_of(const MemoryAccess& access, bool& exact);
  void wait_for(Pending& pending, std::uint32_t node);
  void touch(Place& place, std::uint32_t node, bool writes, std::uint32_t visible_after);

  GraphBuilder* graph_;
  const Promises* promises_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Base> bases_;  // the unknown one: see base_of
};

}  // namespace tandem::schedule
