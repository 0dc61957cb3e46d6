// Turns the bits of a bundle into micro-operations in an order in which they can run one after
// another.
//
// All slots read the state before the bundle. Most bundles need nothing for that: some order of
// their operations reads every register before it is written. Only a cycle (a swap of two
// registers) requires one of them to write into a spare register, which is moved to its place at
// the end.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/golden/micro_op.hpp"
#include "isa/image.hpp"
#include "isa/state/trap.hpp"

namespace tandem::golden {

struct BundlePlan {
  std::uint32_t first = 0;  // in MicroOps: guards, then checks, then operations
  std::uint8_t guards = 0;  // conditional operations: their predicates
  std::uint8_t checks = 0;  // in slot order
  std::uint8_t operations = 0;
  bool decoded = false;
  bool control = false;             // the first check is of slot sa
  bool traps = false;               // illegal encoding or write conflict
  bool copies = false;              // slot dma holds `copy`
  bool volatile_csr = false;        // slot sb reads a CSR that depends on time
  std::uint16_t unconditional = 0;  // slots, by bit, whose predicate is p0
};

// The slots of a bundle that its predicates enable.
struct EnabledSlots {
  std::uint16_t slots = 0;    // by bit
  std::uint16_t variant = 0;  // which of the guards hold: below 2 ^ BundlePlan::guards
};

using MicroOps = std::vector<MicroOp>;

// The trap of a bundle in any state; cause none when there is none.
Trap find_decode_trap(const Bundle& bundle);

// The fields of an operation, without the function that executes it.
MicroOp lower(Slot slot, const Operation& operation);

// Appends to `pool`. A bundle that traps at decode gets no micro-operations.
BundlePlan plan_bundle(const Bundle& bundle, MicroOps& pool);

// Slots that are not empty and whose predicate holds, by bit, straight from the bits: defined for
// illegal bundles too.
std::uint16_t enabled_slots(const Bundle& bundle, const std::uint8_t* predicates);

}  // namespace tandem::golden
