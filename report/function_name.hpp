// The name of a compiled program: that of the function that it was.
#pragma once

#include <string>

#include "isa/image.hpp"
#include "sim/counters/profile.hpp"

namespace tandem {

// The outermost part of the operations' names, "jit(f)" of "jit(f)/dot_general"; of several, the
// one with most cycles. "" if no operation of the run has a name of several parts.
std::string function_name(const Profile& profile, const Image& image);

}  // namespace tandem
