// Steers the knobs of random programs by coverage: values whose programs hit new bins are drawn
// more often. Its draws are deterministic, and a failure's command names all knobs, so it can be
// repeated without the steering.
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

  // All knobs: fixed ones as given, the others as drawn.
  KnobChoices next(const KnobChoices& fixed);
  // This many bins were hit for the first time by a machine with these knobs.
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
