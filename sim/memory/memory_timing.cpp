#include "sim/memory/memory_timing.hpp"

namespace tandem {

MemoryPortTiming::MemoryPortTiming(const MemoryTimingParameters& parameters)
    : parameters_(parameters) {}

}  // namespace tandem
