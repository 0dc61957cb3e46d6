#include "cosim/reports/producers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/checker/copies.hpp"
#include "isa/encoding.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

std::string producer_text(const Producer& producer, const Image& image) {
  if (!producer.known) return "not written since the start";
  const std::string location = source_location(image, producer.pc);
  return fmt::format("bundle {} (pc {}{}{})", producer.sequence, producer.pc,
                     location.empty() ? "" : ", ", location);
}

Space space_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::s: return Space::sreg;
    case RegisterFile::p: return Space::preg;
    case RegisterFile::m: return Space::mreg;
    case RegisterFile::v: return Space::vreg;
  }
  __builtin_unreachable();
}

}  // namespace

void ProducerTracer::trace_place(const std::string& name, Space space, std::uint32_t index) {
  const Producer producer = checker_.history().producer(space, index, checker_.bundles());
  const std::string place =
      fmt::format("{}: {}", name, place_text({Slot::sa, space, 0, index, {}, 0}));
  const std::uint64_t unit = space == Space::vmem ? image_.preset->row_bytes() : 4;
  const CopyInFlight* copy = nullptr;
  if (space == Space::vmem) copy = checker_.last_copy(CopySpace::vmem, index * unit, unit);
  if (space == Space::smem) copy = checker_.last_copy(CopySpace::smem, index * unit, unit);
  const bool copied = copy != nullptr && (!producer.known || copy->sequence > producer.sequence);
  if (copied) return add_copy(place, *copy);
  add_line(place, producer, space, index, 0);
}

void ProducerTracer::trace_hbm(const std::string& name, std::uint64_t address) {
  const std::string place = fmt::format("{}: HBM {:#x}", name, address);
  const CopyInFlight* copy = checker_.last_copy(CopySpace::hbm, address, 4);
  if (copy != nullptr) return add_copy(place, *copy);
  out_.push_back({place, "no copy of late", 0, {}});
}

void ProducerTracer::trace_weight(const std::string& name, const WeightPlace& place) {
  const Producer producer = checker_.weight_writers().producer(place);
  out_.push_back({fmt::format("{}: weight row {} column {}", name, place.row, place.column),
                  producer_text(producer, image_),
                  0,
                  {}});
  if (!producer.known) return;
  const Expectation* entry = checker_.history().find(static_cast<std::uint32_t>(producer.sequence));
  if (entry == nullptr) return;
  const auto operation = decode(Slot::mx, slot_bits(entry->record.bundle, Slot::mx));
  if (operation) out_.back().text = operation_text(*operation);
  trace_slot(entry->record, Slot::mx, 1);
}

void ProducerTracer::add_copy(const std::string& operand, const CopyInFlight& copy) {
  const Parameters& parameters = *image_.preset;
  out_.push_back(
      {operand, producer_text({copy.sequence, copy.pc, true}, image_), 0,
       fmt::format("copy from {} to {}",
                   copy_address_text(copy_source_space(copy.copy), copy.copy.source, parameters),
                   copy_address_text(copy_destination_space(copy.copy), copy.copy.destination,
                                     parameters))});
}

void ProducerTracer::trace_slot(const RetireRecord& record, Slot slot, unsigned depth) {
  const auto operation = decode(slot, slot_bits(record.bundle, slot));
  if (!operation || !followed_.insert({record.sequence, slot}).second) return;
  const At at{record, depth};
  if (operation->predicate != 0) {
    add(at, "predicate", Space::preg, operation->predicate,
        fmt::format("p{}", operation->predicate));
  }
  const Instruction& row = instruction(operation->op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    trace_operand(at, *row.operands.items[i], operation->operands[i]);
  }
}

void ProducerTracer::trace_operand(const At& at, const Operand& operand,
                                   const OperandValue& value) {
  if (operand.kind == OperandKind::accumulator) {
    trace_accumulator(at, operand, value);
  } else if (const auto name = source(operand, value)) {
    add(at, std::string(operand.name), space_of(name->file), name->index, register_text(*name));
  }
  trace_memory(at, operand, value);
}

std::optional<std::uint32_t> ProducerTracer::scalar(const At& at, std::uint32_t number) const {
  return checker_.history().scalar_before(number, at.record.sequence, checker_.bundles(),
                                          checker_.golden().state().scalars[number]);
}

void ProducerTracer::trace_accumulator(const At& at, const Operand& operand,
                                       const OperandValue& value) {
  const auto reg = static_cast<std::uint32_t>(value.value);
  if (reg != 0) add(at, std::string(operand.name), Space::sreg, reg, fmt::format("s{}", reg));
  const std::optional<std::uint32_t> base = scalar(at, reg);
  if (!base) return;
  const std::uint32_t number = *base + static_cast<std::uint32_t>(value.imm);
  if (number >= accumulators) return;
  for (std::uint32_t row = 0; row < sublanes; ++row) {
    add(at, "old", Space::acc, number * sublanes + row, fmt::format("a{}[{}]", number, row));
  }
}

// The row or word that a load reads first, when the base register's value is still known.
void ProducerTracer::trace_memory(const At& at, const Operand& operand, const OperandValue& value) {
  const bool of_memory = operand.kind == OperandKind::smem || operand.kind == OperandKind::vmem ||
                         operand.kind == OperandKind::vmem_word;
  if (operand.access != Access::read || !of_memory) return;
  const std::optional<std::uint32_t> base = scalar(at, static_cast<std::uint32_t>(value.value));
  if (!base) return;
  const std::uint32_t address = *base + static_cast<std::uint32_t>(value.imm);
  const std::uint32_t lanes = image_.preset->lanes;
  if (operand.kind == OperandKind::smem) {
    add(at, "word", Space::smem, address, fmt::format("smem[{:#x}]", address));
  } else if (operand.kind == OperandKind::vmem) {
    add(at, "first row", Space::vmem, address, fmt::format("vmem[{}]", address));
  } else {
    add(at, "first row", Space::vmem, address / lanes, fmt::format("vmem[{}]", address / lanes));
  }
}

void ProducerTracer::add(const At& at, const std::string& name, Space space, std::uint32_t index,
                         const std::string& place) {
  const bool constant =
      index == 0 && (space == Space::sreg || space == Space::preg || space == Space::mreg);
  if (constant) return;  // s0, p0 and m0 have no producer
  const std::string operand = fmt::format("{} = {}", name, place);
  const bool known = std::any_of(out_.begin(), out_.end(), [&](const OperandReport& other) {
    return at.depth == 0 && other.depth == 0 && other.operand == operand;
  });
  if (known) return;
  add_line(operand, checker_.history().producer(space, index, at.record.sequence), space, index,
           at.depth);
}

void ProducerTracer::add_line(const std::string& operand, const Producer& producer, Space space,
                              std::uint32_t index, unsigned depth) {
  if (out_.size() >= most_lines) return;
  out_.push_back({operand, producer_text(producer, image_), depth, {}});
  if (!producer.known) return;
  const Expectation* entry = checker_.history().find(static_cast<std::uint32_t>(producer.sequence));
  if (entry == nullptr) return;
  for (const Write& write : entry->record.writes) {
    if (write.space != space || write.index != index) continue;
    const auto operation = decode(write.slot, slot_bits(entry->record.bundle, write.slot));
    if (operation) out_.back().text = operation_text(*operation);
    if (depth + 1 < deepest) trace_slot(entry->record, write.slot, depth + 1);
    return;
  }
}

}  // namespace tandem
