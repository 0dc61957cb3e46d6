// Steers the knobs of random programs by coverage: values whose programs hit bins that nothing had
// hit before are drawn more often. What it draws is deterministic, and a failure's command names
// all knobs, so it repeats without the steering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cosim/random/knobs.hpp"
#include "cosim/rng.hpp"

namespace tandem {

class KnobSteering {
 public:
  explicit KnobSteering(std::uint64_t seed) : rng_(seed) {}

  // All knobs: those that are fixed, the others as drawn.
  KnobChoices next(const KnobChoices& fixed);
  // So many bins were hit for the first time by a machine of these knobs.
  void reward(const KnobChoices& used, std::size_t new_bins);

 private:
  struct Record {
    std::uint64_t uses = 0;
    std::uint64_t found = 0;
  };
  std::uint32_t draw(const KnobRow& row);

  Rng rng_;
  std::map<std::pair<std::string, std::uint32_t>, Record> records_;
};

}  // namespace tandem
