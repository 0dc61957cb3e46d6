#include "isa/golden/decode.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "isa/encoding.hpp"
#include "isa/golden/order.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/registers/registers.hpp"

namespace tandem::golden {
namespace {

// Fills the fields of a micro-operation operand by operand; sources of a file in text order.
class Lowering {
 public:
  explicit Lowering(MicroOp& op) : op_(op) {}

  void operand(const Operand& row, const OperandValue& field) {
    const auto number = static_cast<std::uint8_t>(field.value);
    if (&row == &operand::ls_index) op_.indexed = true;
    if (row.access == Access::write && is_register(row.kind)) {
      op_.d = number;
      return;
    }
    switch (row.kind) {
      case OperandKind::sreg: (scalars_++ == 0 ? op_.sx : op_.sy) = number; break;
      case OperandKind::preg: predicate(number, field.extra); break;
      case OperandKind::mreg:
      case OperandKind::mask: mask(number, field.extra != 0); break;
      case OperandKind::vsource:
        if (selects_constant(row, field.extra)) op_.imm = field.imm;
        vector(number, field.extra);
        break;
      case OperandKind::vreg:
      case OperandKind::part: vector(number, field.extra); break;
      case OperandKind::scalar_imm:
        op_.constant = field.extra != 0;
        op_.n = number;
        op_.imm = field.imm;
        break;
      case OperandKind::target:
      case OperandKind::constant: op_.value = static_cast<std::uint32_t>(field.value); break;
      case OperandKind::flag:
        op_.value = static_cast<std::uint32_t>(field.value);
        op_.base = static_cast<std::uint8_t>(field.extra);
        break;
      case OperandKind::csr: csr(static_cast<std::uint32_t>(field.value)); break;
      case OperandKind::smem:
      case OperandKind::vmem:
      case OperandKind::vmem_word:
      case OperandKind::accumulator:
      case OperandKind::weight_row: address(number, field.imm); break;
      case OperandKind::descriptor:
        address(number, field.imm * static_cast<std::int32_t>(descriptor_words));
        break;
      case OperandKind::stride: op_.stride = static_cast<std::int16_t>(field.value); break;
      case OperandKind::rows: op_.rows = number; break;
      case OperandKind::option:
        (options_++ == 0 ? op_.first_option : op_.second_option) = field.extra != 0 || number != 0;
        break;
    }
  }

 private:
  static bool is_register(OperandKind kind) {
    return kind == OperandKind::sreg || kind == OperandKind::preg || kind == OperandKind::mreg ||
           kind == OperandKind::vreg;
  }
  void address(std::uint8_t base, std::int32_t offset) {
    op_.base = base;
    op_.imm = offset;
  }
  void predicate(std::uint8_t number, std::uint32_t negate) {
    const bool first = predicates_++ == 0;
    (first ? op_.px : op_.py) = number;
    (first ? op_.px_not : op_.py_not) = static_cast<std::uint8_t>(negate);
  }
  void mask(std::uint8_t number, bool negate) {
    const bool first = masks_++ == 0;
    (first ? op_.mx : op_.my) = number;
    (first ? op_.mx_not : op_.my_not) = negate;
  }
  void vector(std::uint8_t number, std::uint32_t form) {
    const bool first = vectors_++ == 0;
    (first ? op_.vx : op_.vy) = number;
    (first ? op_.x_form : op_.y_form) = static_cast<std::uint8_t>(form);
  }
  void csr(std::uint32_t number) {
    op_.value = number;
    op_.is_volatile = find_register(number)->is_volatile;
  }

  MicroOp& op_;
  int scalars_ = 0, predicates_ = 0, masks_ = 0, vectors_ = 0, options_ = 0;
};

std::vector<OrderedOperation> operations_of(const tandem::DecodedBundle& slots) {
  std::vector<OrderedOperation> operations;
  operations.reserve(slot_count);
  for (std::size_t i = 0; i < slot_count; ++i) {
    if (slots[i]) operations.push_back({static_cast<Slot>(i), *slots[i]});
  }
  return operations;
}

// Fills in the slots that are not empty, up to one that is illegal.
Trap decode_slots(const Bundle& bundle, tandem::DecodedBundle& slots) {
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const SlotBits bits = slot_bits(bundle, slot);
    if (is_empty(bits)) continue;
    slots[i] = decode(slot, bits);
    if (!slots[i]) return Trap{TrapCause::illegal_encoding, slot, 0};
  }
  const auto conflict = find_write_conflict(slots);
  if (!conflict) return Trap{};
  const auto file = static_cast<std::uint32_t>(conflict->name.file);
  return Trap{TrapCause::write_conflict, conflict->slot, file << 8U | conflict->name.index};
}

// By slot.
using Lowered = std::array<MicroOp, slot_count>;

const MicroOp& of(const Lowered& lowered, const OrderedOperation& item) {
  return lowered[static_cast<std::size_t>(item.slot)];
}

constexpr std::uint8_t architectural_registers(RegisterFile file) {
  switch (file) {
    case RegisterFile::s: return scalar_registers;
    case RegisterFile::p: return predicate_registers;
    case RegisterFile::m: return mask_registers;
    case RegisterFile::v: return vector_registers;
  }
  return 0;
}

// Each slot has its own spare register; the last one takes discarded results.
std::uint8_t spare_register(RegisterFile file, Slot slot) {
  return static_cast<std::uint8_t>(architectural_registers(file) + static_cast<unsigned>(slot));
}
std::uint8_t sink_register(RegisterFile file) {
  return static_cast<std::uint8_t>(architectural_registers(file) + State::spare_registers - 1);
}

Execute commit_function(RegisterFile file) {
  switch (file) {
    case RegisterFile::s: return execute::commit_scalar;
    case RegisterFile::p: return execute::commit_predicate;
    case RegisterFile::m: return execute::commit_mask;
    case RegisterFile::v: return execute::commit_vector;
  }
  return nullptr;
}

// The file that an instruction writes, whether or not the write is discarded.
std::optional<RegisterFile> written_file(Op op) {
  for (const Operand* operand : instruction(op).operands) {
    if (operand->access != Access::write) continue;
    if (operand->kind == OperandKind::sreg) return RegisterFile::s;
    if (operand->kind == OperandKind::preg) return RegisterFile::p;
    if (operand->kind == OperandKind::mreg) return RegisterFile::m;
    if (operand->kind == OperandKind::vreg) return RegisterFile::v;
  }
  return std::nullopt;
}

void append_operations(const std::vector<OrderedOperation>& operations, const Lowered& lowered,
                       MicroOps& pool) {
  MicroOps commits;
  for (const OrderedOperation& item : operations) {
    MicroOp op = of(lowered, item);
    op.execute = semantic_function(item.operation.op);
    const auto file = written_file(item.operation.op);
    const bool discarded = file && !destination(item.operation);
    if (discarded) op.d = sink_register(*file);
    if (item.staged) {
      MicroOp commit = op;
      commit.execute = commit_function(*file);
      op.d = commit.base = spare_register(*file, item.slot);
      commits.push_back(commit);
    }
    if (!only_checks(item.operation.op)) pool.push_back(op);
  }
  pool.insert(pool.end(), commits.begin(), commits.end());
}

}  // namespace

MicroOp lower(Slot slot, const Operation& operation) {
  MicroOp op{};
  op.slot = slot;
  op.slot_bit = static_cast<std::uint16_t>(1U << static_cast<unsigned>(slot));
  op.predicate = operation.predicate;
  op.negate = operation.negate ? 1 : 0;
  Lowering lowering(op);
  const OperandList& operands = instruction(operation.op).operands;
  for (std::size_t i = 0; i < operands.count; ++i) {
    lowering.operand(*operands.items[i], operation.operands[i]);
  }
  return op;
}

Trap find_decode_trap(const Bundle& bundle) {
  tandem::DecodedBundle slots;
  return decode_slots(bundle, slots);
}

BundlePlan plan_bundle(const Bundle& bundle, MicroOps& pool) {
  BundlePlan plan;
  plan.decoded = true;
  plan.first = static_cast<std::uint32_t>(pool.size());
  tandem::DecodedBundle slots;
  plan.traps = static_cast<bool>(decode_slots(bundle, slots));
  if (plan.traps) return plan;
  std::vector<OrderedOperation> operations = operations_of(slots);
  Lowered lowered;
  for (const OrderedOperation& item : operations) {
    MicroOp& op = lowered[static_cast<std::size_t>(item.slot)];
    op = lower(item.slot, item.operation);
    const bool always = op.predicate == 0 && op.negate == 0;
    if (always) plan.unconditional |= op.slot_bit;
    if (!always) pool.push_back(op);
    if (item.operation.op == Op::copy) plan.copies = true;
    if (op.is_volatile) plan.volatile_csr = true;
  }
  plan.guards = static_cast<std::uint8_t>(pool.size() - plan.first);
  for (const OrderedOperation& item : operations) {
    MicroOp op = of(lowered, item);
    op.check = check_function(item.operation);
    if (op.check != nullptr) pool.push_back(op);
    if (op.check != nullptr && item.slot == Slot::sa) plan.control = true;
  }
  plan.checks = static_cast<std::uint8_t>(pool.size() - plan.first - plan.guards);
  order_operations(operations);
  append_operations(operations, lowered, pool);
  plan.operations = static_cast<std::uint8_t>(pool.size() - plan.first - plan.guards - plan.checks);
  return plan;
}

std::uint16_t enabled_slots(const Bundle& bundle, const std::uint8_t* predicates) {
  unsigned enabled = 0;
  for (std::size_t i = 0; i < slot_count; ++i) {
    const SlotBits bits = slot_bits(bundle, static_cast<Slot>(i));
    if (is_empty(bits)) continue;
    const std::uint32_t negate = get_field(bits, predicate_negate_field);
    if ((predicates[get_field(bits, predicate_field)] ^ negate) != 0) enabled |= 1U << i;
  }
  return static_cast<std::uint16_t>(enabled);
}

}  // namespace tandem::golden
