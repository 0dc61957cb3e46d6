// The chips of a group, as seen by each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/parameters.hpp"

namespace tandem::golden {

struct Core;

struct Peers {
  std::vector<Core*> cores;  // by chip
  // The amounts that chips have added to flags of others: [receiver][flag][sender].
  using Received = std::array<std::vector<std::uint64_t>, sync_flags>;
  std::vector<Received> received;
};

// The core's copy goes to another chip of its group, immediately: bytes, marks of never-written
// data, both flags.
void send_copy(Core& core);

}  // namespace tandem::golden
