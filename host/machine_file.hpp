// A machine described in a file:
//
//   preset = "edge"    # the default for sizes not given; "small" without this line
//   lanes = 32
//   vmem = "2MiB"
#pragma once

#include <string>

namespace tandem {

// The name of a machine, for find_machine (isa/machine.hpp): "edge,lanes=32,vmem=2MiB" of the file
// where `given` ends with ".toml", else `given`. Throws UserError with the file and line.
std::string machine_text(const std::string& given);
// The complaint of find_machine about that text, after the name of the file that it comes from.
std::string machine_complaint(const std::string& given, const std::string& complaint);

}  // namespace tandem
