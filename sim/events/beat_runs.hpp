// Joins beats on the memory port into maximal runs, path by path, for the timing events.
#pragma once

#include <array>
#include <cstdint>

#include "sim/events/timing_events.hpp"

namespace tandem {

class BeatRuns {
 public:
  // A beat on each of `count` adjacent cycles, later than all before on its path.
  void add(TimingSink& sink, MemoryPath path, std::uint64_t first, std::uint64_t count) {
    MemoryBeats& run = runs_[static_cast<std::size_t>(path)];
    if (run.count != 0 && run.first + run.count == first) {
      run.count += count;
      return;
    }
    close(sink, run);
    run = {first, count, path};
  }
  // Gives the runs that ended before `cycle`. Returns the cycle before which all have been given.
  std::uint64_t give(TimingSink& sink, std::uint64_t cycle);
  void give_all(TimingSink& sink);

 private:
  static void close(TimingSink& sink, MemoryBeats& run) {
    if (run.count != 0) sink.beats(run);
    run.count = 0;
  }

  std::array<MemoryBeats, 3> runs_{};  // of each path; count 0: none is open
};

}  // namespace tandem
