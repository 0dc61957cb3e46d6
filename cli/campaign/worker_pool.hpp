// Worker processes of one machine. A worker is a fork of this process, so that a seed that crashes
// the RTL or this program affects nothing else; the seed is retried and, if it crashes twice,
// recorded as a failure.
#pragma once

#include <string>

#include "cosim/campaign/plan.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct PoolOptions {
  std::string folder;  // of the store
  std::string build;
  unsigned jobs = 1;
  // The plan's units whose number has this remainder.
  std::uint64_t shard = 0;
  std::uint64_t shards = 1;
};

// Does the work missing in the store; ends early when interrupted, with all results in the store.
// Shows progress on a terminal.
void run_worker_pool(const Plan& plan, Store& store, const PoolOptions& options);

}  // namespace tandem
