#include "sim/events/beat_runs.hpp"

#include <algorithm>

namespace tandem {

std::uint64_t BeatRuns::give(TimingSink& sink, std::uint64_t cycle) {
  std::uint64_t complete = cycle;
  for (MemoryBeats& run : runs_) {
    if (run.first + run.count < cycle) close(sink, run);  // at `cycle` a beat may still join
    if (run.count != 0) complete = std::min(complete, run.first);
  }
  return complete;
}

void BeatRuns::give_all(TimingSink& sink) {
  for (MemoryBeats& run : runs_) close(sink, run);
}

}  // namespace tandem
