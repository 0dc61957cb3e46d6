// Parts of the disassembler: symbols by address, expressions of relocations, bytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assembler/disassembler/notation.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

// The symbols of a section in ascending order of value.
std::vector<const Symbol*> symbols_of(const Object& object, Place place);
// "lo((buffer << 2) + 12)", with the given spelling of the symbol.
std::string relocation_text(const Object& object, const Relocation& item,
                            const std::function<std::string(const std::string&)>& spell);
// The bytes [begin, end) of .data.
void write_data(Notation& out, const Object& object, std::uint64_t begin, std::uint64_t end);
// The words [begin, end) of .smem: contents, and room after them.
void write_smem(Notation& out, const Object& object, std::uint64_t begin, std::uint64_t end);

}  // namespace tandem::assembly
