// Modulo schedules, keyed by everything that they depend on: equal loops, and one loop with
// different code around it, are scheduled once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "schedule/loops/modulo.hpp"

namespace tandem::schedule {

class KnownLoops {
 public:
  // Loops with the same number have the same schedules.
  std::uint32_t number_of(const LinearBlock& block, const LoopGraph& graph);

  // The result and the work of modulo_schedule() for the loop with this number.
  std::optional<ModuloSchedule> schedule(const LinearBlock& block, const LoopGraph& graph,
                                         std::uint32_t number, std::uint32_t interval,
                                         std::uint32_t ahead, Lives lives, Work& work);

 private:
  struct Outcome {
    std::optional<ModuloSchedule> schedule;
    std::uint64_t spent = 0;
  };

  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Lives>, Outcome> outcomes_;
};

}  // namespace tandem::schedule
