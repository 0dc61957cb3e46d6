// Options of the models that know time, and how a run is repeated.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/launch_options.hpp"
#include "cosim/lockstep/runners.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct ModelOptions {
  MachineOptions machine;
  std::uint64_t silence = default_silence;
};

void add_model_options(CLI::App& command, ModelOptions& options);

// Everything make_runner() wants from the command line; with --listing, records go to standard
// output.
RunnerOptions runner_options(const LaunchOptions& launch, const ModelOptions& model,
                             const Image& image);

// The arguments of this process, quoted for a shell.
void set_command_line(int argc, const char* const* argv);
const std::string& command_line();

}  // namespace tandem
