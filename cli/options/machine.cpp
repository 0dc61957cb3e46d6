#include "cli/options/machine.hpp"

#include <fmt/format.h>

#include "assembler/named_machine.hpp"
#include "host/user_error.hpp"

namespace tandem {
namespace {

std::string to_name(std::string& argument) {
  try {
    const FoundMachine found = named_machine(argument);
    if (found.machine != nullptr) argument = found.name();
    return found.complaint;
  } catch (const UserError& error) {
    return error.message;
  }
}

std::vector<std::string> preset_words() {
  std::vector<std::string> words;
  words.reserve(presets.size() + 1);
  for (const Parameters& preset : presets) words.emplace_back(preset.name);
  words.emplace_back("SIZES");
  return words;
}

}  // namespace

Option add_machine_argument(Command command, std::string& machine) {
  return command.add_option("machine", machine, fmt::format("{}, or FILE.toml", machine_forms()))
      .transform(to_name);
}

Option add_machine_option(Command command, std::string& machine, std::string_view help) {
  return command
      .add_option("--preset,--machine", machine,
                  fmt::format("Machine: {}, or FILE.toml{}", machine_forms(), help))
      .words(preset_words())
      .transform(to_name);
}

}  // namespace tandem
