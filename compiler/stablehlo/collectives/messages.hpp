// A collective in terms of messages. Each device has a buffer of rows to send and one of rows to
// receive; a message takes one row to a row of another device, or of its own.
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
// either side alternately.
// Row i of each device is the row of member i.
Messages gather(const Groups& groups);
// Row i of each device is the row of member i at this device's place in the group.
Messages exchange(const Groups& groups);
// The row of the first member.
Messages broadcast(const Groups& groups);
Messages permute(const Pairs& pairs);

}  // namespace tandem::compiler
