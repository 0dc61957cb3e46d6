#include "cosim/random/random_operands.hpp"

#include <algorithm>
#include <bit>

#include "cosim/random/weights.hpp"
#include "isa/analysis/effects.hpp"
#include "isa/builder/operation.hpp"
#include "isa/registers/registers.hpp"
#include "isa/timing.hpp"

namespace tandem {
namespace {

constexpr std::uint32_t special_values[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x3f7fffff,
    0x3f800001, 0x4b000000, 0x4b7fffff, 0xcb000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x3f000000,
    0x3fc00000, 0x7fffffff, 0xffffffff, 0x3f803f80, 0x7f7f8000, 0x00010001, 0x80ff7f01, 0x42b17218,
    0xc2aeac50, 0x43000000, 0xc3150000, 0x1f800000, 0x20000000, 0x3f008000, 0x3f018000, 0x477fff80,
};

constexpr std::uint32_t recent_bundles = 12;  // beyond the longest fixed latency
constexpr std::size_t recent_addresses = 8;

// Cycles after its own in which a result cannot be read yet: isa/timing.def.
std::uint32_t latency_of(Latency latency) {
  switch (latency) {
    case Latency::scalar:
    case Latency::control:
    case Latency::store:
    case Latency::push:
    case Latency::multiply:
    case Latency::copy:
    case Latency::wait: return 0;
    case Latency::scalar_load: return timing::scalar_load;
    case Latency::valu: return timing::valu;
    case Latency::load: return timing::load;
    case Latency::acc_read: return timing::acc_read;
    case Latency::eup:
    case Latency::xlu: return timing::row_unit_result;
  }
  __builtin_unreachable();
}

}  // namespace

SharedRegion shared_region(const Parameters& parameters, const RandomKnobs& knobs) {
  SharedRegion region{};
  region.vmem_rows = std::bit_floor(parameters.vmem_rows() / 2);
  region.vmem_span = std::min(std::bit_floor(knobs.vmem_span), region.vmem_rows / 2);
  region.smem_words = 512;
  region.smem_first = parameters.smem_words() - region.smem_words;
  region.smem_span = 64;
  return region;
}

OperandChooser::OperandChooser(Rng& rng, const Parameters& parameters, const RandomKnobs& knobs)
    : rng_(rng), parameters_(parameters), knobs_(knobs), region_(shared_region(parameters, knobs)) {
  for (const Instruction& row : instructions) {
    if (!may_stand_anywhere(row)) continue;
    const auto chosen = knobs.weights.find(row.mnemonic);
    const std::uint32_t weight = chosen == knobs.weights.end() ? 1 : chosen->second;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (!slot_accepts(static_cast<Slot>(slot), row.group)) continue;
      candidates_[slot].insert(candidates_[slot].end(), weight, &row);
    }
  }
  for (const Register& row : registers()) {
    if (row.program_readable && (!row.is_volatile || knobs.volatile_csrs)) {
      csrs_.push_back(row.number);
    }
  }
}

std::uint32_t OperandChooser::constant() {
  if (rng_.chance(knobs_.special)) return rng_.pick(special_values);
  switch (rng_.below(3)) {
    case 0: return rng_.below(64);
    case 1: return static_cast<std::uint32_t>(-rng_.between(1, 64));
    default: return rng_.next();
  }
}

// A register that another slot of the bundle writes, of which a reader sees the old value.
std::optional<std::uint32_t> OperandChooser::source_in_bundle(RegisterFile file,
                                                              std::uint32_t count) {
  for (const Recent& written : current_) {
    if (written.name.file == file && written.name.index < count) return written.name.index;
  }
  return std::nullopt;
}

// A reader in the bundle being built is the first that can issue without a stall, one bundle too
// early, or one after it, if nothing between stalls.
bool OperandChooser::is_exact(const Recent& recent) const {
  const std::uint32_t distance = bundle_ - recent.bundle;
  return distance >= recent.latency && distance <= recent.latency + 2;
}

std::optional<std::uint32_t> OperandChooser::recent_source(RegisterFile file, std::uint32_t count) {
  const auto size = static_cast<std::uint32_t>(recent_.size());
  const bool exact = rng_.chance(knobs_.exact);
  for (std::uint32_t tries = 0; size != 0 && tries < (exact ? 16U : 8U); ++tries) {
    const Recent& recent = recent_[rng_.below(size)];
    if (recent.name.file != file || recent.name.index >= count) continue;
    if (!exact || is_exact(recent)) return recent.name.index;
  }
  return std::nullopt;
}

std::uint32_t OperandChooser::source(RegisterFile file, std::uint32_t count) {
  if (!current_.empty() && rng_.chance(knobs_.same_bundle)) {
    if (const auto found = source_in_bundle(file, count)) return *found;
  }
  if (rng_.chance(knobs_.near)) {
    if (const auto found = recent_source(file, count)) return *found;
  }
  if (file == RegisterFile::v) return rng_.below(knobs_.vector_pool);
  return rng_.below(count);
}

void OperandChooser::remember(const RegisterName& name, Latency latency) {
  current_.push_back({name, bundle_, latency_of(latency)});
}

std::uint32_t OperandChooser::destination_of(OperandKind kind) {
  const bool discarded = rng_.chance(3);
  switch (*register_file(kind)) {
    case RegisterFile::s:
      return discarded ? 0
                       : static_cast<std::uint32_t>(
                             rng_.between(reserved::first_free, reserved::last_free));
    case RegisterFile::p: return discarded ? 0 : 1 + rng_.below(reserved::free_predicates);
    case RegisterFile::m: return discarded ? 0 : 1 + rng_.below(mask_registers - 1);
    case RegisterFile::v: return rng_.below(knobs_.vector_pool);
  }
  __builtin_unreachable();
}

std::uint32_t OperandChooser::csr_number() {
  return csrs_[rng_.below(static_cast<std::uint32_t>(csrs_.size()))];
}

// The form bits of an operand, uniform.
OperandValue OperandChooser::random_form(const Operand& operand) {
  OperandValue value;
  if (operand.extra.width != 0) value.extra = rng_.below(1U << operand.extra.width);
  return value;
}

// Base register plus offset; fit_rows() then takes stride and row count into account.
OperandValue OperandChooser::choose_vmem(const Operand& operand) {
  OperandValue value;
  value.value = static_cast<std::int32_t>(reserved::row_base + rng_.below(4));
  const std::uint32_t room = operand.kind == OperandKind::vmem_word
                                 ? region_.vmem_rows * parameters_.lanes / 2
                                 : region_.vmem_rows / 2;
  const std::uint32_t span = std::min(room - 8, std::min(2 * region_.vmem_span, 0x7fffU));
  value.imm = rng_.chance(5) ? static_cast<std::int32_t>(std::min(room - 8, 0x7fffU))
                             : static_cast<std::int32_t>(rng_.below(span));
  return aliased(operand.kind == OperandKind::vmem_word ? 1 : 0, value);
}

OperandValue OperandChooser::choose_smem() {
  const OperandValue value{
      static_cast<std::int32_t>(reserved::smem_base), 0,
      static_cast<std::int32_t>(region_.smem_first +
                                rng_.below(region_.smem_words - region_.smem_span))};
  return aliased(2, value);
}

// Replaces this address by a recent one of its kind that also fits.
OperandValue OperandChooser::aliased(std::size_t kind, OperandValue value) {
  std::vector<OperandValue>& recent = addresses_[kind];
  if (!recent.empty() && rng_.chance(knobs_.alias))
    return rng_.pick(std::span(std::as_const(recent)));
  if (recent.size() == recent_addresses) recent.erase(recent.begin());
  recent.push_back(value);
  return value;
}

OperandValue OperandChooser::choose_register(const Operand& operand) {
  const std::uint32_t count = operand.kind == OperandKind::sreg   ? scalar_registers
                              : operand.kind == OperandKind::vreg ? vector_registers
                                                                  : predicate_registers;
  OperandValue value = random_form(operand);
  value.value = static_cast<std::int32_t>(operand.access == Access::write
                                              ? destination_of(operand.kind)
                                              : source(*register_file(operand.kind), count));
  return value;
}

// A vector, half of one, a scalar or a constant.
OperandValue OperandChooser::choose_vsource(const Operand& operand) {
  OperandValue value = random_form(operand);
  if (register_or_constant(operand) && rng_.chance(15)) {
    value.imm = static_cast<std::int32_t>(constant());
    value.extra = static_cast<std::uint32_t>(SourceForm::constant);
    return value;
  }
  const bool scalar = value.extra == static_cast<std::uint32_t>(SourceForm::scalar);
  value.value = static_cast<std::int32_t>(scalar ? source(RegisterFile::s, scalar_registers)
                                                 : source(RegisterFile::v, vector_registers));
  return value;
}

OperandValue OperandChooser::choose_scalar_imm(const Operand& operand) {
  OperandValue value = random_form(operand);
  const std::uint32_t width = operand.imm.width;
  if (value.extra == 0) {
    value.value = static_cast<std::int32_t>(source(RegisterFile::s, scalar_registers));
  } else if (width == 32) {
    value.imm = static_cast<std::int32_t>(constant());
  } else {
    value.imm = static_cast<std::int32_t>(rng_.below(1U << width));
    if (operand.imm_signed) value.imm -= 1 << (width - 1);
  }
  return value;
}

// Accumulators and weight rows: a constant, or a reserved register that stays in range.
OperandValue OperandChooser::choose_matrix_index(const Operand& operand) {
  OperandValue value;
  const bool by_register = rng_.chance(50);
  if (operand.kind == OperandKind::weight_row) {
    if (by_register) value.value = static_cast<std::int32_t>(reserved::weight_row);
    if (!by_register) value.imm = static_cast<std::int32_t>(8 * rng_.below(parameters_.lanes / 8));
    return value;
  }
  if (by_register) value.value = static_cast<std::int32_t>(reserved::accumulator);
  value.imm = static_cast<std::int32_t>(rng_.below(by_register ? 33 : 64));
  if (rng_.chance(60)) value.imm %= 4;  // few accumulators cause hazards
  return value;
}

OperandValue OperandChooser::choose_part(const Operand& operand) {
  OperandValue value;
  do {
    value.extra = rng_.below(8);
  } while (((operand.allowed >> value.extra) & 1U) == 0);
  value.value = static_cast<std::int32_t>(source(RegisterFile::v, vector_registers));
  return value;
}

// Stride, rows, mask and single bits; defaults come up often.
OperandValue OperandChooser::choose_attribute(const Operand& operand) {
  constexpr std::int32_t strides[] = {1, 1, 1, 1, 0, 2, 3, 4, 7, 8, 16, -1, -2, -8};
  OperandValue value;
  if (operand.kind == OperandKind::stride) value.value = rng_.pick(strides);
  if (operand.kind == OperandKind::rows) value.value = rng_.chance(60) ? 8 : rng_.between(1, 8);
  if (operand.kind == OperandKind::option) value.value = rng_.chance(40) ? 1 : 0;
  if (operand.kind == OperandKind::mask) {
    value.value =
        rng_.chance(knobs_.masked) ? static_cast<std::int32_t>(source(RegisterFile::m, 8)) : 0;
    value.extra = rng_.chance(value.value == 0 ? 3 : 50) ? 1 : 0;
  }
  return value;
}

OperandValue OperandChooser::choose_constant(const Operand& operand) {
  OperandValue value;
  value.value = static_cast<std::int32_t>(
      operand.value.width == 32 ? rng_.next() : rng_.below(1U << operand.value.width));
  return value;
}

// Rows of indexed accesses: often the number of the sublane, below a small reserved value.
OperandValue OperandChooser::choose_indexed(const Operand& operand) {
  constexpr std::uint32_t bounds[] = {reserved::accumulator, reserved::copy_offset, 0,
                                      reserved::weight_row};
  OperandValue value;
  if (operand.kind == OperandKind::sreg) {
    value.value = static_cast<std::int32_t>(rng_.pick(bounds));
  } else if (rng_.chance(60)) {
    value.value = static_cast<std::int32_t>(reserved::small_values);
  } else {
    value.value = static_cast<std::int32_t>(source(RegisterFile::v, vector_registers));
  }
  return value;
}

OperandValue OperandChooser::choose(const Operand& operand) {
  if (&operand == &operand::ls_index || &operand == &operand::ls_bound) {
    return choose_indexed(operand);
  }
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg: return choose_register(operand);
    case OperandKind::vsource: return choose_vsource(operand);
    case OperandKind::scalar_imm: return choose_scalar_imm(operand);
    case OperandKind::constant: return choose_constant(operand);
    case OperandKind::csr: return {static_cast<std::int32_t>(csr_number()), 0, 0};
    case OperandKind::smem: return choose_smem();
    case OperandKind::vmem:
    case OperandKind::vmem_word: return choose_vmem(operand);
    case OperandKind::accumulator:
    case OperandKind::weight_row: return choose_matrix_index(operand);
    case OperandKind::part: return choose_part(operand);
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::mask:
    case OperandKind::option: return choose_attribute(operand);
    case OperandKind::target:
    case OperandKind::flag:
    case OperandKind::descriptor: return {};  // control flow and copies are not chosen here
  }
  __builtin_unreachable();
}

// Moves the offset so that all rows of a strided access stay in the shared region.
void OperandChooser::fit_rows(Operation& operation) const {
  const Instruction& row = instruction(operation.op);
  std::int32_t stride = 0;
  std::int32_t room = 0;  // rows after the last one that a stride leads to
  const MemoryUse use = effects_of(operation).memory;
  if (use.space != LocalMemory::vmem || use.in_words) return;
  OperandValue* address = &operation.operands[use.place];
  if (!use.extent_known) room = 128;
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    if (row.operands.items[i]->kind == OperandKind::stride) stride = operation.operands[i].value;
  }
  const std::int32_t lowest = std::max(0, -7 * stride);
  const std::int32_t highest =
      static_cast<std::int32_t>(region_.vmem_rows / 2) - 1 - std::max(room, 7 * stride);
  address->imm = std::clamp(address->imm, lowest, std::max(lowest, highest));
}

void OperandChooser::add_predicate(Operation& operation) {
  if (rng_.chance(knobs_.predicated)) set_predicate(operation);
}

void OperandChooser::set_predicate(Operation& operation) {
  operation.predicate = static_cast<std::uint8_t>(source(RegisterFile::p, predicate_registers));
  operation.negate = rng_.chance(40);
}

std::optional<Operation> OperandChooser::operation(Slot slot, std::set<RegisterName>& taken) {
  const auto& rows = candidates_[static_cast<std::size_t>(slot)];
  if (rows.empty()) return std::nullopt;
  for (int tries = 0; tries < 4; ++tries) {
    const Instruction& row = *rows[rng_.below(static_cast<std::uint32_t>(rows.size()))];
    Operation operation{row.op, 0, false, {}};
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      operation.operands[i] = choose(*row.operands.items[i]);
    }
    fit_rows(operation);
    add_predicate(operation);
    const std::optional<RegisterName> name = destination(operation);
    if (name && !taken.insert(*name).second) continue;
    if (name) remember(*name, row.latency);
    return operation;
  }
  return std::nullopt;
}

std::optional<Operation> OperandChooser::refresh(std::set<RegisterName>& taken) {
  struct Range {
    std::uint32_t reg;
    std::uint32_t mask;
  };
  const Range ranges[] = {
      {reserved::row_base + rng_.below(4), region_.vmem_span - 1},
      {reserved::smem_base, region_.smem_span - 1},
      {reserved::accumulator, 31},
      {reserved::copy_offset, 7},
      {reserved::weight_row, (parameters_.lanes - 1) & ~7U},
  };
  const Range& range = rng_.pick(ranges);
  const RegisterName name{RegisterFile::s, static_cast<std::uint8_t>(range.reg)};
  if (!taken.insert(name).second) return std::nullopt;
  const std::uint32_t from = source(RegisterFile::s, reserved::last_free + 1);
  Operation operation =
      builder::op::bit_and(builder::s(range.reg), builder::s(from), range.mask).operation;
  add_predicate(operation);
  remember(name, Latency::scalar);
  return operation;
}

std::optional<Operation> OperandChooser::slow_refresh(std::set<RegisterName>& taken) {
  constexpr std::uint32_t registers[] = {reserved::row_base,    reserved::row_base + 1,
                                         reserved::smem_base,   reserved::accumulator,
                                         reserved::copy_offset, reserved::copy_offset};
  const RegisterName name{RegisterFile::s, static_cast<std::uint8_t>(rng_.pick(registers))};
  if (!taken.insert(name).second) return std::nullopt;
  remember(name, Latency::xlu);
  Operation operation = builder::op::extract(builder::s(name.index),
                                             builder::v(reserved::small_values), rng_.below(128))
                            .operation;
  add_predicate(operation);
  return operation;
}

void OperandChooser::end_bundle() {
  recent_.insert(recent_.end(), current_.begin(), current_.end());
  current_.clear();
  ++bundle_;
  std::erase_if(recent_, [this](const Recent& r) { return r.bundle + recent_bundles < bundle_; });
}

}  // namespace tandem
