// One path through linear code, operation by operation, and the times at which the bundles issue
// each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schedule/program/linear.hpp"
#include "schedule/proof/bounds.hpp"

namespace tandem::schedule::proof {

// The contents of a register: the result of an instance (its number), or its value at the cut
// (below zero, see initial()).
using Value = std::int64_t;
using Key = std::uint32_t;  // of a register of the linear code or of the machine
inline Value initial(Key key) { return -1 - static_cast<Value>(key); }
inline Key key_of_initial(Value value) { return static_cast<Key>(-1 - value); }

// A number, as far as known: base + anchor + offset; `base` no_base is none.
struct Number {
  static constexpr Value no_base = INT64_MIN;
  Value base = no_base;
  std::uint32_t anchor = 0;
  std::int64_t offset = 0;
};

struct Touched {
  LocalMemory space = LocalMemory::none;  // none: accumulators
  bool writes = false;
  bool exact = false;
  Number at;
  std::int64_t units = 1;
  std::int64_t stride = 1;
  MaybeBound hull{};               // in any iteration
  VirtualId through = no_virtual;  // the register of the address
};

struct Instance {
  std::uint32_t operation = 0;  // in the block
  const Effects* effects = nullptr;
  std::vector<Value> reads;
  std::vector<Touched> touched;
  std::optional<Number> row;  // of weights
  std::uint32_t time = ~0U;   // bundles issued before its own on this path
};

// "" or the first pair of effects that are out of order.
std::string check_order(const LinearBlock& block, const std::vector<Instance>& trace);

}  // namespace tandem::schedule::proof
