// Numbers of the file format by name, from isa/object/elf.def. C++17, for separate platforms.
#pragma once

#include <cstdint>

namespace tandem::elf {

#define ELF_CONSTANT(name, value, meaning) inline constexpr std::uint32_t name = (value);
#include "isa/object/elf.def"
#undef ELF_CONSTANT

}  // namespace tandem::elf
