#include "cosim/foreign/timing_rules.hpp"

#include <fmt/format.h>

#include "cosim/foreign/event_rules.hpp"

namespace tandem {
namespace {

// A core that loses more cycles at a time than that has not counted correctly.
constexpr std::uint64_t most_cycles = std::uint64_t{1} << 48U;

}  // namespace

void check_timing(const TimingEvent& event) {
  if (event.kind > TimingKind::ended) {
    throw BadEvent{
        fmt::format("{} is no kind of timing event", static_cast<std::uint32_t>(event.kind))};
  }
  if (static_cast<std::size_t>(event.cause) >= cause_count) {
    throw BadEvent{
        fmt::format("{} is no cause of lost cycles", static_cast<std::uint32_t>(event.cause))};
  }
  if (event.path > MemoryPath::copy_write) {
    throw BadEvent{fmt::format("{} is no path of memory", static_cast<std::uint32_t>(event.path))};
  }
  if ((event.enabled >> slot_count) != 0 || event.trap.cause > TrapCause::machine_check ||
      static_cast<std::size_t>(event.trap.slot) >= slot_count) {
    throw BadEvent{"a timing event names a slot or a trap that does not exist"};
  }
  if (event.cycle > most_cycles || event.count > most_cycles) {
    throw BadEvent{
        fmt::format("a timing event of cycle {}, {} cycles long", event.cycle, event.count)};
  }
}

void give_timing(const TimingEvent& event, TimingSink& sink) {
  switch (event.kind) {
    case TimingKind::issue:
      return sink.issued({event.cycle, event.sequence, event.pc, event.next_pc, event.enabled,
                          event.halted, event.trap});
    case TimingKind::lost: return sink.lost({event.cycle, event.count, event.cause});
    case TimingKind::copy_start: return sink.copy_started({event.cycle, event.sequence, {}});
    case TimingKind::copy_done: return sink.copy_done({event.cycle, event.sequence});
    case TimingKind::beats: return sink.beats({event.cycle, event.count, event.path});
    case TimingKind::marker:
      return sink.marked({event.cycle, event.sequence, event.pc, event.code, event.counters});
    case TimingKind::progress: return sink.progress(event.cycle);
    case TimingKind::ended: return sink.ended(event.cycle);
  }
}

}  // namespace tandem
