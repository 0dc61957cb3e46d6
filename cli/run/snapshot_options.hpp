// Snapshots on the command line: one to start from, one to write during the run.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run/command_run.hpp"
#include "cli/run/drive.hpp"

namespace tandem {

class Command;

struct SnapshotOptions {
  std::string file;      // written ...
  std::uint64_t at = 0;  // ... once this many steps are done: bundles on golden, cycles elsewhere
  std::string restore;   // "": from the start
};

void add_snapshot_options(Command command, SnapshotOptions& options);

class SnapshotFiles {
 public:
  // Reads the one and claims the other, before anything is loaded. Throws UserError.
  explicit SnapshotFiles(const SnapshotOptions& options);

  // As drive(), starting at the snapshot, with the other one written during the run. Throws
  // UserError if the snapshot does not fit the run.
  RunResult drive(CommandRun& run, runtime::Model model, std::uint64_t limit);
  // The restored and written snapshots, for the result; adds to `files`.
  void tell(nlohmann::json& files) const;
  // The command's exit status: that of the run, unless the requested snapshot was not written.
  [[nodiscard]] int status(int of_run) const;

 private:
  void restore(CommandRun& run);
  void save(CommandRun& run, std::uint64_t steps);

  SnapshotOptions options_;
  std::vector<std::uint8_t> restored_;
  nlohmann::json told_ = nlohmann::json::object();
  bool written_ = false;
};

}  // namespace tandem
