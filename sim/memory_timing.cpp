#include "sim/memory_timing.hpp"

#include <algorithm>

namespace tandem {

MemoryPortTiming::MemoryPortTiming(const MemoryTimingParameters& parameters)
    : parameters_(parameters) {}

std::uint64_t MemoryPortTiming::request(std::uint64_t cycle, std::uint64_t address,
                                        std::uint32_t beats) {
  const std::uint64_t page = address / memory_page_bytes;
  std::uint64_t& open = open_page_[page % memory_banks];
  const std::uint64_t miss = open == page + 1 ? 0 : parameters_.row_miss;
  open = page + 1;
  const std::uint64_t jitter =
      memory_jitter_hash(parameters_.seed, number_++) % (std::uint64_t{parameters_.jitter} + 1);
  const std::uint64_t first = std::max(cycle + parameters_.latency + miss + jitter, bus_free_);
  bus_free_ = first + beats;
  return first;
}

}  // namespace tandem
