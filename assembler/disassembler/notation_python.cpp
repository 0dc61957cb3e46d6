#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "assembler/disassembler/data.hpp"
#include "assembler/disassembler/notation.hpp"
#include "isa/text/python_text.hpp"

namespace tandem::assembly {
namespace {

std::string label_object(const std::string& name) {
  return fmt::format("Label({})", python_string(name));
}

class PythonNotation final : public Notation {
 public:
  void begin(std::string_view preset) override {
    out_ += "from tandem.assembly import *\n\n";
    fmt::format_to(std::back_inserter(out_), "with Program({}) as program:\n",
                   python_string(preset));
    line("lines(False)");
  }

  void tensor(const Tensor& tensor) override {
    const std::string use = tensor.input ? (tensor.output ? "inout" : "in") : "out";
    line("tensor({}, {}, [{}], {}{})", python_string(tensor.name),
         python_string(element_name(tensor.type)), sizes(tensor), python_string(use),
         tensor.shares.empty() ? "" : ", shares=" + python_string(tensor.shares));
  }

  void arguments() override { line("arguments()"); }
  void start_copy(std::string_view tensor, const StartCopy& copy) override {
    line("start_copy({}{})", python_string(tensor), given_fields(copy));
  }
  void producer(std::string_view text) override { line("producer({})", python_string(text)); }
  void imported(std::string_view name) override { line("extern({})", python_string(name)); }
  void exported(std::string_view name) override { line("global_({})", python_string(name)); }
  void constant(std::string_view name, std::uint64_t value) override {
    line("equ({}, {:#x})", python_string(name), value);
  }
  void entry(std::uint32_t pc) override { line("entry({})", pc); }
  void section(std::string_view name) override { line("{}()", name); }
  void label(std::string_view name) override { line("label({})", python_string(name)); }
  void space(std::uint64_t count) override { line("space({})", count); }
  void align(std::uint64_t to) override { line("align({})", to); }

  void location(const PlaceNotation& place) override {
    std::string text;
    for (const SourceStep& step : place.chain) {
      text += fmt::format("{}{}", &step == place.chain.data() ? "" : ", ", step.line);
      if (!step.file.empty()) text += ", " + python_string(step.file);
    }
    if (!place.operation.empty()) text += ", operation=" + python_string(place.operation);
    if (!place.slot.empty()) text += ", slot=" + python_string(place.slot);
    line("loc({})", text);
  }

  void buffer(const PlannedBuffer& buffer) override {
    line("buffer({}, {}, {}{})", python_string(buffer_kind_name(buffer.kind)), buffer.first,
         buffer.words, buffer.name.empty() ? "" : ", " + python_string(buffer.name));
  }

  void touch(std::string_view slot, const std::string& reads, const std::string& writes) override {
    const auto text = [](const std::string& id) { return id == "spill" ? python_string(id) : id; };
    line("touch({}, {}, {})", python_string(slot), text(reads), text(writes));
  }

  void relocation(std::string_view slot, const Object& object, const Relocation& item) override {
    line("reloc({}, {})", python_string(slot), relocation_text(object, item, label_object));
  }

  void relocated_word(const Object& object, const Relocation& item) override {
    line("values({}, {})", item.kind == RelocationKind::word64 ? "\"u64\"" : "\"u32\"",
         relocation_text(object, item, label_object));
  }

  void bundle(const Bundle& bundle, const LabelName& label_of) override {
    std::string operations;
    for (std::size_t index = 0; index < slot_count; ++index) {
      const auto slot = static_cast<Slot>(index);
      const SlotBits bits = slot_bits(bundle, slot);
      if (is_empty(bits)) continue;
      operations += operations.empty() ? "" : "; ";
      operations += python_operation(slot, *decode(slot, bits), label_of);
    }
    line("with bundle(): {}", operations.empty() ? "pass" : operations);
  }

  void raw_bundle(const Bundle& bundle) override {
    line("raw_bundle({:#x})", fmt::join(bundle, ", "));
  }

  void words(std::span<const std::uint32_t> words) override {
    line("values(\"u32\", {:#x})", fmt::join(words, ", "));
  }

  void bytes(std::span<const std::uint8_t> bytes) override {
    line("values(\"u8\", {})", fmt::join(bytes, ", "));
  }

  std::string take() override { return std::exchange(out_, {}); }

 private:
  template <typename... Args>
  void line(std::string_view form, Args&&... args) {
    out_ += "    ";
    fmt::format_to(std::back_inserter(out_), fmt::runtime(form), std::forward<Args>(args)...);
    out_ += '\n';
  }

  static std::string sizes(const Tensor& tensor) {
    std::string list;
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      const std::string& name = tensor.dimension_names[i];
      const bool is_open = tensor.dimensions[i] < 0;
      list += list.empty() ? "" : ", ";
      list += is_open ? python_string(name.empty() ? "?" : name)
                      : fmt::format("{}", tensor.dimensions[i]);
    }
    return list;
  }

  std::string out_;
};

}  // namespace

std::unique_ptr<Notation> python_notation() { return std::make_unique<PythonNotation>(); }

}  // namespace tandem::assembly
