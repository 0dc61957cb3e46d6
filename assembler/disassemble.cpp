#include "assembler/disassemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "assembler/disassemble_data.hpp"
#include "assembler/elf_format.hpp"
#include "isa/text.hpp"

namespace tandem {
namespace assembly {
namespace {

// Whether the text of the bundle would be accepted: everything decodes and nothing conflicts.
bool is_expressible(const Bundle& bundle) {
  DecodedBundle decoded;
  for (std::size_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const SlotBits bits = slot_bits(bundle, slot);
    if (is_empty(bits)) continue;
    decoded[index] = decode(slot, bits);
    if (!decoded[index]) return false;
  }
  return !find_write_conflict(decoded);
}

std::string raw_bundle_text(const Bundle& bundle) {
  std::string text = ".bundle ";
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    text += fmt::format("{}{:#x}", i == 0 ? "" : ", ", bundle[i]);
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

class Disassembler {
 public:
  explicit Disassembler(const Object& object) : object_(object) {}

  std::string run() {
    line(".target {}", object_.preset->name);
    line(".lines off");
    for (const Tensor& tensor : object_.tensors) tensor_line(tensor);
    if (object_.arguments_in_smem) line(".arguments");
    free_symbols();
    if (object_.entry_pc.value_or(0) != 0 || (!object_.linked && object_.entry_pc)) {
      line(".entry {}", *object_.entry_pc);
    }
    text();
    data();
    reserve(Place::bss, ".bss", object_.bss_bytes, object_.bss_alignment, 4);
    reserve(Place::vmem, ".vmem", object_.vmem_rows, object_.vmem_alignment, 1);
    reserve(Place::smem, ".smem", object_.smem_words - reserved_from(Place::smem),
            object_.smem_alignment, 1);
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(std::string_view form, const Args&... args) {
    out_ += "        ";
    fmt::format_to(std::back_inserter(out_), fmt::runtime(form), args...);
    out_ += '\n';
  }

  // "x: f32 [rows] in" of the signature, with commas.
  void tensor_line(const Tensor& tensor) {
    const std::string text = tensor_text(tensor);
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']');
    line(".tensor {}, {}, {}, {}{}", tensor.name, element_name(tensor.type),
         text.substr(open, close - open + 1), tensor.input ? text.substr(close + 2) : "out",
         tensor.shares.empty() ? "" : ", shares " + tensor.shares);
  }

  // Those that lie nowhere: numbers and imports.
  void free_symbols() {
    for (const Symbol& symbol : object_.symbols) {
      if (symbol.place == Place::undefined) line(".extern {}", symbol.name);
      if (symbol.place != Place::absolute) continue;
      line(".equ {}, {:#x}", symbol.name, symbol.value);
      if (symbol.global) line(".global {}", symbol.name);
    }
  }

  void label(const Symbol& symbol) {
    if (symbol.global) line(".global {}", symbol.name);
    fmt::format_to(std::back_inserter(out_), "{}:\n", symbol.name);
  }

  void text() {
    const std::vector<const Symbol*> labels = symbols_of(object_, Place::text);
    if (object_.text.empty() && labels.empty()) return;
    line(".text");
    const LabelName label_of = label_names(labels);
    auto next_label = labels.begin();
    auto next_line = object_.lines.begin();
    auto next_relocation = object_.text_relocations.begin();
    for (std::uint32_t pc = 0; pc <= object_.text.size(); ++pc) {
      for (; next_label != labels.end() && (*next_label)->value == pc; ++next_label) {
        label(**next_label);
      }
      if (pc == object_.text.size()) break;
      for (; next_line != object_.lines.end() && next_line->pc == pc; ++next_line) loc(*next_line);
      for (; next_relocation != object_.text_relocations.end() &&
             next_relocation->offset / bundle_bytes == pc;
           ++next_relocation) {
        relocation(*next_relocation);
      }
      const Bundle& bundle = object_.text[pc];
      line("{}", is_expressible(bundle) ? bundle_text(bundle, label_of) : raw_bundle_text(bundle));
    }
  }

  // Branch targets by name; in an object they are relocations and print as numbers.
  LabelName label_names(const std::vector<const Symbol*>& labels) {
    if (!object_.linked) return {};
    name_of_.assign(object_.text.size() + 1, nullptr);
    for (const Symbol* symbol : labels) {
      if (name_of_[symbol->value] == nullptr) name_of_[symbol->value] = symbol;
    }
    return [this](std::uint32_t pc) {
      return pc < name_of_.size() && name_of_[pc] != nullptr ? name_of_[pc]->name : std::string();
    };
  }

  void loc(const SourceLocation& where) {
    const bool same = where.file == file_;
    file_ = where.file;
    const std::string file = quoted(object_.files[where.file]);
    if (where.call_line != 0) {
      line(".loc {}, {}, {}, {}", where.line, file, where.call_line,
           quoted(object_.files[where.call_file]));
    } else if (same) {
      line(".loc {}", where.line);
    } else {
      line(".loc {}, {}", where.line, file);
    }
  }

  void relocation(const Relocation& item) {
    for (const SlotLayout& slot : slot_layouts) {
      if (slot.lsb / 8U != item.offset % bundle_bytes) continue;
      line(".reloc {}, {}", slot.name, relocation_text(object_, item));
    }
  }

  void data() {
    const std::vector<const Symbol*> labels = symbols_of(object_, Place::data);
    if (object_.data.empty() && labels.empty()) return;
    line(".data");
    if (object_.data_alignment > 4 && !object_.linked) line(".align {}", object_.data_alignment);
    const std::uint64_t base = object_.linked ? data_address(object_) : 0;
    std::uint64_t at = 0;
    auto next_relocation = object_.data_relocations.begin();
    for (const Symbol* symbol : labels) {
      data_run(at, symbol->value - base, next_relocation);
      at = symbol->value - base;
      label(*symbol);
    }
    data_run(at, object_.data.size(), next_relocation);
  }

  void data_run(std::uint64_t at, std::uint64_t end,
                std::vector<Relocation>::const_iterator& next) {
    for (; next != object_.data_relocations.end() && next->offset < end; ++next) {
      if (next->offset < at) continue;
      append_data_text(out_, object_, at, next->offset);
      const bool is_long = next->kind == RelocationKind::word64;
      line("{} {}", is_long ? ".u64" : ".u32", relocation_text(object_, *next));
      at = next->offset + (is_long ? 8 : 4);
    }
    append_data_text(out_, object_, std::min(at, end), end);
  }

  void reserve(Place place, std::string_view section, std::uint64_t size, std::uint64_t alignment,
               std::uint64_t usual_alignment) {
    const std::vector<const Symbol*> labels = symbols_of(object_, place);
    if (size == 0 && labels.empty()) return;
    line("{}", section);
    if (alignment > usual_alignment && !object_.linked) line(".align {}", alignment);
    const std::uint64_t base = reserved_from(place);
    std::uint64_t at = 0;
    for (const Symbol* symbol : labels) {
      const std::uint64_t value = symbol->value - base;
      if (value != at) line(".space {}", value - at);
      at = value;
      label(*symbol);
    }
    if (size != at) line(".space {}", size - at);
  }

  // What the linker put before the first reservation of a program.
  [[nodiscard]] std::uint64_t reserved_from(Place place) const {
    if (!object_.linked) return 0;
    if (place == Place::bss) return bss_address(object_);
    return place == Place::smem ? argument_block_words(object_) : 0;
  }

  const Object& object_;
  std::string out_;
  std::vector<const Symbol*> name_of_;
  std::uint32_t file_ = ~0U;
};

}  // namespace
}  // namespace assembly

std::string disassemble(const Object& object) { return assembly::Disassembler(object).run(); }

}  // namespace tandem
