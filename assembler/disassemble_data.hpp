// Parts of the disassembler: symbols by place, expressions of relocations, bytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assembler/notation.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

// The symbols of a place in ascending value.
std::vector<const Symbol*> symbols_of(const Object& object, Place place);
// "lo((buffer << 2) + 12)", the symbol spelled as told.
std::string relocation_text(const Object& object, const Relocation& item,
                            const std::function<std::string(const std::string&)>& spell);
// The bytes [begin, end) of .data.
void write_data(Notation& out, const Object& object, std::uint64_t begin, std::uint64_t end);

}  // namespace tandem::assembly
