#include "cli/run/snapshot_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "runtime/snapshot/snapshot.hpp"

namespace tandem {
namespace {

// The position of a run, in the unit of its limit.
std::uint64_t steps_done(const Runner& runner, runtime::Model model) {
  return model == runtime::Model::golden ? runner.bundles() : runner.cycles();
}

}  // namespace

void add_snapshot_options(Command command, SnapshotOptions& options) {
  command
      .add_option("--snapshot", options.file,
                  "Write the state of the run to this file; see --snapshot-at")
      .group("Snapshots");
  command
      .add_option("--snapshot-at", options.at,
                  "When: bundles (golden) or cycles since the program's start")
      .group("Snapshots");
  command
      .add_option("--restore", options.restore,
                  "Go on from this snapshot of the same program, inputs and options")
      .group("Snapshots");
}

SnapshotFiles::SnapshotFiles(const SnapshotOptions& options) : options_(options) {
  if (options.file.empty() != (options.at == 0)) throw UserError{message::snapshot_needs_both};
  if (!options.restore.empty()) {
    note_input(options.restore);
    restored_ = read_bytes(options.restore);
  }
  if (!options.file.empty()) claim_output(options.file);
}

void SnapshotFiles::restore(CommandRun& run) {
  if (options_.restore.empty()) return;
  try {
    runtime::restore_snapshot(run.job(), run.run(), restored_);
  } catch (const SnapshotError& error) {
    throw UserError{fmt::format(message::snapshot_refused, options_.restore, error.what())};
  }
  told_["restored"] = {{"file", options_.restore}, {"bundles", run.runner().bundles()}};
}

void SnapshotFiles::save(CommandRun& run, std::uint64_t steps) {
  try {
    const std::vector<std::uint8_t> file = runtime::save_snapshot(run.job(), run.run());
    write_bytes(options_.file, file);
    told_["snapshot"] = {{"file", options_.file}, {"steps", steps}, {"bytes", file.size()}};
    written_ = true;
  } catch (const SnapshotError& error) {
    throw UserError{fmt::format(message::snapshot_refused, options_.file, error.what())};
  }
}

RunResult SnapshotFiles::drive(CommandRun& run, runtime::Model model, std::uint64_t limit) {
  restore(run);
  if (options_.file.empty()) return tandem::drive(run.runner(), model, limit);
  const std::uint64_t begin = steps_done(run.runner(), model);
  if (options_.at <= begin) {
    throw UserError{fmt::format(message::snapshot_behind, options_.at, begin)};
  }
  const std::uint64_t steps = std::min(options_.at - begin, limit);
  RunResult before = tandem::drive(run.runner(), model, steps);
  before.limit = limit;
  if (before.outcome != Outcome::running || before.interrupted) return before;
  if (steps == options_.at - begin) save(run, steps_done(run.runner(), model));
  RunResult result = tandem::drive(run.runner(), model, limit - steps);
  result.seconds += before.seconds;
  result.limit = limit;
  return result;
}

void SnapshotFiles::tell(nlohmann::json& files) const { files.update(told_); }

int SnapshotFiles::status(int of_run) const {
  if (options_.file.empty() || written_) return of_run;
  fmt::print(stderr, "tandem: {}\n", fmt::format(message::snapshot_not_reached, options_.at));
  return of_run == exit_done ? exit_failed : of_run;
}

}  // namespace tandem
