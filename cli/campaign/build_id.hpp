// What makes results comparable: the programs that gave them.
#pragma once

#include <string>

namespace tandem {

// A checksum of this executable and of the RTL libraries beside it. Throws UserError.
std::string build_id();
// The executable's path.
std::string own_executable();

}  // namespace tandem
