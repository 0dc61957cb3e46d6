// Parts of the disassembler: symbols by place, expressions of relocations, bytes.
#pragma once

#include <string>
#include <vector>

#include "isa/object/object.hpp"

namespace tandem::assembly {

// The symbols of a place in ascending value.
std::vector<const Symbol*> symbols_of(const Object& object, Place place);
// "lo((buffer << 2) + 12)"
std::string relocation_text(const Object& object, const Relocation& item);
// Directives for the bytes [begin, end) of .data.
void append_data_text(std::string& out, const Object& object, std::uint64_t begin,
                      std::uint64_t end);

}  // namespace tandem::assembly
