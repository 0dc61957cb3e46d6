// The file in one pass: contents of every section first, then their headers.
#include <cstring>
#include <span>
#include <unordered_map>

#include "assembler/elf.hpp"
#include "assembler/elf/format.hpp"

namespace tandem {
namespace assembly {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <typename T>
void append(Bytes& bytes, const T& item) {
  const auto* raw = reinterpret_cast<const std::uint8_t*>(&item);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

void append_text(Bytes& bytes, std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

std::uint64_t tensor_bytes(const Tensor& tensor) {
  std::uint64_t elements = 1;
  for (const std::int64_t size : tensor.dimensions) {
    if (size == dimension_from_data) return 0;
    elements *= static_cast<std::uint64_t>(size);
  }
  return elements * element_bytes(tensor.type);
}

class ElfWriter {
 public:
  explicit ElfWriter(const Object& object) : object_(object) {}

  Bytes write() {
    strings_.push_back(0);
    file_.resize(sizeof(Elf64_Ehdr) + program_headers() * sizeof(Elf64_Phdr));
    hbm_sections();
    reserve(SectionId::vmem, object_.vmem_rows * std::uint64_t{object_.preset->row_bytes()},
            object_.vmem_alignment * std::uint64_t{object_.preset->row_bytes()});
    reserve(SectionId::smem, object_.smem_words * std::uint64_t{4},
            object_.smem_alignment * std::uint64_t{4});
    contents(SectionId::target, target_text(object_));
    contents(SectionId::tensors, tensors_text(object_));
    contents(SectionId::lines, line_table());
    contents(SectionId::lifetimes, buffer_table());
    contents(SectionId::smem_contents, smem_contents(), 4);
    contents(SectionId::start_copies, start_copies(), 4);
    symbols();
    relocations(SectionId::text_relocations, object_.text_relocations, SectionId::text);
    relocations(SectionId::data_relocations, object_.data_relocations, SectionId::data);
    contents(SectionId::symbols, symbol_table_, 8);
    contents(SectionId::strings, strings_);
    section_headers();
    file_header();
    return std::move(file_);
  }

 private:
  Elf64_Shdr& header(SectionId id) { return headers_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] std::size_t program_headers() const { return object_.linked ? 2 : 0; }

  void pad(std::uint64_t alignment) {
    file_.resize((file_.size() + alignment - 1) / alignment * alignment);
  }

  template <typename Container>
  void contents(SectionId id, const Container& bytes, std::uint64_t alignment = 1) {
    pad(alignment);
    Elf64_Shdr& section = header(id);
    section.sh_offset = file_.size();
    section.sh_size = bytes.size();
    section.sh_addralign = alignment;
    file_.insert(file_.end(), bytes.begin(), bytes.end());
  }

  void reserve(SectionId id, std::uint64_t size, std::uint64_t alignment) {
    header(id).sh_offset = file_.size();
    header(id).sh_size = size;
    header(id).sh_addralign = alignment;
  }

  // .text and .data are at offsets congruent to their addresses, as loaders require.
  void hbm_sections() {
    const std::uint64_t text_alignment = object_.linked ? 4096 : bundle_bytes;
    const auto* words = reinterpret_cast<const std::uint8_t*>(object_.text.data());
    contents(SectionId::text,
             std::span<const std::uint8_t>(words, object_.text.size() * bundle_bytes),
             text_alignment);
    contents(SectionId::data, object_.data, object_.linked ? 4096 : object_.data_alignment);
    reserve(SectionId::bss, object_.bss_bytes, object_.linked ? 4096 : object_.bss_alignment);
    if (!object_.linked) return;
    header(SectionId::text).sh_addr = text_base;
    header(SectionId::data).sh_addr = data_address(object_);
    header(SectionId::bss).sh_addr = bss_address(object_);
    program_header(0, SectionId::text, PF_R | PF_X);
    program_header(1, SectionId::data, PF_R | PF_W);
  }

  void program_header(std::size_t index, SectionId id, std::uint32_t flags) {
    const Elf64_Shdr& section = header(id);
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = flags;
    segment.p_offset = section.sh_offset;
    segment.p_vaddr = segment.p_paddr = section.sh_addr;
    segment.p_filesz = segment.p_memsz = section.sh_size;
    if (id == SectionId::data && object_.bss_bytes != 0) {
      segment.p_memsz = bss_address(object_) + object_.bss_bytes - section.sh_addr;
    }
    segment.p_align = 4096;
    std::memcpy(file_.data() + sizeof(Elf64_Ehdr) + index * sizeof segment, &segment,
                sizeof segment);
  }

  // As docs/assembly.md describes .tandem.lines; 32 bits per number.
  [[nodiscard]] Bytes line_table() const {
    Bytes bytes;
    const SourceTable& source = object_.source;
    if (source.empty()) return bytes;
    append(bytes, elf::lines_version);
    for (const auto* names : {&source.files, &source.operations}) {
      append(bytes, static_cast<std::uint32_t>(names->size()));
      for (const std::string& name : *names) {
        append_text(bytes, name);
        bytes.push_back(0);
      }
    }
    append(bytes, static_cast<std::uint32_t>(source.frames.size()));
    for (const SourceFrame& frame : source.frames) append(bytes, frame);
    append(bytes, static_cast<std::uint32_t>(source.lines.size()));
    for (const SourceLocation& line : source.lines) append(bytes, line);
    return bytes;
  }

  // As docs/assembly.md describes .tandem.lifetimes; 32 bits per number, 64 per address or size.
  [[nodiscard]] Bytes buffer_table() const {
    Bytes bytes;
    const BufferTable& table = object_.buffers;
    if (table.empty()) return bytes;
    append(bytes, elf::lifetimes_version);
    append(bytes, static_cast<std::uint32_t>(table.buffers.size()));
    for (const PlannedBuffer& buffer : table.buffers) {
      append(bytes, static_cast<std::uint32_t>(buffer.kind));
      append(bytes, buffer.first);
      append(bytes, buffer.words);
      append_text(bytes, buffer.name);
      bytes.push_back(0);
    }
    append(bytes, static_cast<std::uint32_t>(table.touches.size()));
    for (const BufferTouch& touch : table.touches) append(bytes, touch);
    return bytes;
  }

  // The words of .smem that have contents, from its first one on; in a linked program from the end
  // of the argument block on.
  [[nodiscard]] Bytes smem_contents() const {
    Bytes bytes;
    for (const std::uint32_t word : object_.smem_contents) append(bytes, word);
    return bytes;
  }

  // Of each its tensor, its buffer, and its words.
  [[nodiscard]] Bytes start_copies() const {
    Bytes bytes;
    for (const StartCopy& copy : object_.start_copies) append(bytes, copy);
    return bytes;
  }

  std::uint32_t string(std::string_view text) {
    const auto offset = static_cast<std::uint32_t>(strings_.size());
    append_text(strings_, text);
    strings_.push_back(0);
    return offset;
  }

  void symbols() {
    append(symbol_table_, Elf64_Sym{});
    std::unordered_map<std::string_view, std::uint64_t> sizes;
    for (const Tensor& tensor : object_.tensors) sizes[tensor.name] = tensor_bytes(tensor);
    std::uint32_t first_global = 1;
    for (const Symbol& symbol : object_.symbols) {
      if (!symbol.global) ++first_global;
      append(symbol_table_, symbol_entry(symbol, sizes));
    }
    header(SectionId::symbols).sh_info = first_global;
  }

  Elf64_Sym symbol_entry(const Symbol& symbol,
                         const std::unordered_map<std::string_view, std::uint64_t>& sizes) {
    Elf64_Sym entry{};
    std::string_view name = symbol.name;
    const bool is_tensor = symbol.place == Place::tensor;
    if (is_tensor) name.remove_suffix(std::string_view(".entry").size());
    entry.st_name = string(name);
    entry.st_info =
        ELF64_ST_INFO(symbol.global ? STB_GLOBAL : STB_LOCAL, is_tensor ? STT_OBJECT : STT_NOTYPE);
    entry.st_shndx = place_section(symbol.place);
    entry.st_value = symbol.value * place_unit(symbol.place, *object_.preset);
    if (object_.linked && symbol.place == Place::text) entry.st_value += text_base;
    if (is_tensor) entry.st_size = sizes.at(name);
    return entry;
  }

  void relocations(SectionId id, const std::vector<Relocation>& list, SectionId target) {
    Bytes bytes;
    for (const Relocation& item : list) {
      append(bytes, Elf64_Rela{item.offset,
                               ELF64_R_INFO(std::uint64_t{item.symbol} + 1, relocation_type(item)),
                               item.addend});
    }
    contents(id, bytes, 8);
    header(id).sh_info = static_cast<std::uint32_t>(target);
    header(id).sh_link = static_cast<std::uint32_t>(SectionId::symbols);
  }

  void section_headers() {
    Bytes names;
    for (std::size_t i = 0; i < section_count; ++i) {
      headers_[i].sh_name = static_cast<std::uint32_t>(names.size());
      headers_[i].sh_type = section_rows[i].type;
      headers_[i].sh_flags = section_rows[i].flags;
      headers_[i].sh_entsize = section_rows[i].entry_size;
      append_text(names, section_rows[i].name);
      names.push_back(0);
    }
    header(SectionId::symbols).sh_link = static_cast<std::uint32_t>(SectionId::strings);
    contents(SectionId::section_names, names);
    pad(8);
    section_offset_ = file_.size();
    for (const Elf64_Shdr& section : headers_) append(file_, section);
  }

  void file_header() {
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = object_.linked ? ET_EXEC : ET_REL;
    head.e_machine = elf::machine;
    head.e_version = EV_CURRENT;
    if (object_.arguments_in_smem) head.e_flags |= elf::arguments_in_smem;
    if (object_.linked) {
      head.e_entry = text_base + object_.entry_pc.value_or(0) * std::uint64_t{bundle_bytes};
      head.e_phoff = sizeof(Elf64_Ehdr);
      head.e_phentsize = sizeof(Elf64_Phdr);
    }
    head.e_phnum = static_cast<std::uint16_t>(program_headers());
    head.e_shoff = section_offset_;
    head.e_ehsize = sizeof(Elf64_Ehdr);
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = section_count;
    head.e_shstrndx = static_cast<std::uint16_t>(SectionId::section_names);
    std::memcpy(file_.data(), &head, sizeof head);
  }

  const Object& object_;
  Bytes file_;
  Bytes strings_;
  Bytes symbol_table_;
  std::array<Elf64_Shdr, section_count> headers_{};
  std::uint64_t section_offset_ = 0;
};

}  // namespace
}  // namespace assembly

std::vector<std::uint8_t> write_elf(const Object& object) {
  return assembly::ElfWriter(object).write();
}

}  // namespace tandem
