// Hands timing events to a reader in another thread, so that a simulation does not wait for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/events/timing_events.hpp"
#include "sim/events/timing_log.hpp"
#include "sim/events/timing_recording.hpp"

namespace tandem {

// Events are passed on in batches; each kind keeps its order, but kinds are interleaved
// differently.
class BackgroundTiming final : public TimingSink {
 public:
  // `next` is called in the other thread alone until finish() returns.
  explicit BackgroundTiming(TimingSink& next);
  ~BackgroundTiming() override;
  BackgroundTiming(const BackgroundTiming&) = delete;
  BackgroundTiming& operator=(const BackgroundTiming&) = delete;

  void issued(const IssueTiming& event) override { batch_.log.issued(event); }
  void lost(const LostCycles& event) override { batch_.log.lost(event); }
  void issue_run(const IssueRun& run) override { batch_.log.add(run); }
  void copy_started(const CopyStart& event) override { batch_.others.copy_started(event); }
  void copy_done(const CopyDone& event) override { batch_.others.copy_done(event); }
  void beats(const MemoryBeats& event) override { batch_.others.beats(event); }
  void progress(std::uint64_t cycle) override;
  void ended(std::uint64_t cycles) override;

  // Waits until everything is passed on; then rethrows the reader's exception, if any.
  void finish();

 private:
  static constexpr std::size_t batch_words = 32768;  // waking a thread takes long
  static constexpr std::size_t waiting_batches = 4;  // beyond that the simulation waits

  struct Batch {
    TimingLog log;           // issues and lost cycles,
    TimingRecording others;  // the rest
  };

  void send();
  void stop();
  void read_batches();
  void replay(Batch& batch);

  TimingSink& next_;
  Batch batch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  std::vector<Batch> used_;  // empty, with capacity, so that memory need not be allocated again
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tandem
