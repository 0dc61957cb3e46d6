// How many bundles used each slot, counted by which slots a bundle used: one addition per bundle.
#pragma once

#include <array>
#include <cstdint>

#include "sim/events/counter_values.hpp"

namespace tandem {

class SlotCounts {
 public:
  // `enabled`: a bit for each slot with an operation whose predicate holds.
  void add(std::uint32_t enabled) { ++bundles_[enabled % bundles_.size()]; }

  // Adds the counts to the events of slots, and resets them.
  void move_to(CounterValues& values) {
    constexpr auto first = static_cast<std::size_t>(CountedEvent::slot_sa);
    for (std::size_t enabled = 0; enabled < bundles_.size(); ++enabled) {
      for (std::size_t slot = 0; slot < slot_count; ++slot) {
        if (((enabled >> slot) & 1U) != 0) values.events[first + slot] += bundles_[enabled];
      }
    }
    bundles_ = {};
  }

 private:
  std::array<std::uint64_t, std::size_t{1} << slot_count> bundles_{};
};

}  // namespace tandem
