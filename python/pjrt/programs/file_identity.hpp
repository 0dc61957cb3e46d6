// The identity of an executable of the project, which changes when it is replaced.
#pragma once

#include <string>

namespace tandem::pjrt {

// Path, size and time of the last change. Throws Failure, NOT_FOUND.
std::string file_identity(const std::string& path);

}  // namespace tandem::pjrt
