// Files that come with the executable, wherever the user works.
#pragma once

#include <string>

namespace tandem {

// The folder of the library, or the executable, that this code is part of, whatever the current
// folder is. To be asked before somebody can change that.
std::string folder_of_code(const void* address);

// The path of another executable of Tandem's, in the folder of this one.
std::string executable_beside(const std::string& name);

// The path of "llama/llama.s" and the like: below share/tandem beside the executable (a
// build folder) or beside its folder (an installation). Where no such file is, the path at which an
// installation would have it.
std::string installed_file(const std::string& name);

}  // namespace tandem
