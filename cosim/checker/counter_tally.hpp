// The required values of the performance counters, counted from golden's records: lockstep compares
// those that do not depend on time, and that the causes of all cycles add up to the cycles.
#pragma once

#include <optional>

#include "cosim/checker/mismatch.hpp"
#include "isa/state/retire.hpp"
#include "sim/events/counter_values.hpp"

namespace tandem {

class CounterTally {
 public:
  explicit CounterTally(const Parameters& parameters) : row_bytes_(parameters.row_bytes()) {}

  // A bundle that golden executed; one that traps counts nowhere.
  void add(const RetireRecord& record);

  // The first counter of a stopped machine that differs.
  [[nodiscard]] std::optional<Mismatch> compare(const CounterValues& machine) const;

  // As in a machine that issues a bundle in every cycle.
  [[nodiscard]] const CounterValues& values() const { return values_; }

 private:
  std::uint64_t& count(CountedEvent event) {
    return values_.events[static_cast<std::size_t>(event)];
  }

  std::uint32_t row_bytes_;
  CounterValues values_;
};

}  // namespace tandem
