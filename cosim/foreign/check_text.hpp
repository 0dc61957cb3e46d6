// The verdict about a core from elsewhere, for people.
#pragma once

#include <string>

#include "cosim/foreign/core_check.hpp"

namespace tandem {

// How it ended, or the page of a mismatch; then a line for each thing that was not compared. Of a
// finished check.
std::string check_text(const CoreCheck& check);

}  // namespace tandem
