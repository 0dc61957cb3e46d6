#include "isa/analysis/effects.hpp"

#include <string_view>
#include <vector>

#include "isa/registers/registers.hpp"

namespace tandem {
namespace {

constexpr std::int8_t nowhere = -1;

std::int8_t place_of(const Instruction& row, OperandKind kind, std::string_view name = {}) {
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    if (operand.kind == kind && (name.empty() || operand.name == name)) {
      return static_cast<std::int8_t>(i);
    }
  }
  return nowhere;
}

Control control_of(const Instruction& row) {
  if (row.group != Group::control) return Control::none;
  switch (row.op) {
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

FlagUse flag_of(const Instruction& row) {
  if (row.group != Group::dma) return FlagUse::none;
  if (row.latency == Latency::copy) return FlagUse::copy;
  if (row.latency == Latency::wait) return FlagUse::wait;
  return row.op == Op::fadd ? FlagUse::add : FlagUse::set;
}

// The properties shared by all operations of one instruction.
struct Shape {
  explicit Shape(const Instruction& row)
      : rows(place_of(row, OperandKind::rows)),
        stride(place_of(row, OperandKind::stride)),
        add(place_of(row, OperandKind::option, "add")),
        swap(place_of(row, OperandKind::option, "swap")) {
    fixed.latency = row.latency;
    fixed.control = control_of(row);
    fixed.flag = flag_of(row);
    fixed.pushes = row.latency == Latency::push;
    fixed.multiplies = row.latency == Latency::multiply;
    fixed.transposes = row.op == Op::mxpusht;
    for (std::uint8_t i = 0; i < row.operands.count; ++i) {
      const Operand& operand = *row.operands.items[i];
      if (says_something(operand.kind)) places[place_count++] = i;
      vectors_read += operand.kind == OperandKind::vreg && operand.access == Access::read ? 1 : 0;
    }
  }
  // Names a register, or the place of an effect.
  static bool says_something(OperandKind kind) {
    return register_file(kind).has_value() || kind == OperandKind::vsource ||
           kind == OperandKind::flag || kind == OperandKind::csr;
  }

  Effects fixed;
  std::array<std::uint8_t, max_operands> places{};
  std::uint8_t place_count = 0;
  std::int8_t rows, stride, add, swap;  // operands, or nowhere
  std::size_t vectors_read = 0;
};

const Shape& shape_of(Op op) {
  static const std::vector<Shape> shapes(instructions.begin(), instructions.end());
  return shapes[static_cast<std::size_t>(op)];
}

class Analyser {
 public:
  explicit Analyser(const Operation& operation)
      : operation_(operation),
        row_(instruction(operation.op)),
        shape_(shape_of(operation.op)),
        effects_(shape_.fixed) {}

  Effects run() {
    if (!is_constant_register(File::p, operation_.predicate)) {
      read({File::p, operation_.predicate, predicate_place});
    }
    for (std::uint8_t i = 0; i < shape_.place_count; ++i) operand(shape_.places[i]);
    effects_.swaps = option(shape_.swap);
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

  [[nodiscard]] std::int32_t attribute(std::int8_t place, std::int32_t otherwise) const {
    return place == nowhere ? otherwise
                            : operation_.operands[static_cast<std::size_t>(place)].value;
  }
  [[nodiscard]] bool option(std::int8_t place) const { return attribute(place, 0) != 0; }

  void accumulator(std::uint8_t place, const Operand& operand, const OperandValue& value) {
    const bool known = value.value == 0 && value.imm < static_cast<std::int32_t>(accumulators);
    const RegisterUse use{File::a, static_cast<std::uint8_t>(value.imm), place};
    if (operand.access != Access::write) {
      effects_.any_accumulator_read = !known;
      if (known) read(use);
      return;
    }
    effects_.any_accumulator_write = !known;
    constexpr auto all = static_cast<std::int32_t>(sublanes);
    const bool whole = attribute(shape_.rows, all) == all;
    const bool adds = option(shape_.add);
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
    use.units = attribute(shape_.rows, static_cast<std::int32_t>(sublanes));
    use.stride = attribute(shape_.stride, 1);
    // A load or store that reads more vectors than it stores takes rows from one of them.
    use.extent_known = shape_.vectors_read == (use.writes ? 1U : 0U);
  }

  const Operation& operation_;
  const Instruction& row_;
  const Shape& shape_;
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
