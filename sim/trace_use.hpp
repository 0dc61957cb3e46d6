// The counter tracks: how many cycles of each interval something was busy.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "sim/trace_sequence.hpp"

namespace tandem::trace {

class Use {
 public:
  // Counts from the interval of cycle `first` on.
  Use(Program& program, std::uint64_t first, std::string& out)
      : sequence_(use_sequence, program, out), start_(first - first % counter_interval) {}

  // Busy in `count` cycles from `first` on, which is not before what reached() named.
  void busy(Track counter, std::uint64_t first, std::uint64_t count);
  // Nothing more will begin before this cycle: intervals that end by then are given.
  void reached(std::string& out, std::uint64_t cycle) {
    while (start_ + counter_interval <= cycle) give(out);
  }
  // The run ended after this many cycles.
  void finish(std::string& out, std::uint64_t cycles);

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  static constexpr std::size_t counters = uuid_of(Track::use_write) - uuid_of(Track::use_mxu) + 1;
  using Interval = std::array<std::uint8_t, counters>;

  void give(std::string& out);

  Sequence sequence_;
  std::uint64_t start_;  // cycle in which the first of intervals_ begins
  std::deque<Interval> intervals_;
  std::array<std::optional<std::uint8_t>, counters> given_{};
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
