// Scripts that complete commands, options and their words in a shell. Each is one file that the
// shell reads; what else is typed is completed as the name of a file.
#pragma once

#include <string>

#include "cli/shell/described.hpp"

namespace tandem {

std::string bash_completion(const DescribedCommand& root);
std::string zsh_completion(const DescribedCommand& root);
std::string fish_completion(const DescribedCommand& root);

}  // namespace tandem
