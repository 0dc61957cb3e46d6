// Bytes to an Object. Sections are found by name, so that files modified by other tools can be read
// too. No input does worse than throw ElfTrouble.
#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "assembler/elf.hpp"
#include "assembler/elf/format.hpp"
#include "assembler/elf/sections.hpp"
#include "assembler/files.hpp"

namespace tandem {
namespace assembly {
namespace {

class ElfReader {
 public:
  explicit ElfReader(std::span<const std::uint8_t> bytes) : file_(bytes, 0, "file") {}

  Object read() {
    file_header();
    section_headers();
    read_target(bytes_of(SectionId::target), object_);
    read_text();
    read_data();
    reserved();
    read_tensors(bytes_of(SectionId::tensors), object_);
    read_lines(bytes_of(SectionId::lines), object_);
    read_lifetimes(bytes_of(SectionId::lifetimes), object_);
    read_smem_contents();
    read_start_copies();
    symbols();
    relocations(SectionId::text_relocations, object_.text_relocations);
    relocations(SectionId::data_relocations, object_.data_relocations);
    entry();
    return std::move(object_);
  }

 private:
  struct Section {
    Elf64_Shdr header{};
    std::uint64_t at = 0;  // of the header in the file
    std::uint16_t index = 0;
    bool present = false;
  };

  void file_header() {
    if (file_.size() < sizeof(Elf64_Ehdr)) file_.fail(0, "too short for an ELF header");
    head_ = file_.get<Elf64_Ehdr>(0);
    if (std::memcmp(head_.e_ident, ELFMAG, SELFMAG) != 0) file_.fail(0, "this is no ELF file");
    if (head_.e_ident[EI_CLASS] != ELFCLASS64) file_.fail(EI_CLASS, "not a 64-bit ELF file");
    if (head_.e_ident[EI_DATA] != ELFDATA2LSB) file_.fail(EI_DATA, "not little endian");
    if (head_.e_machine != elf::machine) {
      file_.fail(
          offsetof(Elf64_Ehdr, e_machine),
          fmt::format("built for machine {:#x}, this is {:#x}", head_.e_machine, elf::machine));
    }
    if (head_.e_type != ET_REL && head_.e_type != ET_EXEC) {
      file_.fail(offsetof(Elf64_Ehdr, e_type), "neither an object nor a program");
    }
    if (head_.e_shentsize != sizeof(Elf64_Shdr)) {
      file_.fail(offsetof(Elf64_Ehdr, e_shentsize), "unexpected size of section headers");
    }
    if ((head_.e_flags & ~elf::arguments_in_smem) != 0) {
      file_.fail(offsetof(Elf64_Ehdr, e_flags), fmt::format("unknown flags {:#x}", head_.e_flags));
    }
    object_.linked = head_.e_type == ET_EXEC;
    object_.arguments_in_smem = (head_.e_flags & elf::arguments_in_smem) != 0;
  }

  void section_headers() {
    const std::uint64_t table = head_.e_shoff;
    const auto names_header = header_at(table, head_.e_shstrndx);
    const ElfBytes names =
        file_.part(names_header.sh_offset, names_header.sh_size, "section names");
    for (std::uint16_t i = 1; i < head_.e_shnum; ++i) {
      const Elf64_Shdr header = header_at(table, i);
      take_section(names.string(header.sh_name), {header, header_offset(table, i), i, true});
    }
    for (const SectionId id : {SectionId::text, SectionId::target, SectionId::symbols}) {
      if (section(id).present) continue;
      file_.fail(table, fmt::format("there is no section {}", name_of(id)));
    }
  }

  static std::uint64_t header_offset(std::uint64_t table, std::uint16_t index) {
    return table + std::uint64_t{index} * sizeof(Elf64_Shdr);
  }

  [[nodiscard]] Elf64_Shdr header_at(std::uint64_t table, std::uint16_t index) const {
    if (index >= head_.e_shnum || table > file_.size()) {
      file_.fail(offsetof(Elf64_Ehdr, e_shoff), "the section headers are outside of the file");
    }
    return file_.get<Elf64_Shdr>(header_offset(table, index));
  }

  void take_section(std::string_view name, const Section& found) {
    for (std::size_t id = 1; id < section_count; ++id) {
      if (section_rows[id].name != name) continue;
      if (sections_[id].present) file_.fail(found.at, fmt::format("a second section {}", name));
      if (found.header.sh_type != section_rows[id].type) {
        file_.fail(found.at, fmt::format("section {} has an unexpected type", name));
      }
      sections_[id] = found;
    }
  }

  [[nodiscard]] const Section& section(SectionId id) const {
    return sections_[static_cast<std::size_t>(id)];
  }
  static std::string name_of(SectionId id) {
    return std::string(section_rows[static_cast<std::size_t>(id)].name);
  }

  [[nodiscard]] ElfBytes bytes_of(SectionId id) const {
    const Section& found = section(id);
    if (!found.present) return {{}, 0, name_of(id)};
    return file_.part(found.header.sh_offset, found.header.sh_size, name_of(id));
  }

  void read_text() {
    const ElfBytes bytes = bytes_of(SectionId::text);
    if (bytes.size() % bundle_bytes != 0) {
      bytes.fail(bytes.size(), "the last bundle is cut off");
    }
    object_.text.resize(bytes.size() / bundle_bytes);
    if (bytes.size() != 0) {
      std::memcpy(object_.text.data(), bytes.bytes().data(), bytes.size());
    }
    check_address(SectionId::text, text_base);
  }

  void read_data() {
    const ElfBytes bytes = bytes_of(SectionId::data);
    object_.data.assign(bytes.bytes().begin(), bytes.bytes().end());
    if (bytes.size() != 0) check_address(SectionId::data, data_address(object_));
    object_.bss_bytes = section(SectionId::bss).header.sh_size;
    if (object_.bss_bytes > std::uint64_t{1} << 40U) {
      file_.fail(section(SectionId::bss).at, ".bss is larger than any HBM");
    }
    if (object_.bss_bytes != 0) check_address(SectionId::bss, bss_address(object_));
    if (object_.linked) return;
    object_.data_alignment = alignment(SectionId::data, 1);
    object_.bss_alignment = alignment(SectionId::bss, 1);
  }

  void check_address(SectionId id, std::uint64_t wanted) const {
    const std::uint64_t address = section(id).header.sh_addr;
    if (!object_.linked || address == wanted) return;
    file_.fail(section(id).at,
               fmt::format("{} is at {:#x}, it must be at {:#x}", name_of(id), address, wanted));
  }

  void read_smem_contents() {
    const ElfBytes bytes = bytes_of(SectionId::smem_contents);
    if (bytes.size() % 4 != 0) bytes.fail(bytes.size(), "the last word is cut off");
    const std::uint64_t before = object_.linked ? argument_block_words(object_) : 0;
    if (before + bytes.size() / 4 > object_.smem_words) {
      if (bytes.size() != 0) bytes.fail(0, "more contents than words in .smem");
      return;
    }
    if (object_.linked && bytes.size() != 0 && !object_.arguments_in_smem) {
      bytes.fail(0, "contents of SMEM without an argument block there");
    }
    object_.smem_contents.resize(bytes.size() / 4);
    for (std::size_t i = 0; i < object_.smem_contents.size(); ++i) {
      object_.smem_contents[i] = bytes.get<std::uint32_t>(4 * i);
    }
  }

  void read_start_copies() {
    const ElfBytes bytes = bytes_of(SectionId::start_copies);
    constexpr std::size_t size = sizeof(StartCopy);
    if (bytes.size() % size != 0) bytes.fail(bytes.size(), "the last start copy is cut off");
    if (bytes.size() / size > most_start_copies) bytes.fail(0, "too many start copies");
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const auto copy = bytes.get<StartCopy>(at);
      if (copy.tensor >= object_.tensors.size()) bytes.fail(at, "a start copy of no tensor");
      if (copy.buffer > object_.buffers.buffers.size())
        bytes.fail(at + 4, "a start copy to no buffer");
      const std::string trouble = start_copy_trouble(copy.words);
      if (!trouble.empty()) bytes.fail(at, "this is no start copy: " + trouble);
      object_.start_copies.push_back(copy);
    }
  }

  // sh_addralign in units of `unit` bytes: a power of two, at most 4096.
  [[nodiscard]] std::uint64_t alignment(SectionId id, std::uint64_t unit) const {
    if (!section(id).present) return 1;
    const std::uint64_t units = section(id).header.sh_addralign / unit;
    if (units != 0 && units <= 4096 && (units & (units - 1)) == 0) return units;
    file_.fail(section(id).at, fmt::format("{} has a bad alignment", name_of(id)));
  }

  void reserved() {
    const Parameters& preset = *object_.preset;
    object_.vmem_rows = units(SectionId::vmem, preset.row_bytes(), preset.vmem_rows());
    object_.smem_words = units(SectionId::smem, 4, preset.smem_words());
    if (object_.linked) return;
    object_.vmem_alignment =
        static_cast<std::uint32_t>(alignment(SectionId::vmem, preset.row_bytes()));
    object_.smem_alignment = static_cast<std::uint32_t>(alignment(SectionId::smem, 4));
  }

  [[nodiscard]] std::uint32_t units(SectionId id, std::uint64_t unit, std::uint64_t limit) const {
    const std::uint64_t size = section(id).header.sh_size;
    if (size % unit != 0 || size / unit > limit) {
      file_.fail(section(id).at, fmt::format("{} of {} bytes; {} has {}", name_of(id), size,
                                             object_.preset->name, limit * unit));
    }
    return static_cast<std::uint32_t>(size / unit);
  }

  void symbols() {
    const ElfBytes table = bytes_of(SectionId::symbols);
    const ElfBytes strings = bytes_of(SectionId::strings);
    if (table.size() % sizeof(Elf64_Sym) != 0) table.fail(table.size(), "the last is cut off");
    std::vector<std::string_view> names;
    for (std::uint64_t at = sizeof(Elf64_Sym); at < table.size(); at += sizeof(Elf64_Sym)) {
      const auto entry = table.get<Elf64_Sym>(at);
      const std::string_view name = strings.string(entry.st_name);
      if (!is_symbol_name(name)) table.fail(at, "a symbol without a proper name");
      object_.symbols.push_back(read_symbol(table, at, entry, name));
      names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) table.fail(0, fmt::format("symbol `{}` appears twice", *twice));
  }

  Symbol read_symbol(const ElfBytes& table, std::uint64_t at, const Elf64_Sym& entry,
                     std::string_view name) const {
    Symbol symbol;
    symbol.name = name;
    symbol.place = place_of(table, at, entry.st_shndx);
    symbol.global = ELF64_ST_BIND(entry.st_info) != STB_LOCAL;
    symbol.value = entry.st_value;
    if (object_.linked && symbol.place == Place::text) symbol.value -= text_base;
    const std::uint64_t unit = place_unit(symbol.place, *object_.preset);
    if (symbol.value % unit != 0) table.fail(at, fmt::format("`{}` is between units", name));
    symbol.value /= unit;
    check_value(table, at, symbol);
    if (symbol.place == Place::tensor) symbol.name += ".entry";
    return symbol;
  }

  [[nodiscard]] Place place_of(const ElfBytes& table, std::uint64_t at, std::uint16_t index) const {
    if (index == SHN_ABS) return Place::absolute;
    if (index == SHN_UNDEF && !object_.linked) return Place::undefined;
    for (const Place place :
         {Place::text, Place::data, Place::bss, Place::vmem, Place::smem, Place::tensor}) {
      const Section& found = sections_[place_section(place)];
      if (found.present && found.index == index) return place;
    }
    table.fail(at, "a symbol of no section");
  }

  void check_value(const ElfBytes& table, std::uint64_t at, const Symbol& symbol) const {
    if (symbol.place == Place::tensor) return check_tensor(table, at, symbol);
    const std::uint64_t low = start_of(symbol.place);
    const std::uint64_t size = size_of(symbol.place);
    if (symbol.value >= low && symbol.value - low <= size) return;
    table.fail(at, fmt::format("`{}` is outside of its section", symbol.name));
  }

  void check_tensor(const ElfBytes& table, std::uint64_t at, const Symbol& symbol) const {
    const std::uint64_t index = symbol.value / argument_entry_bytes;
    if (symbol.value % argument_entry_bytes != 0 || index >= object_.tensors.size() ||
        object_.tensors[index].name != symbol.name) {
      table.fail(at, fmt::format("`{}` is not the tensor at its place", symbol.name));
    }
  }

  [[nodiscard]] std::uint64_t start_of(Place place) const {
    if (!object_.linked) return 0;
    if (place == Place::data) return data_address(object_);
    return place == Place::bss ? bss_address(object_) : 0;
  }

  [[nodiscard]] std::uint64_t size_of(Place place) const {
    switch (place) {
      case Place::text: return object_.text.size();
      case Place::data: return object_.data.size();
      case Place::bss: return object_.bss_bytes;
      case Place::vmem: return object_.vmem_rows;
      case Place::smem: return object_.smem_words;
      case Place::tensor: return object_.tensors.size() * argument_entry_bytes;
      case Place::undefined: return 0;
      case Place::absolute: break;
    }
    return ~std::uint64_t{0};
  }

  void relocations(SectionId id, std::vector<Relocation>& list) {
    const ElfBytes bytes = bytes_of(id);
    if (bytes.size() != 0 && object_.linked) bytes.fail(0, "relocations in a linked program");
    if (bytes.size() % sizeof(Elf64_Rela) != 0) bytes.fail(bytes.size(), "the last is cut off");
    const bool in_text = id == SectionId::text_relocations;
    for (std::uint64_t at = 0; at < bytes.size(); at += sizeof(Elf64_Rela)) {
      const auto entry = bytes.get<Elf64_Rela>(at);
      list.push_back(read_relocation(bytes, at, entry, in_text));
    }
  }

  [[nodiscard]] Relocation read_relocation(const ElfBytes& bytes, std::uint64_t at,
                                           const Elf64_Rela& entry, bool in_text) const {
    Relocation item;
    const std::uint64_t symbol = ELF64_R_SYM(entry.r_info);
    const std::uint64_t type = ELF64_R_TYPE(entry.r_info);
    item.offset = entry.r_offset;
    item.addend = entry.r_addend;
    item.kind = static_cast<RelocationKind>(type & 0xffU);
    item.log2_scale = static_cast<std::uint8_t>(type >> 8U);
    item.negative = (type >> 16U) != 0;
    const auto first =
        static_cast<std::uint64_t>(in_text ? RelocationKind::operand : RelocationKind::word32);
    const auto last =
        static_cast<std::uint64_t>(in_text ? RelocationKind::operand_hi : RelocationKind::word64);
    if ((type & 0xffU) < first || (type & 0xffU) > last || (type >> 17U) != 0 ||
        item.log2_scale > 31) {
      bytes.fail(at, fmt::format("unknown relocation type {:#x}", type));
    }
    if (symbol == 0 || symbol > object_.symbols.size()) bytes.fail(at, "a relocation of no symbol");
    item.symbol = static_cast<std::uint32_t>(symbol - 1);
    const std::uint64_t limit = in_text ? object_.text.size() * bundle_bytes : object_.data.size();
    if (item.offset >= limit) bytes.fail(at, "a relocation outside of its section");
    return item;
  }

  void entry() {
    if (object_.linked) {
      const std::uint64_t offset = head_.e_entry - text_base;
      if (head_.e_entry < text_base || offset % bundle_bytes != 0 ||
          offset / bundle_bytes >= object_.text.size()) {
        file_.fail(offsetof(Elf64_Ehdr, e_entry), "the entry is outside of the text");
      }
      object_.entry_pc = static_cast<std::uint32_t>(offset / bundle_bytes);
    } else if (object_.entry_pc.value_or(0) >= std::max<std::size_t>(object_.text.size(), 1)) {
      file_.fail(section(SectionId::target).header.sh_offset, "the entry is outside of the text");
    }
  }

  ElfBytes file_;
  Elf64_Ehdr head_{};
  std::array<Section, section_count> sections_{};
  Object object_;
};

}  // namespace
}  // namespace assembly

ElfResult read_elf(std::span<const std::uint8_t> bytes) {
  try {
    return {assembly::ElfReader(bytes).read(), {}, 0};
  } catch (const assembly::ElfTrouble& trouble) {
    return {Object{}, trouble.message, trouble.offset};
  }
}

ElfResult read_elf_file(const std::string& path) {
  std::string contents;
  HostFile file(path);
  if (!file.read_rest(assembly::max_object_bytes, contents)) return {Object{}, file.error(), 0};
  return read_elf({reinterpret_cast<const std::uint8_t*>(contents.data()), contents.size()});
}

std::string elf_error_text(const std::string& path, const ElfResult& result) {
  return fmt::format("{}: offset {:#x}: {}", path, result.offset, result.error);
}

}  // namespace tandem
