#include "runtime/models/machine.hpp"

#include <fmt/format.h>

#include "isa/archive/archive.hpp"
#include "isa/archive/messages.hpp"

namespace tandem {
namespace {

std::uint64_t read_pair(Machine& machine, std::uint32_t low) {
  return machine.read_register(low) | std::uint64_t{machine.read_register(low + 1)} << 32U;
}

}  // namespace

CounterValues Machine::counters() {
  CounterValues values;
  values.cycles = read_pair(*this, find_register("cycles_lo")->number);
  for (const CounterRow& row : stall_causes()) {
    values.causes[row.number] = read_pair(*this, cause_base + 2 * row.number);
  }
  for (const CounterRow& row : counted_events()) {
    values.events[row.number] = read_pair(*this, event_base + 2 * row.number);
  }
  return values;
}

void Machine::save_to(ArchiveWriter&) {
  throw SnapshotError(fmt::format(archiving::message::cannot_save, name()));
}

void Machine::restore_from(ArchiveReader&) {
  throw SnapshotError(fmt::format(archiving::message::cannot_save, name()));
}

std::uint64_t counted_cycles(Machine& machine) {
  const std::uint64_t counted = read_pair(machine, find_register("cycles_lo")->number);
  return counted != 0 ? counted : machine.cycles();
}

}  // namespace tandem
