// A plan as a job array of Slurm. A task is this command on a shard of the units; it supervises its
// own worker. Tasks lost with a node are requeued by Slurm; work still missing when no task is left
// is submitted again. The controller only starts tasks: results are read from the store, which must
// be a folder visible to all nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/campaign/plan.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct SlurmOptions {
  std::string command;               // of tandem: "regress"
  std::string file;                  // source of the plan
  std::string folder;                // of the store
  std::uint64_t tasks = 1;           // of the array: the shards
  std::vector<std::string> options;  // further ones of sbatch: "--partition=long"
  unsigned poll_seconds = 5;
};

// Returns when every seed has its result, or when interrupted (the tasks are cancelled). Throws
// UserError when Slurm refuses, and when jobs repeatedly end without any new result.
void run_on_slurm(const Plan& plan, Store& store, const SlurmOptions& options);

}  // namespace tandem
