// The places that operands name, shared by all code that orders operations.
#pragma once

#include <cstdint>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// A number for each register of a block; those of virtual ones are their own.
inline constexpr std::uint64_t first_named_register = std::uint64_t{1} << 40U;
inline std::uint64_t number_of(const RegisterKey& key) {
  if (key.is_virtual()) return key.virtual_id;
  return first_named_register + (static_cast<std::uint64_t>(key.file) << 8U) + key.index;
}

// Accumulators named by number are treated as places of a memory, because a[s + n] may be any.
inline bool is_place(const LinearOperation& item, const RegisterUse& use) {
  return use.file == File::a && item.registers[use.place] == no_virtual;
}

// visit(place, writes) for each operand that is such an accumulator.
template <typename Visit>
void for_each_accumulator(const LinearBlock& block, const LinearOperation& item,
                          const Visit& visit) {
  const Instruction& row = instruction(item.operation.op);
  for (std::uint8_t place = 0; place < row.operands.count; ++place) {
    const Operand& operand = *row.operands.items[place];
    if (operand.kind != OperandKind::accumulator) continue;
    const VirtualId id = item.registers[place];
    if (id != no_virtual && block.virtuals[id].file == File::a) continue;
    visit(place, operand.access == Access::write);
  }
}

// visit(place) for each operand that is the address of a descriptor.
template <typename Visit>
void for_each_descriptor(const LinearOperation& item, const Visit& visit) {
  const Instruction& row = instruction(item.operation.op);
  for (std::uint8_t place = 0; place < row.operands.count; ++place) {
    if (row.operands.items[place]->kind == OperandKind::descriptor) visit(place);
  }
}

// An accumulate reads what a multiply just before it writes without waiting.
inline bool is_forwarded(const Effects& writer, const Effects& reader) {
  return writer.latency == Latency::multiply && reader.latency == Latency::multiply &&
         reader.keeps_old;
}

}  // namespace tandem::schedule
