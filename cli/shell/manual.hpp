// Manual pages (section 1) in troff's macros, one for `tandem` and one for each command.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/described.hpp"

namespace tandem {

struct ManualPage {
  std::string file;  // "tandem-npy.1"
  std::string text;
};

// The page of `tandem` comes first. A command's page has those of the commands below it.
std::vector<ManualPage> manual_pages(const DescribedCommand& root);

}  // namespace tandem
