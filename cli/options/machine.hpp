// The option --preset, also called --machine: a preset, sizes, or a file of them.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command.hpp"

namespace tandem {

// `machine` becomes what isa/machine.hpp calls the machine that is asked for; help follows
// "Machine: ...".
Option add_machine_argument(Command command, std::string& machine);  // without an option's name
Option add_machine_option(Command command, std::string& machine, std::string_view help = "");

}  // namespace tandem
