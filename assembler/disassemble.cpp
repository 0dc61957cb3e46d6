#include "assembler/disassemble.hpp"

#include <algorithm>

#include "assembler/disassembler/data.hpp"
#include "assembler/disassembler/notation.hpp"
#include "assembler/elf/format.hpp"
#include "isa/text/text.hpp"

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

class Disassembler {
 public:
  Disassembler(const Object& object, Notation& out) : object_(object), out_(out) {}

  void run() {
    out_.begin(object_.preset->name);
    for (const Tensor& tensor : object_.tensors) out_.tensor(tensor);
    if (!object_.producer.empty()) out_.producer(object_.producer);
    if (object_.arguments_in_smem) out_.arguments();
    free_symbols();
    if (object_.entry_pc.value_or(0) != 0 || (!object_.linked && object_.entry_pc)) {
      out_.entry(*object_.entry_pc);
    }
    for (const PlannedBuffer& buffer : object_.buffers.buffers) out_.buffer(buffer);
    for (const StartCopy& copy : object_.start_copies)
      out_.start_copy(object_.tensors[copy.tensor].name, copy);
    text();
    data();
    reserve(Place::bss, "bss", object_.bss_bytes, object_.bss_alignment, 4);
    reserve(Place::vmem, "vmem", object_.vmem_rows, object_.vmem_alignment, 1);
    reserve(Place::smem, "smem", object_.smem_words - reserved_from(Place::smem),
            object_.smem_alignment, 1);
  }

 private:
  // Symbols without a section: numbers and imports.
  void free_symbols() {
    for (const Symbol& symbol : object_.symbols) {
      if (symbol.place == Place::undefined) out_.imported(symbol.name);
      if (symbol.place != Place::absolute) continue;
      out_.constant(symbol.name, symbol.value);
      if (symbol.global) out_.exported(symbol.name);
    }
  }

  void label(const Symbol& symbol) {
    if (symbol.global) out_.exported(symbol.name);
    out_.label(symbol.name);
  }

  void text() {
    const std::vector<const Symbol*> labels = symbols_of(object_, Place::text);
    if (object_.text.empty() && labels.empty()) return;
    out_.section("text");
    const LabelName label_of = label_names(labels);
    auto next_label = labels.begin();
    auto next_line = object_.source.lines.begin();
    auto next_touch = object_.buffers.touches.begin();
    auto next_relocation = object_.text_relocations.begin();
    for (std::uint32_t pc = 0; pc <= object_.text.size(); ++pc) {
      for (; next_label != labels.end() && (*next_label)->value == pc; ++next_label) {
        label(**next_label);
      }
      if (pc == object_.text.size()) break;
      for (; next_line != object_.source.lines.end() && next_line->pc == pc; ++next_line) {
        loc(*next_line);
      }
      for (; next_touch != object_.buffers.touches.end() && next_touch->pc == pc; ++next_touch) {
        touch(*next_touch);
      }
      for (; next_relocation != object_.text_relocations.end() &&
             next_relocation->offset / bundle_bytes == pc;
           ++next_relocation) {
        relocation(*next_relocation);
      }
      bundle(object_.text[pc], label_of);
    }
  }

  void bundle(const Bundle& bundle, const LabelName& label_of) {
    if (is_expressible(bundle)) {
      out_.bundle(bundle, label_of);
    } else {
      out_.raw_bundle(bundle);
    }
  }

  // Branch targets by name; in an object they are relocations and are printed as numbers.
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
    const SourceTable& source = object_.source;
    const SourceFrame& frame = source.frame(where.frame);
    const bool same = frame.file == file_;
    file_ = frame.file;
    PlaceNotation place;
    if (where.slot != whole_bundle) place.slot = slot_layouts[where.slot].name;
    for (FrameId id = where.frame; id != no_frame; id = source.frame(id).caller) {
      const SourceFrame& step = source.frame(id);
      place.chain.push_back({source.file_of(step), step.line});
    }
    // The file is omitted when it is the same as in the text before.
    if (same && place.chain.size() == 1) place.chain[0].file = {};
    place.operation = source.operation_of(frame);
    out_.location(place);
  }

  void touch(const BufferTouch& item) {
    const auto text = [](BufferId id) {
      return id == spill_buffer ? std::string("spill") : std::to_string(id);
    };
    out_.touch(slot_layouts[item.slot].name, text(item.reads), text(item.writes));
  }

  void relocation(const Relocation& item) {
    for (const SlotLayout& slot : slot_layouts) {
      if (slot.lsb / 8U == item.offset % bundle_bytes) out_.relocation(slot.name, object_, item);
    }
  }

  void data() {
    const std::vector<const Symbol*> labels = symbols_of(object_, Place::data);
    if (object_.data.empty() && labels.empty()) return;
    out_.section("data");
    if (object_.data_alignment > 4 && !object_.linked) out_.align(object_.data_alignment);
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
      write_data(out_, object_, at, next->offset);
      out_.relocated_word(object_, *next);
      at = next->offset + (next->kind == RelocationKind::word64 ? 8 : 4);
    }
    write_data(out_, object_, std::min(at, end), end);
  }

  void reserve(Place place, std::string_view section, std::uint64_t size, std::uint64_t alignment,
               std::uint64_t usual_alignment) {
    const std::vector<const Symbol*> labels = symbols_of(object_, place);
    if (size == 0 && labels.empty()) return;
    out_.section(section);
    if (alignment > usual_alignment && !object_.linked) out_.align(alignment);
    const std::uint64_t base = reserved_from(place);
    std::uint64_t at = 0;
    for (const Symbol* symbol : labels) {
      const std::uint64_t value = symbol->value - base;
      room(place, at, value);
      at = value;
      label(*symbol);
    }
    room(place, at, size);
  }

  void room(Place place, std::uint64_t begin, std::uint64_t end) {
    if (place == Place::smem) return write_smem(out_, object_, begin, end);
    if (begin != end) out_.space(end - begin);
  }

  // The part that the linker put before the first reservation of a program.
  [[nodiscard]] std::uint64_t reserved_from(Place place) const {
    if (!object_.linked) return 0;
    if (place == Place::bss) return bss_address(object_);
    return place == Place::smem ? argument_block_words(object_) : 0;
  }

  const Object& object_;
  Notation& out_;
  std::vector<const Symbol*> name_of_;
  std::uint32_t file_ = ~0U;
};

}  // namespace
}  // namespace assembly

std::string disassemble(const Object& object, Language language) {
  const std::unique_ptr<assembly::Notation> notation =
      language == Language::python ? assembly::python_notation() : assembly::text_notation();
  assembly::Disassembler(object, *notation).run();
  return notation->take();
}

}  // namespace tandem
