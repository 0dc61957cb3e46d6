// tandem machine: the sizes of a machine, and its name in files and options.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/options/machine.hpp"
#include "isa/machine.hpp"
#include "isa/parameters.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct MachineOptions {
  std::string machine{default_preset};
  bool json = false;
};

void print_machine(const MachineOptions& options) {
  const FoundMachine found = find_machine(options.machine);
  const Parameters& machine = *found.machine;
  nlohmann::json json{{"name", found.name()}, {"sizes", machine.name}};
  if (!options.json) fmt::print("{}\n", found.name());
  for (const MachineSize& size : machine_sizes()) {
    const std::uint32_t value = machine.*size.member;
    json[std::string(size.name)] = value;
    if (!options.json)
      fmt::print("  {:<8}{:<8}{}\n", size.name, size_text(size, value), size.meaning);
  }
  for (const TimingChoice& choice : found.timing) {
    const MachineTiming& row = machine_timings()[choice.row];
    json[std::string(row.name)] = choice.value;
    if (!options.json) fmt::print("  {:<15} {:<5} {}\n", row.name, choice.value, row.meaning);
  }
  if (options.json) fmt::print("{}\n", json_text(json));
}

}  // namespace

void add_machine_command(Command application, int* status) {
  auto options = std::make_shared<MachineOptions>();
  const Command command =
      application.add_subcommand("machine", "Show the sizes of a machine, and its name");
  command.footer(
      "Example:\n"
      "  tandem machine edge\n"
      "  tandem machine lanes=32,vmem=2MiB\n"
      "The name is what a program built for the machine says, and the timing of its memory, if "
      "one\n"
      "is given.");
  add_machine_argument(command, options->machine);
  command.add_flag(
      "--json", options->json,
      "Name and sizes as JSON; sizes are numbers, and `sizes` the name without timing");
  command.callback([options, status] {
    print_machine(*options);
    *status = exit_done;
  });
}

}  // namespace tandem
