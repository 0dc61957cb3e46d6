#include "isa/analysis/effects.hpp"

#include "isa/state/registers.hpp"

namespace tandem {
namespace {

class Analyser {
 public:
  explicit Analyser(const Operation& operation)
      : operation_(operation), row_(instruction(operation.op)) {}

  Effects run() {
    effects_.latency = row_.latency;
    if (!is_constant_register(File::p, operation_.predicate)) {
      read({File::p, operation_.predicate, predicate_place});
    }
    for (std::uint8_t i = 0; i < row_.operands.count; ++i) operand(i);
    matrix();
    effects_.control = control();
    effects_.flag = flag();
    return effects_;
  }

 private:
  void read(const RegisterUse& use) { effects_.read_list[effects_.read_count++] = use; }

  void write(const RegisterUse& use) {
    if (is_constant_register(use.file, use.index)) return;
    effects_.writes = true;
    effects_.write = use;
  }

  void operand(std::uint8_t place) {
    const Operand& operand = *row_.operands.items[place];
    const OperandValue& value = operation_.operands[place];
    if (is_destination(operand)) {
      const auto file = static_cast<File>(*register_file(operand.kind));
      return write({file, static_cast<std::uint8_t>(value.value), place});
    }
    if (const auto name = source(operand, value)) {
      const auto file = static_cast<File>(name->file);
      if (!is_constant_register(file, name->index)) read({file, name->index, place});
    }
    switch (operand.kind) {
      case OperandKind::accumulator: return accumulator(place, operand, value);
      case OperandKind::smem: return memory(place, operand, LocalMemory::smem);
      case OperandKind::vmem:
      case OperandKind::vmem_word: return memory(place, operand, LocalMemory::vmem);
      case OperandKind::csr: {
        const Register* row = find_register(static_cast<std::uint32_t>(value.value));
        effects_.reads_time = row == nullptr || row->is_volatile;
        return;
      }
      case OperandKind::sreg:
      case OperandKind::preg:
      case OperandKind::vreg:
      case OperandKind::mreg:
      case OperandKind::vsource:
      case OperandKind::scalar_imm:
      case OperandKind::target:
      case OperandKind::constant:
      case OperandKind::flag:
      case OperandKind::descriptor:
      case OperandKind::weight_row:
      case OperandKind::part:
      case OperandKind::stride:
      case OperandKind::rows:
      case OperandKind::mask:
      case OperandKind::option: return;
    }
  }

  [[nodiscard]] const OperandValue* attribute(OperandKind kind, std::string_view name = {}) const {
    for (std::size_t i = 0; i < row_.operands.count; ++i) {
      const Operand& operand = *row_.operands.items[i];
      if (operand.kind == kind && (name.empty() || operand.name == name)) {
        return &operation_.operands[i];
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool option(std::string_view name) const {
    const OperandValue* value = attribute(OperandKind::option, name);
    return value != nullptr && value->value != 0;
  }

  void accumulator(std::uint8_t place, const Operand& operand, const OperandValue& value) {
    const bool known = value.value == 0 && value.imm < static_cast<std::int32_t>(accumulators);
    const RegisterUse use{File::a, static_cast<std::uint8_t>(value.imm), place};
    if (operand.access != Access::write) {
      effects_.any_accumulator_read = !known;
      if (known) read(use);
      return;
    }
    effects_.any_accumulator_write = !known;
    const OperandValue* rows = attribute(OperandKind::rows);
    const bool whole = rows == nullptr || rows->value == static_cast<std::int32_t>(sublanes);
    const bool adds = option("add");
    if (!known) {
      effects_.any_accumulator_read = adds;
      return;
    }
    write(use);
    effects_.keeps_old = adds || !whole;
    if (effects_.keeps_old) read(use);
  }

  void memory(std::uint8_t place, const Operand& operand, LocalMemory space) {
    MemoryUse& use = effects_.memory;
    use.space = space;
    use.writes = operand.access == Access::write;
    use.place = place;
    use.in_words = operand.kind == OperandKind::vmem_word;
    use.offset = operation_.operands[place].imm;
    if (space != LocalMemory::vmem) return;
    const OperandValue* rows = attribute(OperandKind::rows);
    const OperandValue* stride = attribute(OperandKind::stride);
    use.units = rows != nullptr ? rows->value : static_cast<std::int32_t>(sublanes);
    use.stride = stride != nullptr ? stride->value : 1;
    use.extent_known = vectors_read() == (use.writes ? 1U : 0U);
  }

  // A load or store that reads more vectors than it stores takes rows from one of them.
  [[nodiscard]] std::size_t vectors_read() const {
    std::size_t count = 0;
    for (const Operand* operand : row_.operands) {
      count += operand->kind == OperandKind::vreg && operand->access == Access::read ? 1 : 0;
    }
    return count;
  }

  void matrix() {
    effects_.pushes = row_.latency == Latency::push;
    effects_.multiplies = row_.latency == Latency::multiply;
    effects_.swaps = option("swap");
    effects_.transposes = operation_.op == Op::mxpusht;
  }

  [[nodiscard]] Control control() const {
    if (row_.group != Group::control) return Control::none;
    switch (operation_.op) {
      case Op::br: return Control::branch;
      case Op::call: return Control::call;
      case Op::jump: return Control::jump;
      case Op::ret: return Control::ret;
      case Op::halt: return Control::halt;
      case Op::trap: return Control::trap;
      case Op::idle: return Control::idle;
      case Op::marker: return Control::marker;
      default: return Control::unknown;
    }
  }

  [[nodiscard]] FlagUse flag() const {
    if (row_.group != Group::dma) return FlagUse::none;
    if (row_.latency == Latency::copy) return FlagUse::copy;
    if (row_.latency == Latency::wait) return FlagUse::wait;
    return operation_.op == Op::fadd ? FlagUse::add : FlagUse::set;
  }

  const Operation& operation_;
  const Instruction& row_;
  Effects effects_;
};

}  // namespace

std::uint32_t register_count(File file) {
  switch (file) {
    case File::s: return scalar_registers;
    case File::p: return predicate_registers;
    case File::m: return mask_registers;
    case File::v: return vector_registers;
    case File::a: return accumulators;
  }
  return 0;
}

char file_letter(File file) {
  constexpr std::array<char, file_count> letters{'s', 'p', 'm', 'v', 'a'};
  return letters[static_cast<std::size_t>(file)];
}

Effects effects_of(const Operation& operation) { return Analyser(operation).run(); }

}  // namespace tandem
