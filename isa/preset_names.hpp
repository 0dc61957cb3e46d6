#pragma once

#include <string>

namespace tandem {

// "nano, small, edge, full": for help and messages.
std::string preset_names();

}  // namespace tandem
