#include "cosim/coverage/bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cosim/coverage/unreachable.hpp"
#include "isa/builder/operation.hpp"
#include "isa/text/text.hpp"
#include "isa/timing.hpp"

namespace tandem {
namespace {

constexpr std::string_view float_names[] = {"zero", "subnormal", "normal", "infinite", "NaN"};
constexpr std::string_view latency_names[] = {
    "scalar",   "scalar_load", "control", "valu", "load", "store", "push",
    "multiply", "acc_read",    "eup",     "xlu",  "copy", "wait"};
static_assert(std::size(latency_names) == latency_classes);

template <typename Bins>
void fill_with_none(Bins& bins) {
  if constexpr (std::is_same_v<Bins, std::uint32_t>) {
    bins = no_bin;
  } else {
    for (auto& inner : bins) fill_with_none(inner);
  }
}

// Constants: special values, the rest by sign.
std::uint32_t constant_class(std::uint32_t value) {
  if (value == 0) return 1;
  if (value == 1) return 2;
  if (value == ~0U) return 3;
  return value >> 31U != 0 ? 5 : 4;
}
constexpr std::string_view constant_names[] = {"register", "0",        "1",
                                               "all ones", "positive", "negative"};

std::uint32_t stride_class(std::int32_t value) {
  if (value == 0) return 0;
  if (value == 1) return 1;
  return value > 0 ? 2 : 3;
}

// One of a list of names, or none past its end.
template <std::size_t N>
std::string_view pick(const std::string_view (&names)[N], std::uint32_t number) {
  return number < N ? names[number] : std::string_view();
}

}  // namespace

std::uint32_t operand_class(const Operand& operand, const OperandValue& value) {
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::mreg:
    case OperandKind::vreg: return (value.value == 0 ? 0U : 1U) + (value.extra != 0 ? 2U : 0U);
    case OperandKind::vsource: return value.extra;
    case OperandKind::part: return value.extra;
    case OperandKind::scalar_imm:
      return value.extra == 0 ? 0 : constant_class(static_cast<std::uint32_t>(value.imm));
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return (value.value == 0 ? 0U : 1U) + (value.imm == 0 ? 0U : 2U);
    case OperandKind::flag: return value.extra == 0 ? 0 : 1;
    case OperandKind::stride: return stride_class(value.value);
    case OperandKind::rows: return static_cast<std::uint32_t>(value.value - 1);
    case OperandKind::mask: return (value.value == 0 ? 0U : 1U) + (value.extra != 0 ? 2U : 0U);
    case OperandKind::option: return static_cast<std::uint32_t>(value.value);
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr: return 0;
  }
  __builtin_unreachable();
}

std::string_view operand_class_name(const Operand& operand, std::uint32_t number) {
  constexpr std::string_view registers[] = {"first", "other", "not first", "not other"};
  constexpr std::string_view forms[] = {"vector", "lo", "hi", "scalar", "constant"};
  constexpr std::string_view addresses[] = {"0", "register", "constant", "register and constant"};
  constexpr std::string_view strides[] = {"0", "1", "positive", "negative"};
  constexpr std::string_view counts[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
  constexpr std::string_view masks[] = {"m0", "mask", "not m0", "not mask"};
  constexpr std::string_view options[] = {"off", "on"};
  constexpr std::string_view flags[] = {"constant", "register"};
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::mreg:
    case OperandKind::vreg:
      return number < 2 || operand.extra.width != 0 ? pick(registers, number) : "";
    case OperandKind::vsource:
      return number < 4 || operand.select.width != 0 ? pick(forms, number) : "";
    case OperandKind::part:
      return ((operand.allowed >> number) & 1U) != 0 && number != 3
                 ? part_suffix(static_cast<Part>(number))
                 : "";
    case OperandKind::scalar_imm:
      // A constant of few bits, unsigned, is neither all ones nor negative.
      return operand.imm.width < 32 && (number == 3 || number == 5) && !operand.imm_signed
                 ? ""
                 : pick(constant_names, number);
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return pick(addresses, number);
    case OperandKind::flag: return pick(flags, number);
    case OperandKind::stride: return pick(strides, number);
    case OperandKind::rows: return pick(counts, number);
    case OperandKind::mask: return pick(masks, number);
    case OperandKind::option: return pick(options, number);
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr: return number == 0 ? "any" : "";
  }
  __builtin_unreachable();
}

std::uint32_t float_class(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude == 0) return 0;
  if (magnitude < 0x00800000U) return 1;
  if (magnitude < 0x7f800000U) return 2;
  return magnitude == 0x7f800000U ? 3 : 4;
}

bool takes_floats(const Instruction& row) {
  const bool vector =
      row.operands.count >= 2 && row.operands.items[1]->kind == OperandKind::vsource;
  return vector && row.mnemonic.ends_with(".f32");
}

std::uint32_t BinTable::add(std::string name, std::string_view unreachable) {
  names_.push_back(std::move(name));
  unreachable_.push_back(unreachable);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

void BinTable::add_operands() {
  operands_.resize(instructions.size());
  fill_with_none(operands_);
  for (const Instruction& row : instructions) {
    for (std::size_t place = 0; place < row.operands.count; ++place) {
      const Operand& operand = *row.operands.items[place];
      for (std::uint32_t number = 0; number < operand_classes; ++number) {
        const std::string_view text = operand_class_name(operand, number);
        if (text.empty()) continue;
        operands_[index(row.op)][place][number] =
            add(fmt::format("operand/{} {} {}", row.mnemonic, operand.name, text),
                unreachable_operand(row, operand, number));
      }
    }
  }
}

void BinTable::add_predicates() {
  fill_with_none(predicates_);
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    for (std::uint32_t bits = 0; bits < 32; ++bits) {
      const bool holds = (bits & 1U) != 0;
      const bool negate = (bits & 2U) != 0;
      predicates_[slot][bits] =
          add(fmt::format("predicate/{} {}p{} {}", slot_name(static_cast<Slot>(slot)),
                          negate ? "!" : "", bits / 4, holds ? "holds" : "does not"),
              unreachable_predicate(bits / 4, negate, holds));
    }
  }
}

void BinTable::add_pairs() {
  fill_with_none(pairs_);
  for (std::size_t first = 0; first < slot_count; ++first) {
    for (std::size_t second = first + 1; second < slot_count; ++second) {
      pairs_[first][second] = add(fmt::format("pair/{} {}", slot_name(static_cast<Slot>(first)),
                                              slot_name(static_cast<Slot>(second))));
    }
  }
}

void BinTable::add_hazards() {
  fill_with_none(hazards_);
  for (std::size_t from = 0; from < latency_classes; ++from) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto which = static_cast<Slot>(slot);
      const auto unreachable = unreachable_hazard(static_cast<Latency>(from), which);
      for (std::uint32_t distance = 1; distance <= hazard_distances; ++distance) {
        hazards_[from][slot][distance] =
            add(fmt::format("hazard/{} to {} after {}", latency_names[from], slot_name(which),
                            distance),
                unreachable);
      }
    }
  }
}

void BinTable::add_floats() {
  floats_.resize(instructions.size());
  fill_with_none(floats_);
  for (const Instruction& row : instructions) {
    if (!takes_floats(row)) continue;
    const bool binary = row.operands.count > 2;
    for (std::uint32_t x = 0; x < float_classes; ++x) {
      for (std::uint32_t y = 0; y < (binary ? float_classes : 1); ++y) {
        floats_[index(row.op)][x][y] =
            add(binary ? fmt::format("float/{} {} {}", row.mnemonic, float_names[x], float_names[y])
                       : fmt::format("float/{} {}", row.mnemonic, float_names[x]));
      }
    }
  }
}

// docs/reference.md, section 3. A machine check has no slot.
void BinTable::add_traps() {
  fill_with_none(traps_);
  for (auto cause = TrapCause::illegal_encoding; cause != TrapCause::machine_check;
       cause = static_cast<TrapCause>(static_cast<std::size_t>(cause) + 1)) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto which = static_cast<Slot>(slot);
      traps_[static_cast<std::size_t>(cause)][slot] =
          add(fmt::format("trap/{} {}", trap_name(cause), slot_name(which)),
              unreachable_trap(cause, which));
    }
  }
}

// Cycles lost before a bundle that uses the slot.
void BinTable::add_stalls() {
  fill_with_none(stalls_);
  for (std::size_t cause = 0; cause < stall_causes().size(); ++cause) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      stalls_[cause][slot] = add(fmt::format("stall/{} {}", stall_causes()[cause].name,
                                             slot_name(static_cast<Slot>(slot))),
                                 unreachable_stall(static_cast<StallCause>(cause)));
    }
  }
}

// Copies outstanding when an operation issues: nothing is known of the queue itself.
void BinTable::add_copies() {
  copies_.resize(instructions.size());
  const std::string states[] = {"no copy", "1 copy", "several copies",
                                fmt::format("{} copies and more", timing::copy_queue),
                                "a completion"};
  static_assert(std::size(states) == copy_states);
  for (const Instruction& row : instructions) {
    for (std::size_t state = 0; state < copy_states; ++state) {
      copies_[index(row.op)][state] = add(
          fmt::format("dma/{} beside {}", row.mnemonic, states[state]), unreachable_copies(row));
    }
  }
}

BinTable::BinTable() {
  add_operands();
  add_predicates();
  add_pairs();
  add_hazards();
  add_floats();
  add_traps();
  add_stalls();
  add_copies();
}

const BinTable& bin_table() {
  static const BinTable table;
  return table;
}

std::string_view group_of(std::string_view name) { return name.substr(0, name.find('/')); }

}  // namespace tandem
