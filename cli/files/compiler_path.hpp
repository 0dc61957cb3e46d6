// Where tandem-compile is.
#pragma once

#include <string>

namespace tandem {

// The environment's TANDEM_COMPILER, as for the plugin, else beside this executable. Nothing may be
// there.
std::string compiler_path();

}  // namespace tandem
