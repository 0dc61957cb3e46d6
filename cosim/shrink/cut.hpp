// Ways to make a program smaller, independent of why it fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/object/object.hpp"

namespace tandem {

// The operations of a program, by bundle and slot; a slot that does not decode counts as one,
// without an operation.
struct Spot {
  std::uint32_t pc = 0;
  Slot slot{};
};
std::vector<std::uint32_t> filled_bundles(const Object& program);
std::vector<Spot> filled_slots(const Object& program);

void blank(Object& program, std::uint32_t pc);
void blank(Object& program, const Spot& spot);

// Simpler forms of the operation there: without its predicate, with one operand at its default,
// with registers and constants 0. Each differs from the current one.
std::vector<Operation> simpler(const Object& program, const Spot& spot);
void put(Object& program, const Spot& spot, const Operation& operation);

// Without the bundles that `drop` marks. Branches go to the first bundle kept from their target on;
// with `constants` so do constants that scalar operations load, where the program jumps by
// register.
Object without_bundles(const Object& program, const std::vector<bool>& drop, bool constants);

// Reduces a set of elements: `removable` numbers them 0 .. n - 1, `attempt` removes a set (true: to
// be removed) for good if possible, and returns whether it did. Tries halves, quarters and so on,
// until no single one can be removed; or until `over`.
void reduce(std::size_t count, const std::function<bool(const std::vector<bool>& removed)>& attempt,
            const std::function<bool()>& over);

}  // namespace tandem
