// Shared by commands that work through a plan: the folder of results, worker processes or Slurm,
// parts of the work, results of other machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cli/campaign/worker_pool.hpp"
#include "cosim/campaign/plan.hpp"

namespace tandem {

class Command;

struct EngineOptions {
  std::string folder;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string shard;
  std::uint64_t slurm_tasks = 0;
  std::vector<std::string> sbatch;
  unsigned poll_seconds = 5;
  std::vector<std::string> merge;
  bool only_summary = false;
  bool no_summary = false;
};

void add_engine_options(Command command, EngineOptions& options);

class Engine {
 public:
  // `command`: of tandem, which a Slurm task runs with `file` again. Merges the given folders, and
  // reads the existing results. Throws UserError and runtime::Error.
  Engine(EngineOptions options, std::string command, std::string file);

  // Neither merging nor only reporting was requested.
  [[nodiscard]] bool is_to_work() const { return !options_.only_summary && options_.merge.empty(); }
  // Does the missing work; returns early when interrupted.
  void work(const Plan& plan);

  [[nodiscard]] const Store& store() const { return store_; }
  [[nodiscard]] const std::string& build() const { return pool_.build; }
  [[nodiscard]] const std::string& folder() const { return pool_.folder; }

 private:
  EngineOptions options_;
  std::string command_;
  std::string file_;
  PoolOptions pool_;
  Store store_;
};

}  // namespace tandem
