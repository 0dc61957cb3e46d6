// The text sections of a file, decoded. Everything here throws ElfTrouble on bad contents.
#pragma once

#include "assembler/elf/bytes.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

// .tandem.target: sets preset and, in an object, the entry.
void read_target(const ElfBytes& section, Object& object);
// .tandem.tensors
void read_tensors(const ElfBytes& section, Object& object);
// .tandem.lines. Precondition: the text has been read.
void read_lines(const ElfBytes& section, Object& object);

// A name that assembly text could give to a symbol.
bool is_symbol_name(std::string_view name);

}  // namespace tandem::assembly
