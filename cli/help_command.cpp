// tandem help: the same as `--help` of a command. The command exists for users who look for it, in
// lists and in completions; its arguments are rewritten before they are parsed.
#include <cstring>

#include "cli/commands.hpp"
#include "cli/options/command.hpp"

namespace tandem {

std::vector<const char*> help_as_option(int argc, const char* const* argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  if (argc < 2 || std::strcmp(argv[1], "help") != 0) return arguments;
  if (argc > 2 && argv[2][0] == '-') return arguments;  // of the command itself: help --help
  arguments.erase(arguments.begin() + 1);
  arguments.push_back("--help");
  return arguments;
}

void add_help_command(Command application, int* /*status*/) {
  const Command command =
      application.add_subcommand("help", "Print what --help of a command prints");
  command.footer(
      "Example:\n"
      "  tandem help lockstep\n"
      "  tandem help npy make");
  command.add_values_callback(
      "command", [](const std::vector<std::string>&) {}, "A command's name; none: the list of all");
}

}  // namespace tandem
