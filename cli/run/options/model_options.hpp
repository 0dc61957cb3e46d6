// Options of the models with time, and the command that repeats a run.
#pragma once

#include <string>

#include "cli/run/options/launch_options.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

class Command;

struct ModelOptions {
  MachineOptions machine;
  std::uint64_t silence = default_silence;
};

void add_model_options(Command command, ModelOptions& options);

// The model of `--on`, one of those that the command takes. Throws UserError with `reason` at its
// end.
runtime::Model model_named(const std::string& name, std::initializer_list<runtime::Model> taken,
                           const std::string& reason = "");

// With the timing that the machine's name chooses, which takes precedence over that of options.
MachineOptions machine_options(const LaunchOptions& launch, const ModelOptions& model);
// Everything a device needs from the command line.
runtime::DeviceOptions device_options(const LaunchOptions& launch, const ModelOptions& model,
                                      runtime::Model on);
// With --listing, records go to standard output.
RecordReader listing_reader(const LaunchOptions& launch, const Image& image);

// The arguments of this process, quoted for a shell.
void set_command_line(int argc, const char* const* argv);
const std::string& command_line();

}  // namespace tandem
