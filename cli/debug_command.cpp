// tandem debug: a program step by step, forwards and backwards.
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/debug/dap/adapter.hpp"
#include "cli/debug/front_end.hpp"
#include "cli/debug/session.hpp"
#include "cli/debug/shell.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/unexpected.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/options/model_options.hpp"

namespace tandem {
namespace {

struct DebugOptions {
  LaunchOptions launch;
  ModelOptions model;
  std::string on = "golden";
  std::string snapshot_memory = "2G";
  std::vector<std::string> scripts;
  bool dap = false;
};

void check_options(const LaunchOptions& launch) {
  if (launch.listing) throw UserError{message::listing_not_here};
  if (launch.counters) throw UserError{message::counters_not_here};
  if (launch.limit != 0) throw UserError{message::limit_not_here};
  if (!launch.tensors_out.empty()) throw UserError{message::out_not_here};
}

std::unique_ptr<debug::Shell> shell_for(const DebugOptions& options) {
  if (options.launch.inputs.empty()) throw UserError{message::debug_without_program};
  const runtime::Model on =
      model_named(options.on, {runtime::Model::golden, runtime::Model::cycle});
  check_options(options.launch);
  PreparedLaunch prepared(options.launch);
  debug::TimelineOptions timeline;
  timeline.memory = parse_size(options.snapshot_memory);
  auto job =
      std::make_unique<runtime::NamedLaunch>(device_options(options.launch, options.model, on),
                                             std::move(prepared.image), prepared.inputs);
  return std::make_unique<debug::Shell>(std::make_unique<debug::Session>(
      debug::make_target(std::move(job)), options.launch.include_paths, timeline));
}

void add_debug_options(Command command, DebugOptions& options) {
  add_launch_options(command, options.launch);
  // Known, so that check_options() can say what to do instead, and not listed.
  for (const char* name : {"--listing", "--counters", "--limit", "--out"}) {
    command.get_option(name).group("");
  }
  command.add_option("--on", options.on, "Model").words({"golden", "cycle"}).capture_default_str();
  command
      .add_option("--snapshot-memory", options.snapshot_memory,
                  "Host memory for going backwards: bytes or 512M, 2G")
      .capture_default_str();
  add_model_options(command, options.model);
}

// What an editor launches is what a command line would.
std::unique_ptr<debug::Shell> launched(const std::vector<std::string>& arguments) {
  Application application("");
  DebugOptions options;
  const Command command = application.command().add_subcommand("debug", "");
  command.remove_help_flag();
  add_debug_options(command, options);
  std::vector<const char*> words{"tandem", "debug"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  try {
    const bool good = application.parse(static_cast<int>(words.size()), words.data());
    if (!good) throw UserError{message::dap_bad_arguments};
  } catch (const Leftover& left) {
    throw UserError{unexpected_arguments(left.path, left.command, left.arguments)};
  }
  return shell_for(options);
}

int debug_program(const DebugOptions& options) {
  if (options.dap) return debug::dap::serve(std::cin, launched);
  const std::unique_ptr<debug::Shell> shell = shell_for(options);
  return debug::run_front_end(*shell, {options.scripts, options.launch.json});
}

}  // namespace

void add_debug_command(Command application, int* status) {
  auto options = std::make_shared<DebugOptions>();
  const Command command =
      application.add_subcommand("debug", "Step through a program, forwards and backwards");
  command.footer(
      "Examples:\n"
      "  tandem debug kernel.s --in x=x.npy\n"
      "  echo 'watch s3\\ncontinue\\nprint v1' | tandem debug kernel.elf\n"
      "  tandem debug kernel.elf --on cycle -x check.debug\n"
      "  tandem debug --dap (what an editor starts)\n"
      "In the debugger, `help` lists the commands; docs/debugger.md has examples of each.\n"
      "Exit status: 0 done, 1 an `assert` did not hold, 2 bad usage or input.");
  add_debug_options(command, *options);
  command.add_option("-x,--script", options->scripts, "File of commands to carry out")
      .allow_extra_args(false);
  command.add_flag("--dap", options->dap,
                   "Serve an editor by the Debug Adapter Protocol, which names the program");
  command.callback([options, status] { *status = debug_program(*options); });
}

}  // namespace tandem
