// The dependences of a loop of one region, from iteration to iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/parameters.hpp"
#include "schedule/memory/address.hpp"
#include "schedule/memory/memory_order.hpp"
#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// `to` of `omega` iterations later issues at least `distance` cycles after `from`.
struct LoopEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t distance = 0;
  std::uint32_t omega = 0;
};

// A register that each iteration writes once and as a whole, so that each iteration may have its
// own.
struct LoopValue {
  VirtualId id = no_virtual;
  std::uint32_t writer = 0;
  std::vector<std::uint32_t> readers;  // those up to the writer read in the next iteration
};

struct LoopGraph {
  Region region;
  std::vector<Effects> effects;  // of each operation; the last is the branch back
  std::vector<LoopEdge> edges;
  std::vector<LoopValue> values;
  // Operations that only write a register of their iteration: they may be executed for an iteration
  // that does not exist.
  std::vector<bool> harmless;

  [[nodiscard]] std::uint32_t operations() const {
    return static_cast<std::uint32_t>(effects.size());
  }
  [[nodiscard]] std::uint32_t branch() const { return operations() - 1; }
};

// Whether a region is a loop: it ends in a predicated branch to its own beginning.
bool is_loop(const LinearBlock& block, const Region& region);

// Why a loop has no graph, and the operation of the block that is to blame.
struct Refusal {
  std::string reason;
  std::uint32_t operation = 0;
};

// The graph, or the reason why there is none. `values` may be at any region.
std::optional<LoopGraph> loop_graph(const LinearBlock& block, const Region& region, Values& values,
                                    const Promises& promises, const Parameters& preset,
                                    Refusal& refusal);

}  // namespace tandem::schedule
