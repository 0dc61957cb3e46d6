// Linear operations assigned to bundles, on registers that may still be virtual: the output of
// scheduling and the input of register allocation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/program/linear.hpp"
#include "schedule/program/range.hpp"

namespace tandem::schedule {

struct BundledOperation {
  LinearOperation item;
  Slot slot = Slot::sa;
};

// A place where control may arrive: the operation there, and the bundle that represents it.
struct Cut {
  std::uint32_t operation = 0;
  std::uint32_t bundle = 0;
};

// The scheduler's assumption about a scalar where control arrives. For the validator, which accepts
// it only after checking that every path to the place ensures it.
struct Claim {
  std::uint32_t cut = 0;
  VirtualId id = no_virtual;
  Range range;
};

struct Bundled {
  std::vector<VirtualRegister> virtuals;
  std::vector<BundledOperation> operations;  // those of bundle b: first[b] to first[b + 1] - 1
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> labels;  // the bundle that each precedes
  std::vector<Cut> cuts;              // ascending
  std::vector<Claim> claims;          // by cut
  std::uint32_t cycles = 0;           // as in schedule.hpp
  [[nodiscard]] std::uint32_t bundles() const {
    return static_cast<std::uint32_t>(first.size() - 1);
  }
  [[nodiscard]] std::span<const BundledOperation> bundle(std::uint32_t number) const {
    return {operations.data() + first[number], first[number + 1] - first[number]};
  }
  // The operations added since the last call become a bundle.
  void close_bundle() { first.push_back(static_cast<std::uint32_t>(operations.size())); }
};

// The first slot that takes an instruction.
Slot first_slot(const Instruction& row);

// One operation a bundle, in the order written.
Bundled in_sequence(const LinearBlock& block);

}  // namespace tandem::schedule
