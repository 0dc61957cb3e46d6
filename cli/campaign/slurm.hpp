// A plan as a job array of Slurm. A task is this command on a shard of the units; it supervises
// its own worker. Tasks that a node took down are requeued by Slurm; what is missing when none is
// left is submitted again. Nothing is asked of the controller but to start tasks: results are read
// from the store, which must be a folder that all nodes see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/campaign/plan.hpp"
#include "cosim/campaign/store.hpp"

namespace tandem {

struct SlurmOptions {
  std::string command;               // of tandem: "regress"
  std::string file;                  // that the plan comes from
  std::string folder;                // of the store
  std::uint64_t tasks = 1;           // of the array: the shards
  std::vector<std::string> options;  // further ones of sbatch: "--partition=long"
  unsigned poll_seconds = 5;
};

// Returns when every seed has its result, or when interrupted (the tasks are cancelled). Throws
// UserError when Slurm refuses, and when jobs end again and again without any new result.
void run_on_slurm(const Plan& plan, Store& store, const SlurmOptions& options);

}  // namespace tandem
