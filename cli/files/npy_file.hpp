// .npy files as inputs of commands.
#pragma once

#include <cstdint>
#include <string>

#include "isa/launch/npy.hpp"

namespace tandem {

// Reads the header first: a file that does not match its header, or has more than `most` bytes, is
// refused before it is read, even a sparse terabyte. Throws UserError.
NpyArray read_npy(const std::string& path, std::uint64_t most);

}  // namespace tandem
