// The performance counters of a machine at one moment (isa/registers/counters.def).
#pragma once

#include <array>
#include <cstdint>

#include "isa/registers/registers.hpp"

namespace tandem {

// Rows of isa/registers/counters.def.
// NOLINTBEGIN(bugprone-macro-parentheses): each row adds one to the sum
inline constexpr std::size_t cause_count = 0
#define CAUSE(name, number, meaning) +1
#define EVENT(name, number, meaning)
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
    ;
inline constexpr std::size_t event_count = 0
#define CAUSE(name, number, meaning)
#define EVENT(name, number, meaning) +1
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
    ;
// NOLINTEND(bugprone-macro-parentheses)

enum class CountedEvent : std::uint8_t {
#define CAUSE(name, number, meaning)
#define EVENT(name, number, meaning) name = (number),
#include "isa/registers/counters.def"
#undef CAUSE
#undef EVENT
};

// The values that the registers have at the beginning of cycle `cycles`: the sums over the cycles
// before it.
struct CounterValues {
  std::uint64_t cycles = 0;
  std::array<std::uint64_t, cause_count> causes{};  // by StallCause; they add up to `cycles`
  std::array<std::uint64_t, event_count> events{};  // by CountedEvent

  [[nodiscard]] std::uint64_t cause(StallCause name) const {
    return causes[static_cast<std::size_t>(name)];
  }
  [[nodiscard]] std::uint64_t event(CountedEvent name) const {
    return events[static_cast<std::size_t>(name)];
  }

  CounterValues& operator+=(const CounterValues& other);
  CounterValues& operator-=(const CounterValues& earlier);
  friend CounterValues operator-(CounterValues later, const CounterValues& earlier) {
    return later -= earlier;
  }
  friend bool operator==(const CounterValues&, const CounterValues&) = default;
};

inline CounterValues& CounterValues::operator+=(const CounterValues& other) {
  cycles += other.cycles;
  for (std::size_t i = 0; i < cause_count; ++i) causes[i] += other.causes[i];
  for (std::size_t i = 0; i < event_count; ++i) events[i] += other.events[i];
  return *this;
}

inline CounterValues& CounterValues::operator-=(const CounterValues& earlier) {
  cycles -= earlier.cycles;
  for (std::size_t i = 0; i < cause_count; ++i) causes[i] -= earlier.causes[i];
  for (std::size_t i = 0; i < event_count; ++i) events[i] -= earlier.events[i];
  return *this;
}

}  // namespace tandem
