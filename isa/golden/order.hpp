// The order in which a bundle's operations run, so that each reads the state before the bundle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/instructions.hpp"

namespace tandem::golden {

struct OrderedOperation {
  Slot slot;
  Operation operation;
  bool staged = false;  // another operation still reads its destination: written at the end
};

// Reorders operations of one bundle (ascending slots, without write conflicts).
void order_operations(std::vector<OrderedOperation>& operations);

}  // namespace tandem::golden
