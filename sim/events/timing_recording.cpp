#include "sim/events/timing_recording.hpp"

namespace tandem {

void TimingRecording::give_others(TimingSink& sink) const {
  for (const CopyStart& event : copy_starts) sink.copy_started(event);
  for (const CopyDone& event : copy_dones) sink.copy_done(event);
  for (const MemoryBeats& event : beat_runs) sink.beats(event);
  for (const MarkerTiming& event : markers) sink.marked(event);
  sink.progress(complete);
  if (cycles) sink.ended(*cycles);
}

void TimingRecording::clear() {
  issues.clear();
  losses.clear();
  copy_starts.clear();
  copy_dones.clear();
  beat_runs.clear();
  markers.clear();
  cycles.reset();
}

}  // namespace tandem
