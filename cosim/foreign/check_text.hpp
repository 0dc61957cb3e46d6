// The verdict about a foreign core, for people.
#pragma once

#include <string>

#include "cosim/foreign/core_check.hpp"

namespace tandem {

// How it ended, or the page of a mismatch; then a line for each item that was not compared. For a
// finished check.
std::string check_text(const CoreCheck& check);

}  // namespace tandem
