// Worker processes of one machine. A worker is a fork of this process, so that a seed that brings
// down the RTL or this program takes nothing else with it; its seed is tried again and, when it
// does so twice, recorded as a failure.
#pragma once

#include <string>

#include "cosim/campaign/plan.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct PoolOptions {
  std::string folder;  // of the store
  std::string build;
  unsigned jobs = 1;
  // Of the plan's units, those whose number leaves this remainder.
  std::uint64_t shard = 0;
  std::uint64_t shards = 1;
};

// Does what the store does not have yet; ends early, with all that was found in the store, when
// interrupted. Shows progress on a terminal.
void run_worker_pool(const Plan& plan, Store& store, const PoolOptions& options);

}  // namespace tandem
