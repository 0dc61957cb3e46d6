// The end of `run` and `lockstep`: tensors out, verdict printed, exit status.
#pragma once

#include "cli/run/command_run.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/options/launch_options.hpp"
#include "cli/run/run_readers.hpp"
#include "isa/image.hpp"

namespace tandem {

// The output of --counters: the whole run and its regions.
void print_counters(const Runner& runner, const std::vector<CounterRegion>& regions,
                    const Image& image);

// Numbers that were not computed are not passed on: checks the files to be written.
std::vector<TensorFile> complete_outputs(const std::vector<TensorFile>& files,
                                         const std::vector<UnwrittenOutput>& unwritten);

// `files`: other written files, as returned by TraceFiles::finish().
int finish_run(const LaunchOptions& options, const std::vector<TensorFile>& outputs,
               const CommandRun& run, const RunResult& result, const RunReaders& readers,
               const nlohmann::json& files);
int finish_run(const LaunchOptions& options, const std::vector<TensorFile>& outputs,
               const CommandRun& run, const RunResult& result, const RunReaders& readers);

}  // namespace tandem
