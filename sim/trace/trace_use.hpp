// The counter tracks: how many cycles of each interval something was busy.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "sim/trace/trace_blocks.hpp"
#include "sim/trace/trace_sequence.hpp"

namespace tandem::trace {

class Use {
 public:
  // Counts from the interval of cycle `first` on.
  Use(Program& program, std::uint64_t first, std::string& out)
      : sequence_(use_sequence, program, out), start_(first - first % counter_interval) {}

  // Busy in `count` cycles from `first` on, which is not before the last reached().
  void busy(Track counter, std::uint64_t first, std::uint64_t count) {
    const auto index = static_cast<std::size_t>(uuid_of(counter) - uuid_of(Track::use_mxu));
    if (first + count > start_ + counter_interval) return busy_later(index, first, count);
    current_[index] += static_cast<std::uint8_t>(count);
  }
  // Nothing more will begin before this cycle: intervals that end by then are written.
  void reached(Blocks& blocks, std::uint64_t cycle) {
    while (start_ + counter_interval <= cycle) give(blocks);
  }
  // The run ended after this many cycles.
  void finish(Blocks& blocks, std::uint64_t cycles);

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  static constexpr std::size_t counters = uuid_of(Track::use_write) - uuid_of(Track::use_mxu) + 1;
  using Interval = std::array<std::uint8_t, counters>;

  void busy_later(std::size_t counter, std::uint64_t first, std::uint64_t count);

  // The packet for a value, by the cycles since the last packet: none or an interval.
  using Packets = std::array<std::array<Piece, 2>, counter_interval + 1>;

  void give(Blocks& blocks);
  void give(Blocks& blocks, std::size_t counter, std::uint8_t value);

  Sequence sequence_;
  std::uint64_t start_;  // cycle in which the current interval begins
  Interval current_{};
  std::deque<Interval> later_;  // intervals after it
  std::array<std::optional<std::uint8_t>, counters> given_{};
  std::array<Packets, counters> packets_;
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
