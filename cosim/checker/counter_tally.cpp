#include "cosim/checker/counter_tally.hpp"

#include <array>
#include <numeric>

namespace tandem {
namespace {

// Besides the operations of each slot: events known from a record.
constexpr std::array recorded_events{CountedEvent::mxu_rows, CountedEvent::vmem_store_bytes,
                                     CountedEvent::copies};

constexpr std::size_t first_slot = static_cast<std::size_t>(CountedEvent::slot_sa);

// The first of these events that differs.
template <typename Events>
std::optional<Mismatch> compare_events(const CounterValues& expected, const CounterValues& got,
                                       const Events& events) {
  for (const auto event : events) {
    const auto number = static_cast<std::size_t>(event);
    if (expected.events[number] == got.events[number]) continue;
    return counter_mismatch("event_" + std::string(counted_events()[number].name),
                            expected.events[number], got.events[number]);
  }
  return std::nullopt;
}

}  // namespace

void CounterTally::add(const RetireRecord& record) {
  if (record.trap) return;
  ++values_.cycles;
  ++values_.causes[static_cast<std::size_t>(StallCause::issued)];
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    values_.events[first_slot + slot] += (record.enabled >> slot) & 1U;
  }
  if (record.has_copy) ++count(CountedEvent::copies);
  for (const Write& write : record.writes) {
    if (write.space == Space::acc) ++count(CountedEvent::mxu_rows);
    if (write.space == Space::vmem) count(CountedEvent::vmem_store_bytes) += row_bytes_;
  }
}

std::optional<Mismatch> CounterTally::compare(const CounterValues& machine) const {
  const std::uint64_t causes =
      std::accumulate(machine.causes.begin(), machine.causes.end(), std::uint64_t{0});
  if (causes != machine.cycles) {
    return counter_mismatch("sum of all causes", machine.cycles, causes);
  }
  constexpr auto issued = static_cast<std::size_t>(StallCause::issued);
  if (values_.causes[issued] != machine.causes[issued]) {
    return counter_mismatch("cause_issued", values_.causes[issued], machine.causes[issued]);
  }
  std::array<std::size_t, slot_count> slots{};
  std::iota(slots.begin(), slots.end(), first_slot);
  if (auto mismatch = compare_events(values_, machine, slots)) return mismatch;
  return compare_events(values_, machine, recorded_events);
}

}  // namespace tandem
