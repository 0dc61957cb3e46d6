// Objects laid end to end. Every symbol gets its final value, every relocation is applied.
#include <algorithm>
#include <unordered_map>

#include "isa/object/link.hpp"
#include "isa/object/link_symbols.hpp"
#include "isa/object/patch.hpp"

namespace tandem {
namespace {

std::uint64_t aligned(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

class Linker {
 public:
  explicit Linker(std::span<const LinkInput> inputs) : inputs_(inputs) {}

  LinkResult run() {
    program_.linked = true;
    for (const LinkInput& input : inputs_) {
      if (!accepts(input)) return failed();
    }
    reserve_arguments();
    for (const LinkInput& input : inputs_) append(input);
    if (program_.text.empty())
      complain(inputs_.empty() ? "" : inputs_[0].name, DiagnosticCode::no_text, "");
    check_memories();
    LinkedSymbols symbols(inputs_, bases_, program_, diagnostics_);
    symbols.collect();
    if (!diagnostics_.empty()) return failed();
    for (std::size_t i = 0; i < inputs_.size(); ++i) relocate(i, symbols);
    for (std::size_t i = 0; i < inputs_.size(); ++i) append_start_copies(i, symbols);
    sort_symbols(program_.symbols);
    program_.source = source_.release();
    return {std::move(program_), std::move(diagnostics_)};
  }

 private:
  LinkResult failed() { return {Object{}, std::move(diagnostics_)}; }

  template <typename... Args>
  void complain(const std::string& file, DiagnosticCode code, const std::string& hint,
                const Args&... args) {
    diagnostics_.push_back(link_diagnostic(file, code, hint, args...));
  }

  bool accepts(const LinkInput& input) {
    if (input.object.linked) {
      complain(input.name, DiagnosticCode::not_relocatable_object, "link its objects instead");
      return false;
    }
    if (program_.preset == nullptr) program_.preset = input.object.preset;
    const std::string trouble = target_mismatch(*input.object.preset, *program_.preset);
    if (trouble.empty()) return true;
    complain(input.name, DiagnosticCode::preset_differs, "", trouble);
    return false;
  }

  // The argument block comes first in SMEM if any of the objects uses it there.
  void reserve_arguments() {
    std::uint32_t words = 0;
    for (const LinkInput& input : inputs_) {
      if (program_.producer.empty()) program_.producer = input.object.producer;
      if (input.object.arguments_in_smem) program_.arguments_in_smem = true;
      words += static_cast<std::uint32_t>(input.object.tensors.size() * argument_entry_bytes / 4);
    }
    if (program_.arguments_in_smem) program_.smem_words = words;
    smem_words_ = argument_block_words_ = program_.smem_words;
  }

  void append(const LinkInput& input) {
    const Object& object = input.object;
    Bases bases;
    bases.text = program_.text.size();
    bases.data = aligned(program_.data.size(), object.data_alignment);
    bases.bss = aligned(program_.bss_bytes, object.bss_alignment);
    bases.vmem = aligned(program_.vmem_rows, object.vmem_alignment);
    bases.smem = aligned(program_.smem_words, object.smem_alignment);
    bases.buffers = static_cast<BufferId>(program_.buffers.buffers.size());
    program_.text.insert(program_.text.end(), object.text.begin(), object.text.end());
    program_.data.resize(bases.data);
    program_.data.insert(program_.data.end(), object.data.begin(), object.data.end());
    program_.bss_bytes = bases.bss + object.bss_bytes;
    append_smem(object, bases.smem);
    vmem_rows_ = bases.vmem + object.vmem_rows;
    smem_words_ = bases.smem + object.smem_words;
    program_.vmem_rows = static_cast<std::uint32_t>(vmem_rows_);
    program_.smem_words = static_cast<std::uint32_t>(smem_words_);
    append_entry(input, bases);
    source_.append(object.source, static_cast<std::uint32_t>(bases.text));
    append_buffers(object.buffers, bases);
    for (GivenName name : object.given) {
      name.from += static_cast<std::uint32_t>(bases.text);
      program_.given.push_back(std::move(name));
    }
    bases_.push_back(bases);
  }

  void append_smem(const Object& object, std::uint64_t base) {
    if (object.smem_contents.empty()) return;
    program_.smem_contents.resize(base - argument_block_words_);
    program_.smem_contents.insert(program_.smem_contents.end(), object.smem_contents.begin(),
                                  object.smem_contents.end());
  }

  // Tensors that several objects declare are one, so numbers change.
  void append_start_copies(std::size_t input, const LinkedSymbols& symbols) {
    const Object& object = inputs_[input].object;
    for (StartCopy copy : object.start_copies) {
      copy.tensor = symbols.tensor(object.tensors[copy.tensor].name);
      if (copy.buffer != no_buffer) copy.buffer += bases_[input].buffers;
      program_.start_copies.push_back(copy);
    }
    if (program_.start_copies.size() > most_start_copies) {
      complain(inputs_[input].name, DiagnosticCode::too_many_start_copies, "",
               program_.start_copies.size(), most_start_copies);
    }
  }

  // Places of buffers count words from the beginning of .bss or .data.
  void append_buffers(const BufferTable& table, const Bases& bases) {
    std::vector<PlannedBuffer>& all = program_.buffers.buffers;
    program_.buffers.append(table, static_cast<std::uint32_t>(bases.text));
    for (std::size_t i = bases.buffers; i < all.size(); ++i) {
      if (all[i].kind == BufferKind::hbm) all[i].first += bases.bss / 4;
      if (all[i].kind == BufferKind::constant) all[i].first += bases.data / 4;
    }
  }

  void append_entry(const LinkInput& input, const Bases& bases) {
    if (!input.object.entry_pc) return;
    if (program_.entry_pc) complain(input.name, DiagnosticCode::several_entries, "", entry_from_);
    program_.entry_pc = static_cast<std::uint32_t>(bases.text + *input.object.entry_pc);
    entry_from_ = input.name;
  }

  void check_memories() {
    const Parameters& preset = *program_.preset;
    const std::string& last = inputs_.back().name;
    if (!program_.smem_contents.empty() && !program_.arguments_in_smem) {
      complain(last, DiagnosticCode::smem_contents_without_arguments, "add `.arguments`");
    }
    if (vmem_rows_ > preset.vmem_rows()) {
      complain(last, DiagnosticCode::does_not_fit, "", vmem_rows_, "VMEM", "rows", preset.name,
               preset.vmem_rows());
    }
    if (smem_words_ > preset.smem_words()) {
      complain(last, DiagnosticCode::does_not_fit, "", smem_words_, "SMEM", "words", preset.name,
               preset.smem_words());
    }
  }

  void relocate(std::size_t input, const LinkedSymbols& symbols) {
    const Object& object = inputs_[input].object;
    for (const Relocation& item : object.text_relocations) {
      const std::uint64_t offset = item.offset + bases_[input].text * bundle_bytes;
      const std::int64_t number = value_of(item, symbols.value(input, item.symbol));
      check_space(input, item, offset, symbols.place(input, item.symbol));
      const std::string trouble = patch_text(program_, offset, number);
      if (!trouble.empty()) report(input, item, offset, number, trouble, true);
    }
    for (const Relocation& item : object.data_relocations) {
      const std::uint64_t offset = item.offset + bases_[input].data;
      const std::int64_t number = value_of(item, symbols.value(input, item.symbol));
      const std::string trouble = patch_data(program_, offset, item.kind, number);
      if (!trouble.empty()) report(input, item, offset, number, trouble, false);
    }
  }

  void check_space(std::size_t input, const Relocation& item, std::uint64_t offset, Place place) {
    const Operand* operand = patched_operand(program_, offset);
    const std::string_view wanted = operand == nullptr ? "" : wrong_space(*operand, place);
    if (wanted.empty()) return;
    const std::uint64_t pc = offset / bundle_bytes;
    complain(inputs_[input].name, DiagnosticCode::wrong_space, "",
             inputs_[input].object.symbols[item.symbol].name, section_name(place),
             fmt::format("{} in bundle {}{}", wanted, pc, line_of(pc)));
  }

  static std::int64_t value_of(const Relocation& item, std::uint64_t symbol) {
    const std::uint64_t scaled = symbol << item.log2_scale;
    const std::uint64_t sum =
        static_cast<std::uint64_t>(item.addend) + (item.negative ? 0 - scaled : scaled);
    switch (item.kind) {
      case RelocationKind::operand_lo:
      case RelocationKind::word32_lo: return static_cast<std::int64_t>(sum & 0xffff'ffffU);
      case RelocationKind::operand_hi:
      case RelocationKind::word32_hi: return static_cast<std::int64_t>(sum >> 32U);
      case RelocationKind::operand:
      case RelocationKind::word32:
      case RelocationKind::word64: break;
    }
    return static_cast<std::int64_t>(sum);
  }

  void report(std::size_t input, const Relocation& item, std::uint64_t offset, std::int64_t number,
              const std::string& trouble, bool in_text) {
    const std::string where = in_text ? fmt::format("in bundle {}{}", offset / bundle_bytes,
                                                    line_of(offset / bundle_bytes))
                                      : fmt::format("at byte {} of .data", offset);
    complain(inputs_[input].name, DiagnosticCode::relocation_range, "",
             inputs_[input].object.symbols[item.symbol].name, number, where, trouble);
  }

  // " (loop.s:12)" if the line table knows it.
  [[nodiscard]] std::string line_of(std::uint64_t pc) const {
    const SourceTable& source = source_.table();
    const std::vector<SourceLocation>& lines = source.lines;
    const auto found = std::lower_bound(
        lines.begin(), lines.end(), pc,
        [](const SourceLocation& line, std::uint64_t wanted) { return line.pc < wanted; });
    if (found == lines.end() || found->pc != pc) return {};
    const SourceFrame& frame = source.frame(found->frame);
    return fmt::format(" ({}{})", source.place_text(frame), source.callers_text(frame));
  }

  std::span<const LinkInput> inputs_;
  std::vector<Bases> bases_;
  Object program_;
  SourceTableBuilder source_;
  std::uint64_t vmem_rows_ = 0;
  std::uint64_t smem_words_ = 0;
  std::uint64_t argument_block_words_ = 0;  // of SMEM
  std::string entry_from_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

LinkResult link(std::span<const LinkInput> objects) {
  if (objects.empty()) return {Object{}, {link_diagnostic("", DiagnosticCode::no_text, "")}};
  return Linker(objects).run();
}

}  // namespace tandem
