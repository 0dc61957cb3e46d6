#include "cosim/checker/stream_counters.hpp"

namespace tandem {
namespace {

CountedEvent event_of(MemoryPath path) {
  switch (path) {
    case MemoryPath::fetch: return CountedEvent::fetch_bytes;
    case MemoryPath::copy_read: return CountedEvent::hbm_read_bytes;
    case MemoryPath::copy_write: return CountedEvent::hbm_write_bytes;
  }
  __builtin_unreachable();
}

}  // namespace

void StreamCounters::issued(const IssueTiming& event) {
  if (event.trap) return;  // its cycle is one of cause `drain`
  ++values_.causes[static_cast<std::size_t>(StallCause::issued)];
  slots_.add(event.enabled);
}

void StreamCounters::lost(const LostCycles& event) {
  values_.causes[static_cast<std::size_t>(event.cause)] += event.count;
}

void StreamCounters::beats(const MemoryBeats& event) {
  event_count(event_of(event.path)) += event.count * beat_bytes_;
}

bool StreamCounters::tells(CountedEvent event) {
  switch (event) {
    case CountedEvent::slot_sa:
    case CountedEvent::slot_sb:
    case CountedEvent::slot_va:
    case CountedEvent::slot_vb:
    case CountedEvent::slot_ld:
    case CountedEvent::slot_st:
    case CountedEvent::slot_mx:
    case CountedEvent::slot_xu:
    case CountedEvent::slot_dma:
    case CountedEvent::hbm_read_bytes:
    case CountedEvent::hbm_write_bytes:
    case CountedEvent::fetch_bytes:
    case CountedEvent::copies: return true;
    case CountedEvent::branches_taken:
    case CountedEvent::mxu_rows:
    case CountedEvent::vmem_load_bytes:
    case CountedEvent::vmem_store_bytes:
    case CountedEvent::icache_misses: return false;
  }
  __builtin_unreachable();
}

std::optional<Mismatch> StreamCounters::compare(const CounterValues& machine) const {
  if (values_.cycles != machine.cycles) {
    return counter_mismatch("cycles of the timing events", values_.cycles, machine.cycles);
  }
  for (const CounterRow& row : stall_causes()) {
    const std::uint64_t count = values_.causes[row.number];
    if (count == machine.causes[row.number]) continue;
    return counter_mismatch("timing events and cause_" + std::string(row.name), count,
                            machine.causes[row.number]);
  }
  for (const CounterRow& row : counted_events()) {
    const std::uint64_t count = values_.events[row.number];
    if (!tells(static_cast<CountedEvent>(row.number)) || count == machine.events[row.number]) {
      continue;
    }
    return counter_mismatch("timing events and event_" + std::string(row.name), count,
                            machine.events[row.number]);
  }
  return std::nullopt;
}

}  // namespace tandem
