#include "sim/systemc/example/program.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "isa/object/elf_constants.hpp"

namespace tandem::example {
namespace {

template <typename Item>
Item item_at(const std::vector<char>& file, std::uint64_t offset) {
  if (offset > file.size() || sizeof(Item) > file.size() - offset) {
    throw std::runtime_error("it ends too early");
  }
  Item item;
  std::memcpy(&item, file.data() + offset, sizeof item);
  return item;
}

Segment load(const std::vector<char>& file, const Elf64_Phdr& header) {
  if (header.p_offset > file.size() || header.p_filesz > file.size() - header.p_offset ||
      header.p_memsz < header.p_filesz || header.p_memsz > (std::uint64_t{1} << 30U)) {
    throw std::runtime_error("a segment is outside of it");
  }
  Segment segment{header.p_paddr, std::vector<std::uint8_t>(header.p_memsz)};
  std::memcpy(segment.bytes.data(), file.data() + header.p_offset, header.p_filesz);
  return segment;
}

}  // namespace

Program parse_program(const std::vector<char>& elf) {
  const auto head = item_at<Elf64_Ehdr>(elf, 0);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != elf::machine ||
      head.e_type != ET_EXEC) {
    throw std::runtime_error("it is not a linked program of `tandem asm`");
  }
  Program program;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    const auto header = item_at<Elf64_Phdr>(elf, head.e_phoff + i * sizeof(Elf64_Phdr));
    if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
    if ((header.p_flags & PF_X) != 0) {
      program.text = load(elf, header);
    } else {
      program.data.push_back(load(elf, header));
    }
  }
  program.entry_pc =
      static_cast<std::uint32_t>((head.e_entry - program.text.address) / bytes_of_bundle);
  return program;
}

Program read_program(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(path + ": cannot be read");
  const std::vector<char> file((std::istreambuf_iterator<char>(stream)),
                               std::istreambuf_iterator<char>());
  try {
    return parse_program(file);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace tandem::example
