// Names of the project's variables in the environment.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

// Checks the names, each as NAME=VALUE; only those that begin with TANDEM_ count. One that is
// nearly the name of a known variable is a typo: throws Failure, which names both. Other unknown
// ones may belong to other programs: returns a warning, "" when there are none.
std::string check_variables(const char* const* variables);

}  // namespace tandem::pjrt
