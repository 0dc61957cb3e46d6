// What the performance counters must say, counted from golden's records: lockstep compares those
// that do not depend on time, and that the causes of all cycles add up to the cycles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "cosim/mismatch.hpp"
#include "isa/retire.hpp"

namespace tandem {

class CounterTally {
 public:
  // A bundle that golden executed; one that traps counts nowhere.
  void add(const RetireRecord& record);

  // The first counter of a stopped machine that differs. `read` gives a register by number.
  [[nodiscard]] std::optional<Mismatch> compare(
      const Parameters& parameters, const std::function<std::uint32_t(std::uint32_t)>& read) const;

  // The register pair's word as a machine would show it that issues a bundle in every cycle.
  [[nodiscard]] std::uint32_t register_value(const Parameters& parameters,
                                             std::uint32_t number) const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> expected(const Parameters& parameters,
                                                      std::uint32_t number) const;

  std::uint64_t bundles_ = 0;
  std::array<std::uint64_t, slot_count> slots_{};
  std::uint64_t mxu_rows_ = 0;
  std::uint64_t stored_rows_ = 0;
  std::uint64_t copies_ = 0;
};

}  // namespace tandem
