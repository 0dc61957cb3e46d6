// The programs of a file that is explored: its own, or those that it is compiled to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explore/explored.hpp"
#include "host/process.hpp"

namespace tandem {

struct ExploreProgram {
  std::string name;                // of the file, for a program that does not name its function
  std::vector<std::string> files;  // assembly or objects, to be assembled and linked
  bool is_compiled = false;        // then the one file is the compiler's text
};

// Compiled texts are in `work`. Throws UserError, which may hold a compiler's complaints.
std::vector<ExploreProgram> explore_programs(const ExploreRequest& request, const WorkFolder& work);

}  // namespace tandem
