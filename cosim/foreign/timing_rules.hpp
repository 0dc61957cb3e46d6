// Timing events of a core as one type, as reported by calls and streams.
#pragma once

#include <cstdint>

#include "sim/events/timing_events.hpp"

namespace tandem {

// Numbers of tandem_checker.h; they never change.
enum class TimingKind : std::uint8_t {
  issue = 0,
  lost = 1,
  copy_start = 2,
  copy_done = 3,
  beats = 4,
  marker = 5,
  progress = 6,
  ended = 7,
};

struct TimingEvent {
  TimingKind kind{};
  StallCause cause{};
  MemoryPath path{};
  std::uint32_t code = 0;
  std::uint64_t cycle = 0;  // of runs the first
  std::uint64_t count = 0;
  std::uint64_t sequence = 0;
  std::uint32_t pc = 0;
  std::uint32_t next_pc = 0;
  std::uint16_t enabled = 0;
  bool halted = false;
  Trap trap{};
  CounterValues counters{};
};

// Throws BadEvent for invalid numbers.
void check_timing(const TimingEvent& event);
void give_timing(const TimingEvent& event, TimingSink& sink);

}  // namespace tandem
