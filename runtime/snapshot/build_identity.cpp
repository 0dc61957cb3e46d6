#include "runtime/snapshot/build_identity.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace tandem::runtime {
namespace {

struct Search {
  std::uintptr_t address = 0;
  std::string found;
};

bool holds(const dl_phdr_info& object, std::uintptr_t address) {
  for (const auto& part : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
    const std::uintptr_t begin = object.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) return true;
  }
  return false;
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// The build ID among the notes of one segment, or "".
std::string build_id(std::span<const std::uint8_t> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t begin = sizeof note + padded(note.n_namesz);
    const std::size_t end = begin + padded(note.n_descsz);
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
        std::memcmp(notes.data() + sizeof note, "GNU", sizeof "GNU") == 0) {
      std::string text;
      for (const std::uint8_t byte : notes.subspan(begin, note.n_descsz)) {
        text += fmt::format("{:02x}", byte);
      }
      return text;
    }
    notes = notes.subspan(end);
  }
  return {};
}

int look_into(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (!holds(*object, search.address)) return 0;
  for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (part.p_type != PT_NOTE || !search.found.empty()) continue;
    // The loader gives the address as a number.
    const auto* const first = reinterpret_cast<const std::uint8_t*>(  // NOLINT
        object->dlpi_addr + part.p_vaddr);
    search.found = build_id({first, part.p_memsz});
  }
  if (search.found.empty()) search.found = object->dlpi_name;
  return 1;
}

}  // namespace

std::string build_identity(const void* address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

}  // namespace tandem::runtime
