// Runs on a device as files, to be continued later by the same build, with the same program,
// tensors and options.
//
//   write(save_snapshot(job, *run));                  any time while it runs
//   std::unique_ptr<Run> again = job.start({});       in another process
//   restore_snapshot(job, *again, read());            it continues from there
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/device/named_launch.hpp"
#include "runtime/device/run.hpp"
#include "runtime/device/snapshot_file.hpp"

namespace tandem::runtime {

// The identity in a snapshot of this run: model, preset, program, tensors, options, build.
Identity snapshot_identity(const NamedLaunch& job, const Run& run);

// Both throw SnapshotError; a run that could not be restored is unusable. `run` is of `job`; the
// run to be restored must not have advanced.
std::vector<std::uint8_t> save_snapshot(const NamedLaunch& job, Run& run);
void restore_snapshot(const NamedLaunch& job, Run& run, std::span<const std::uint8_t> file);

}  // namespace tandem::runtime
