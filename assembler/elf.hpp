// Objects as ELF64 files, and back. The format is described in docs/assembly.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/object/elf_constants.hpp"
#include "isa/object/object.hpp"

namespace tandem {

// A relocatable object (ET_REL) or, when it is linked, an executable (ET_EXEC). The bytes are a
// function of the object alone.
std::vector<std::uint8_t> write_elf(const Object& object);

struct ElfResult {
  Object object;             // meaningful when error is empty
  std::string error;         // the error in the file, in one sentence
  std::uint64_t offset = 0;  // the byte of the file where it shows
  [[nodiscard]] bool ok() const { return error.empty(); }
};

// Reads either kind. Any input gives an Object or an error.
ElfResult read_elf(std::span<const std::uint8_t> bytes);
// The same from a file; one that cannot be read is an error at offset 0.
ElfResult read_elf_file(const std::string& path);
// "x.elf: offset 0x40: ..." for the user.
std::string elf_error_text(const std::string& path, const ElfResult& result);

}  // namespace tandem
