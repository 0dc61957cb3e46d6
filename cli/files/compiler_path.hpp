// The path of tandem-compile.
#pragma once

#include <string>

namespace tandem {

// The environment's TANDEM_COMPILER, as for the plugin, else next to this executable. It may not
// exist.
std::string compiler_path();

}  // namespace tandem
