// Names and numbers of the file format, shared by reader and writer.
#pragma once

#include <elf.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/object/elf_constants.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

// Sections, in the order of the file; index 0 is the null section.
enum class SectionId : std::uint8_t {
  null,
  text,
  data,
  bss,
  vmem,
  smem,
  target,
  tensors,
  lines,
  lifetimes,
  smem_contents,
  start_copies,
  text_relocations,
  data_relocations,
  symbols,
  strings,
  section_names,
};
inline constexpr std::size_t section_count = 17;

struct SectionRow {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t flags;
  std::uint64_t entry_size;
};

inline constexpr std::array<SectionRow, section_count> section_rows{{
    {"", SHT_NULL, 0, 0},
    {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, bundle_bytes},
    {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0},
    {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0},
    // Memories of their own: not SHF_ALLOC, so that no tool lays them out in HBM.
    {".vmem", SHT_NOBITS, SHF_WRITE, 0},
    {".smem", SHT_NOBITS, SHF_WRITE, 4},
    {".tandem.target", SHT_PROGBITS, SHF_STRINGS, 0},
    {".tandem.tensors", SHT_PROGBITS, SHF_STRINGS, 0},
    {".tandem.lines", SHT_PROGBITS, 0, 0},
    {".tandem.lifetimes", SHT_PROGBITS, 0, 0},
    {".tandem.smem", SHT_PROGBITS, 0, 4},
    {".tandem.start", SHT_PROGBITS, 0, 4 * (2 + descriptor_words)},
    {".rela.text", SHT_RELA, SHF_INFO_LINK, sizeof(Elf64_Rela)},
    {".rela.data", SHT_RELA, SHF_INFO_LINK, sizeof(Elf64_Rela)},
    {".symtab", SHT_SYMTAB, 0, sizeof(Elf64_Sym)},
    {".strtab", SHT_STRTAB, 0, 0},
    {".shstrtab", SHT_STRTAB, 0, 0},
}};

// Bytes in one unit of a symbol's value in the file: bundles, rows and words become bytes.
std::uint64_t place_unit(Place place, const Parameters& preset);
// The section that a place is in; SHN_ABS and SHN_UNDEF for places in no section.
std::uint16_t place_section(Place place);

// One line of .tandem.target: "name=small", "lanes=16", ...; each ends with a zero byte.
std::string target_text(const Object& object);
// "x: f32 [rows, 64] in" for each tensor, each followed by a zero byte.
std::string tensors_text(const Object& object);
std::string tensor_text(const Tensor& tensor);

// Type of a relocation: kind in bits 7:0, log2 of the scale in bits 15:8, negative in bit 16.
inline std::uint32_t relocation_type(const Relocation& item) {
  return static_cast<std::uint32_t>(item.kind) | (std::uint32_t{item.log2_scale} << 8U) |
         (item.negative ? 1U << 16U : 0U);
}

}  // namespace tandem::assembly
