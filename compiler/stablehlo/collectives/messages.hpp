// What a collective comes down to: messages. Each device has a buffer of rows that it sends from
// and one of rows that it receives in; a message takes one row to a row of another device, or of
// its own.
#pragma once

#include "compiler/stablehlo/collectives/groups.hpp"

namespace tandem::compiler {

struct Message {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t source = 0;  // row
  std::int64_t target = 0;
};

using Messages = llvm::SmallVector<Message, 0>;

// In the order in which each device sends them: to the members next to it in the group first, on
// either side in turn.
// Row i of each device is what member i had.
Messages gather(const Groups& groups);
// Row i of each device is the row of member i that has this device's place in the group.
Messages exchange(const Groups& groups);
// What the first member had.
Messages broadcast(const Groups& groups);
Messages permute(const Pairs& pairs);

}  // namespace tandem::compiler
