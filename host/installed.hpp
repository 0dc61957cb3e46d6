// Files that come with the executable, independent of the current folder.
#pragma once

#include <string>

namespace tandem {

// The folder of the library, or the executable, that this code is part of, whatever the current
// folder is. Must be called before that can change.
std::string folder_of_code(const void* address);

// The folder that a library was installed into, given its file: its own, or, for one that the
// dynamic loader has taken from glibc-hwcaps/<level> (cmake/TandemProcessors.cmake), the folder of
// the libraries that all processors share.
std::string library_folder(const std::string& file);

// The path of another executable of Tandem's, in the folder of this one.
std::string executable_beside(const std::string& name);

// The path of "llama/llama.s" and the like: below share/tandem next to the executable (a build
// folder) or next to its folder (an installation). If there is no such file, the path at which an
// installation would have it.
std::string installed_file(const std::string& name);

}  // namespace tandem
