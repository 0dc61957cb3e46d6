// Results are comparable if the same programs produced them.
#pragma once

#include <string>

namespace tandem {

// A checksum of this executable and of the RTL libraries next to it. Throws UserError.
std::string build_id();
// The executable's path.
std::string own_executable();

}  // namespace tandem
