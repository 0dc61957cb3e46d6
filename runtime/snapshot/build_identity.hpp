// Which build of a library or executable this is.
#pragma once

#include <string>

namespace tandem::runtime {

// The build ID, in hex, that the linker gave to the object that contains this address; for an
// object without one, its file name. Two objects with the same ID have the same code and data.
std::string build_identity(const void* address);

}  // namespace tandem::runtime
