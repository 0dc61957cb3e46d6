// Keeps every timing event: for tests, for tools that look at a whole run at once, and for later
// readers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/events/timing_events.hpp"

namespace tandem {

struct TimingRecording final : TimingSink {
  std::vector<IssueTiming> issues;
  std::vector<LostCycles> losses;
  std::vector<CopyStart> copy_starts;
  std::vector<CopyDone> copy_dones;
  std::vector<MemoryBeats> beat_runs;
  std::vector<MarkerTiming> markers;
  std::uint64_t complete = 0;           // of the last progress()
  std::optional<std::uint64_t> cycles;  // once ended

  void issued(const IssueTiming& event) override { issues.push_back(event); }
  void lost(const LostCycles& event) override { losses.push_back(event); }
  void copy_started(const CopyStart& event) override { copy_starts.push_back(event); }
  void copy_done(const CopyDone& event) override { copy_dones.push_back(event); }
  void beats(const MemoryBeats& event) override { beat_runs.push_back(event); }
  void marked(const MarkerTiming& event) override { markers.push_back(event); }
  void progress(std::uint64_t cycle) override { complete = cycle; }
  void ended(std::uint64_t count) override { cycles = count; }

  // Passes on everything except issues and lost cycles, kind by kind.
  void give_others(TimingSink& sink) const;
  // Forgets the events, but not their progress.
  void clear();
};

}  // namespace tandem
