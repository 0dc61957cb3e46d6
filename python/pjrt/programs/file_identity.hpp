// What tells that a program of the project's has been replaced by another one.
#pragma once

#include <string>

namespace tandem::pjrt {

// Path, size and time of the last change. Throws Failure, NOT_FOUND.
std::string file_identity(const std::string& path);

}  // namespace tandem::pjrt
