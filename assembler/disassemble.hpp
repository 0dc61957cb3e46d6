// Objects back to text.
#pragma once

#include <string>

#include "isa/object/object.hpp"

namespace tandem {

enum class Language { assembly, python };

// Text that assembles (and, for a linked program, links) to the same ELF bytes again:
//   tandem dis x.elf | tandem asm - -o y.elf && cmp x.elf y.elf
// Bundles that no assembly text could produce are printed as `.bundle` with their 16 words. In
// Python: a module of calls to tandem.assembly; its `program.assemble()` gives the same bytes.
std::string disassemble(const Object& object, Language language = Language::assembly);

}  // namespace tandem
