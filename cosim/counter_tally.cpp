#include "cosim/counter_tally.hpp"

#include "isa/registers.hpp"

namespace tandem {
namespace {

// Numbers of the events, by name.
enum class Event : std::uint32_t {
#define CAUSE(name, number, meaning)
#define EVENT(name, number, meaning) name = event_base + 2 * (number),
#include "isa/counters.def"
#undef CAUSE
#undef EVENT
};

constexpr std::uint32_t issued_register =
    cause_base + 2 * static_cast<std::uint32_t>(StallCause::issued);

std::uint64_t read_pair(const std::function<std::uint32_t(std::uint32_t)>& read,
                        std::uint32_t number) {
  return std::uint64_t{read(number + 1)} << 32U | read(number);
}

Mismatch of_counter(std::string place, std::uint64_t expected, std::uint64_t got) {
  Mismatch mismatch;
  mismatch.field = CompareField::end_counter;
  mismatch.place = std::move(place);
  mismatch.expected = {static_cast<std::uint32_t>(expected),
                       static_cast<std::uint32_t>(expected >> 32U)};
  mismatch.got = {static_cast<std::uint32_t>(got), static_cast<std::uint32_t>(got >> 32U)};
  return mismatch;
}

}  // namespace

void CounterTally::add(const RetireRecord& record) {
  if (record.trap) return;
  ++bundles_;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    slots_[slot] += (record.enabled >> slot) & 1U;
  }
  if (record.has_copy) ++copies_;
  for (const Write& write : record.writes) {
    if (write.space == Space::acc) ++mxu_rows_;
    if (write.space == Space::vmem) ++stored_rows_;
  }
}

std::optional<std::uint64_t> CounterTally::expected(const Parameters& parameters,
                                                    std::uint32_t number) const {
  const std::uint32_t first_slot = static_cast<std::uint32_t>(Event::slot_sa);
  if (number == issued_register) return bundles_;
  if (number >= first_slot && number < first_slot + 2 * slot_count) {
    return slots_[(number - first_slot) / 2];
  }
  if (number == static_cast<std::uint32_t>(Event::mxu_rows)) return mxu_rows_;
  if (number == static_cast<std::uint32_t>(Event::copies)) return copies_;
  if (number == static_cast<std::uint32_t>(Event::vmem_store_bytes)) {
    return stored_rows_ * parameters.row_bytes();
  }
  return std::nullopt;
}

std::optional<Mismatch> CounterTally::compare(
    const Parameters& parameters, const std::function<std::uint32_t(std::uint32_t)>& read) const {
  std::uint64_t cycles = 0;
  for (const CounterRow& cause : stall_causes()) {
    cycles += read_pair(read, cause_base + 2 * cause.number);
  }
  const std::uint64_t counted = read_pair(read, find_register("cycles_lo")->number);
  if (cycles != counted) return of_counter("sum of all causes", counted, cycles);
  for (const Register& row : registers()) {
    const bool high = (row.number & 1U) != 0;
    const std::optional<std::uint64_t> count = expected(parameters, row.number);
    if (high || !count) continue;
    const std::uint64_t got = read_pair(read, row.number);
    if (got != *count) return of_counter(row.name, *count, got);
  }
  return std::nullopt;
}

std::uint32_t CounterTally::register_value(const Parameters& parameters,
                                           std::uint32_t number) const {
  const bool high = (number & 1U) != 0;
  const std::uint32_t low_number = number & ~1U;
  const std::uint64_t count = low_number == find_register("cycles_lo")->number
                                  ? bundles_
                                  : expected(parameters, low_number).value_or(0);
  return static_cast<std::uint32_t>(high ? count >> 32U : count);
}

}  // namespace tandem
