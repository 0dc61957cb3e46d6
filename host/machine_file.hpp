// A machine that is kept in a file:
//
//   preset = "edge"    # whose sizes are those not given; "small" without this line
//   lanes = 32
//   vmem = "2MiB"
#pragma once

#include <string>

namespace tandem {

// What names a machine, for find_machine (isa/machine.hpp): "edge,lanes=32,vmem=2MiB" of the file
// where `given` ends with ".toml", else `given`. Throws UserError with the file and line.
std::string machine_text(const std::string& given);
// What find_machine says against that text, behind the name of the file that it comes from.
std::string machine_complaint(const std::string& given, const std::string& complaint);

}  // namespace tandem
