// The values of the counter registers of CycleModel.
#include "isa/registers/registers.hpp"
#include "sim/counters/counter_registers.hpp"
#include "sim/time/cycle_time.hpp"

namespace tandem {
namespace {

std::uint64_t& of(CounterValues& values, CountedEvent event) {
  return values.events[static_cast<std::size_t>(event)];
}

}  // namespace

CounterValues CycleModel::Time::counters(std::uint32_t pc) {
  bring_memory_to(cursor, pc);
  return counters_before(cursor);
}

void CycleModel::Time::bring_memory_to(std::uint64_t cycle, std::uint32_t pc) {
  if (started && !standing && !stopping) bring_fetch_to_cursor(pc);
  if (ended) memory.end(cursor);
  memory.advance(cycle);
}

CounterValues CycleModel::Time::counters_before(std::uint64_t cycle) {
  CounterValues values = counters_but_bundles(cycle);
  for (const IssuePlan& plan : plans.all()) {
    values.causes[static_cast<std::size_t>(StallCause::issued)] += plan.issued;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (((plan.enabled >> slot) & 1U) != 0) values.events[slot] += plan.issued;
    }
    if (plan.taken) of(values, CountedEvent::branches_taken) += plan.issued;
    if ((plan.uses & use_multiply) != 0) {
      of(values, CountedEvent::mxu_rows) += plan.issued * plan.mx.rows;
    }
  }
  return values;
}

CounterValues CycleModel::Time::counters_but_bundles(std::uint64_t cycle) {
  CounterValues values;
  values.cycles = cycle;
  values.causes = lost;
  of(values, CountedEvent::vmem_load_bytes) = loaded_rows * row_bytes;
  of(values, CountedEvent::vmem_store_bytes) = stored_rows * row_bytes;
  const MemoryCounts counts = memory.counts(cycle);
  of(values, CountedEvent::hbm_read_bytes) = counts.hbm_read_bytes;
  of(values, CountedEvent::hbm_write_bytes) = counts.hbm_write_bytes;
  of(values, CountedEvent::fetch_bytes) = counts.fetch_bytes;
  of(values, CountedEvent::icache_misses) = counts.icache_misses;
  of(values, CountedEvent::copies) = counts.copies;
  return values;
}

std::uint32_t CycleModel::Time::csr(std::uint32_t number) {
  // Reading the time is common, and requires no sums.
  static const std::uint32_t cycles_number = find_register("cycles_lo")->number;
  if (number == cycles_number) return static_cast<std::uint32_t>(decided);
  const CounterValues values =
      counts_bundles(number) ? counters_before(decided) : counters_but_bundles(decided);
  return counter_register(values, number).value_or(0);
}

}  // namespace tandem
