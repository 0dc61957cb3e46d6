// Stores the value of a symbol where it is used: for the assembler's own forward references and for
// the linker's relocations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/object/object.hpp"
#include "isa/operands.hpp"

namespace tandem {

// Stores `number` at `offset` (in text or data) according to `kind`. Returns "" or why it does not
// fit; an offset outside the section is also such a reason.
std::string patch_text(Object& object, std::uint64_t offset, std::int64_t number);
std::string patch_data(Object& object, std::uint64_t offset, RelocationKind kind,
                       std::int64_t number);

// The operand whose constant patch_text() stores at `offset`; nullptr when there is none.
const Operand* patched_operand(const Object& object, std::uint64_t offset);
// "an address in VMEM" if an operand takes that and `place` is elsewhere; "" if it fits.
std::string_view wrong_space(const Operand& operand, Place place);
std::string_view section_name(Place place);  // ".vmem"

}  // namespace tandem
