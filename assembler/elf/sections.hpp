// The text sections of a file, decoded. Everything here throws ElfTrouble on bad contents.
#pragma once

#include "assembler/elf/bytes.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

// .tandem.target: sets preset, producer and, in an object, the entry. Refuses other instruction
// sets.
void read_target(const ElfBytes& section, Object& object);
// .tandem.tensors
void read_tensors(const ElfBytes& section, Object& object);
// .tandem.lines. Precondition: the text has been read.
void read_lines(const ElfBytes& section, Object& object);
// .tandem.lifetimes. Precondition: the text has been read.
void read_lifetimes(const ElfBytes& section, Object& object);

// A valid producer string: up to 200 printable characters, none of which needs quoting in text.
bool is_producer(std::string_view text);

// Whether assembly text could give this name to a symbol.
bool is_symbol_name(std::string_view name);

}  // namespace tandem::assembly
