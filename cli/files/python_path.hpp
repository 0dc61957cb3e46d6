// The interpreter for Python files that commands run.
#pragma once

#include <string>

namespace tandem {

// The path of `wanted`, if that is not ""; else of the environment beside this executable, else of
// python3. Throws UserError when there is none.
std::string python_path(const std::string& wanted);

}  // namespace tandem
