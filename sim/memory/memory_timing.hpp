// Timing of the memory behind the native beat port: one definition for every model that knows time
// (RTL in cosim, the cycle-exact model). C++17, no dependencies.
//
// The answer to a request is a pure function of (port state, request cycle, address, request
// number). Port state is what earlier requests of the same direction left: when the data bus is
// free again and which page each bank has open.
//
//   first beat = max(request cycle + latency + row miss + jitter, bus free)
//   the remaining beats follow, one every `beat` cycles; then the bus is free
//   row miss   = row_miss cycles when the bank of the address has another page open, else 0
//   bank       = (address / 4096) mod banks; page = address / 4096. A burst never leaves a page.
//   jitter     = hash(seed, request number) mod (jitter + 1)
//
// After each beat of write data the memory may take none for a while:
//
//   the next beat is taken from = cycle of this one + beat + hash(seed, beat number) mod
//   (write_hold + 1)
//
// Responses keep the order of requests (the bus is one queue). A port takes a request whenever
// fewer than `outstanding` are unfinished. Reads and writes have separate ports.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tandem {

struct MemoryTimingParameters {
  std::uint32_t latency = 40;      // cycles from request to first beat
  std::uint32_t row_miss = 12;     // added when the bank has another page open
  std::uint32_t jitter = 0;        // largest number of cycles added at random
  std::uint32_t outstanding = 64;  // unfinished requests that a port holds, 1 to 64
  std::uint32_t seed = 1;          // of the jitter
  std::uint32_t write_hold = 0;    // largest number of cycles without a beat of write data
  std::uint32_t beat = 1;          // cycles a beat takes on the data bus, at least 1
  // Of the links to other chips (sim/link/link_wire.hpp).
  std::uint32_t link_latency = 64;  // cycles from one chip to the next, at least 2
  std::uint32_t link_rate = 8;      // cycles a beat takes on a link, at least 1
};

inline constexpr std::uint32_t memory_banks = 16;
inline constexpr std::uint64_t memory_page_bytes = 4096;

// Uniform 32 bits from a seed and the number of a request.
constexpr std::uint32_t memory_jitter_hash(std::uint32_t seed, std::uint64_t number) {
  std::uint64_t x = (std::uint64_t{seed} << 32U) ^ (number * 0x9e3779b97f4a7c15ULL);
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return static_cast<std::uint32_t>(x >> 32U);
}

// One direction of the memory port.
class MemoryPortTiming {
 public:
  explicit MemoryPortTiming(const MemoryTimingParameters& parameters = {});

  // Accepts a request in this cycle and returns the cycle of its first beat; beat n comes
  // n * beat cycles later. Cycles must not decrease from call to call.
  std::uint64_t request(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats) {
    const std::uint64_t page = address / memory_page_bytes;
    std::uint64_t& open = open_page_[page % memory_banks];
    std::uint64_t first = cycle + parameters_.latency;
    if (open != page + 1) first += parameters_.row_miss;
    open = page + 1;
    if (parameters_.jitter != 0) first += jitter();
    ++number_;
    first = std::max(first, bus_free_);
    bus_free_ = first + std::uint64_t{beats} * parameters_.beat;
    return first;
  }

  [[nodiscard]] std::uint64_t requests() const { return number_; }

 private:
  [[nodiscard]] std::uint64_t jitter() const {
    return memory_jitter_hash(parameters_.seed, number_) % (std::uint64_t{parameters_.jitter} + 1);
  }

  MemoryTimingParameters parameters_;
  std::array<std::uint64_t, memory_banks> open_page_{};  // page + 1; 0 is none
  std::uint64_t bus_free_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace tandem
