// A machine as a user names it.
#pragma once

#include <string>

#include "isa/machine.hpp"

namespace tandem {

// A preset, sizes and timing (isa/machine.hpp), or a file of them (host/machine_file.hpp), whose
// name then begins the complaint. Throws UserError when the file does not describe a machine.
FoundMachine named_machine(const std::string& given);

}  // namespace tandem
