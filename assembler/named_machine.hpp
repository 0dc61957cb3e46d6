// A machine as a user names it.
#pragma once

#include <string>

#include "isa/machine.hpp"

namespace tandem {

// A preset, sizes and timing (isa/machine.hpp), or a file of them (host/machine_file.hpp), whose
// name then begins the complaint. Throws UserError where the file says nothing that could be a
// machine.
FoundMachine named_machine(const std::string& given);

}  // namespace tandem
