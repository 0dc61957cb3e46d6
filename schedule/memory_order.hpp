// The order among accesses to one memory: VMEM in rows, SMEM in words, accumulators.
//
// Accesses whose addresses have a base in common are told apart place by place; those of different
// bases, or of unknown extent, may touch the same and stay in order wherever one of them writes.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "schedule/address.hpp"

namespace tandem::schedule {

// Adds edges and nodes to a graph; see dependence.hpp.
class GraphBuilder {
 public:
  virtual ~GraphBuilder() = default;
  virtual void edge(std::uint32_t from, std::uint32_t to, std::uint32_t distance) = 0;
  virtual std::uint32_t join() = 0;  // a new node that is no operation
};

struct MemoryAccess {
  bool writes = false;
  bool extent_known = false;
  Symbolic address;
  std::int32_t units = 1;
  std::int32_t stride = 1;
};

class MemoryOrder {
 public:
  explicit MemoryOrder(GraphBuilder& graph) : graph_(&graph) {}

  // A later access sees a store after so many cycles; an accumulator after those of its multiply.
  void access(std::uint32_t node, const MemoryAccess& access, std::uint32_t visible_after = 1);
  // Every access so far comes before the node.
  void before(std::uint32_t node);

 private:
  static constexpr std::uint32_t none = ~0U;
  static constexpr std::size_t most_bases = 12;

  struct Pending {  // nodes, and one that stands for those before
    std::uint32_t fence = none;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  // with distance
  };
  struct Place {
    std::uint32_t store = none;
    std::uint32_t store_distance = 1;
    std::vector<std::uint32_t> loads;  // since the store
  };
  struct Base {
    Pending stores;
    Pending accesses;
    std::unordered_map<std::uint32_t, Place> places;
  };

  Base& base_of(const MemoryAccess& access, bool& exact);
  void wait_for(Pending& pending, std::uint32_t node);
  void touch(Place& place, std::uint32_t node, bool writes, std::uint32_t visible_after);

  GraphBuilder* graph_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Base> bases_;  // the unknown one: see base_of
};

}  // namespace tandem::schedule
