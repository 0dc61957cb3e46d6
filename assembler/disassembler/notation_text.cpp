#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "assembler/disassembler/data.hpp"
#include "assembler/disassembler/notation.hpp"
#include "assembler/elf/format.hpp"
#include "isa/machine.hpp"

namespace tandem::assembly {
namespace {

std::string bare(const std::string& name) { return name; }

class TextNotation final : public Notation {
 public:
  void begin(std::string_view preset) override {
    line(".target {}", target_operand(preset));
    line(".lines off");
  }

  // "x: f32 [rows] in" of the signature, with commas.
  void tensor(const Tensor& tensor) override {
    const std::string text = tensor_text(tensor);
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']');
    line(".tensor {}, {}, {}, {}{}", tensor.name, element_name(tensor.type),
         text.substr(open, close - open + 1), tensor.input ? text.substr(close + 2) : "out",
         tensor.shares.empty() ? "" : ", shares " + tensor.shares);
  }

  void arguments() override { line(".arguments"); }
  void start_copy(std::string_view tensor, const StartCopy& copy) override {
    line(".start_copy {}{}", tensor, given_fields(copy));
  }
  void producer(std::string_view text) override { line(".producer {}", quoted(text)); }
  void imported(std::string_view name) override { line(".extern {}", name); }
  void exported(std::string_view name) override { line(".global {}", name); }
  void constant(std::string_view name, std::uint64_t value) override {
    line(".equ {}, {:#x}", name, value);
  }
  void entry(std::uint32_t pc) override { line(".entry {}", pc); }
  void section(std::string_view name) override { line(".{}", name); }
  void label(std::string_view name) override {
    fmt::format_to(std::back_inserter(out_), "{}:\n", name);
  }
  void space(std::uint64_t count) override { line(".space {}", count); }
  void align(std::uint64_t to) override { line(".align {}", to); }

  void location(const PlaceNotation& place) override {
    std::string text;
    if (!place.slot.empty()) text += fmt::format("{}, ", place.slot);
    for (const SourceStep& step : place.chain) {
      text += fmt::format("{}{}", &step == place.chain.data() ? "" : ", ", step.line);
      if (!step.file.empty()) text += ", " + quoted(step.file);
    }
    if (!place.operation.empty()) text += ", operation " + quoted(place.operation);
    line(".loc {}", text);
  }

  void buffer(const PlannedBuffer& buffer) override {
    line(".buffer {}, {}, {}{}", buffer_kind_name(buffer.kind), buffer.first, buffer.words,
         buffer.name.empty() ? "" : ", " + quoted(buffer.name));
  }

  void touch(std::string_view slot, const std::string& reads, const std::string& writes) override {
    line(".touch {}, {}, {}", slot, reads, writes);
  }

  void relocation(std::string_view slot, const Object& object, const Relocation& item) override {
    line(".reloc {}, {}", slot, relocation_text(object, item, bare));
  }

  void relocated_word(const Object& object, const Relocation& item) override {
    line("{} {}", item.kind == RelocationKind::word64 ? ".u64" : ".u32",
         relocation_text(object, item, bare));
  }

  void bundle(const Bundle& bundle, const LabelName& label_of) override {
    line("{}", bundle_text(bundle, label_of));
  }

  void raw_bundle(const Bundle& bundle) override { line(".bundle {:#x}", fmt::join(bundle, ", ")); }

  void words(std::span<const std::uint32_t> words) override {
    line(".u32 {:#x}", fmt::join(words, ", "));
  }

  void bytes(std::span<const std::uint8_t> bytes) override {
    line(".u8 {}", fmt::join(bytes, ", "));
  }

  std::string take() override { return std::exchange(out_, {}); }

 private:
  template <typename... Args>
  void line(std::string_view form, Args&&... args) {
    out_ += "        ";
    fmt::format_to(std::back_inserter(out_), fmt::runtime(form), std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string out_;
};

}  // namespace

std::unique_ptr<Notation> text_notation() { return std::make_unique<TextNotation>(); }

}  // namespace tandem::assembly
