// Names of the project's variables in the environment.
#pragma once

#include <string>
#include <string_view>

namespace tandem::pjrt {

// What is wrong with the names, each as NAME=VALUE, of which only those count that begin with
// TANDEM_. One that is nearly the name of a known variable is a slip: throws Failure, which
// names both. Others that are not known may be somebody else's: a warning, "" when there are none.
std::string check_variables(const char* const* variables);

}  // namespace tandem::pjrt
