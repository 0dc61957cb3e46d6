// Putting the value of a symbol where it is used: for the assembler's own forward references and
// for the linker's relocations.
#pragma once

#include <cstdint>
#include <string>

#include "isa/object/object.hpp"

namespace tandem {

// Stores `number` where (in text or data) `offset` and `kind` say. Returns "" or why it does not
// fit; offsets outside of the section are such a reason too.
std::string patch_text(Object& object, std::uint64_t offset, std::int64_t number);
std::string patch_data(Object& object, std::uint64_t offset, RelocationKind kind,
                       std::int64_t number);

}  // namespace tandem
