// Which operations of a region have to follow which, and how many cycles later.
//
// A distance is the number of cycles from issue to issue after which the later operation neither
// waits nor sees wrong state; 0 is the same bundle. All slots of a bundle read the state before it,
// so a reader of a register may share the bundle of its next writer.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/parameters.hpp"
#include "schedule/memory/address.hpp"
#include "schedule/memory/memory_order.hpp"
#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct Dependence {
  std::uint32_t to = 0;
  std::uint32_t distance = 0;
};

// Nodes 0 .. operations - 1 are those of the region, in order; others mean "all of these".
struct DependenceGraph {
  std::uint32_t operations = 0;
  std::vector<Effects> effects;  // of each operation
  std::vector<std::vector<Dependence>> next;
  std::vector<std::uint32_t> predecessors;  // number of edges that end here

  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(next.size()); }
};

// Regions must be passed in order, since `values` advances with them.
DependenceGraph dependences_of(const LinearBlock& block, const Region& region, Values& values,
                               const Promises& promises, const Parameters& preset);

// The nodes in an order in which all edges go forward.
std::vector<std::uint32_t> topological_order(const DependenceGraph& graph);

}  // namespace tandem::schedule
