// The option --preset, also called --machine: a preset, sizes, or a file of them.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command.hpp"

namespace tandem {

// `machine` becomes the name, as in isa/machine.hpp, of the requested machine; help follows
// "Machine: ...".
Option add_machine_argument(Command command, std::string& machine);  // without an option's name
Option add_machine_option(Command command, std::string& machine, std::string_view help = "");

}  // namespace tandem
