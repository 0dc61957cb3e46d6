// The end of an assembly: open references are resolved or left to the linker.
#pragma once

#include "assembler/context.hpp"

namespace tandem::assembly {

// Fills in the object's symbols and relocations and every value that is known by now; reports what
// is not defined anywhere.
void resolve(Context& context);

}  // namespace tandem::assembly
