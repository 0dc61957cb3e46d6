#include "sim/counters/counter_registers.hpp"

namespace tandem {
namespace {

enum : std::uint32_t {
#define REGISTER(name, number, host, readable, kind, meaning) number_##name = (number),
#include "isa/registers/registers.def"
#undef REGISTER
};

// Of a register pair, by the number of its low word.
std::optional<std::uint64_t> counter_pair(const CounterValues& values, std::uint32_t number) {
  if (number == number_cycles_lo) return values.cycles;
  if (number == number_bundles_lo) {
    return values.causes[static_cast<std::size_t>(StallCause::issued)];
  }
  if (number >= cause_base && number < cause_base + 2 * cause_count) {
    return values.causes[(number - cause_base) / 2];
  }
  if (number >= event_base && number < event_base + 2 * event_count) {
    return values.events[(number - event_base) / 2];
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> counter_register(const CounterValues& values, std::uint32_t number) {
  const std::optional<std::uint64_t> pair = counter_pair(values, number & ~1U);
  if (!pair) return std::nullopt;
  return static_cast<std::uint32_t>((number & 1U) != 0 ? *pair >> 32U : *pair);
}

bool counts_bundles(std::uint32_t number) {
  static const CounterValues bundles_only = [] {
    CounterValues values;
    values.causes[static_cast<std::size_t>(StallCause::issued)] = 1;
    for (const CountedEvent event :
         {CountedEvent::slot_sa, CountedEvent::slot_sb, CountedEvent::slot_va,
          CountedEvent::slot_vb, CountedEvent::slot_ld, CountedEvent::slot_st,
          CountedEvent::slot_mx, CountedEvent::slot_xu, CountedEvent::slot_dma,
          CountedEvent::branches_taken, CountedEvent::mxu_rows}) {
      values.events[static_cast<std::size_t>(event)] = 1;
    }
    return values;
  }();
  return counter_register(bundles_only, number & ~1U).value_or(0) != 0;
}

}  // namespace tandem
