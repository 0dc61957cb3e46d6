// Scripts that complete commands, options and their words in a shell. Each is one file that the
// shell reads; everything else is completed as a file name.
#pragma once

#include <string>

#include "cli/shell/described.hpp"

namespace tandem {

std::string bash_completion(const DescribedCommand& root);
std::string zsh_completion(const DescribedCommand& root);
std::string fish_completion(const DescribedCommand& root);

}  // namespace tandem
