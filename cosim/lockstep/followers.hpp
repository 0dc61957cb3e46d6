// The followers of the machine in a lockstep run: golden, whose checker reads the machine's
// retirement events, and the cycle-exact model, whose times are compared with the machine's.
//
// They follow a slice of some hundred cycles at a time: immediately, or in another thread while the
// machine runs the next slice. Their findings do not depend on that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "cosim/checker/checker.hpp"
#include "cosim/checker/checker_queue.hpp"
#include "cosim/checker/stream_counters.hpp"
#include "cosim/lockstep/other_thread.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/lockstep/timed_model.hpp"
#include "cosim/lockstep/timing_batch.hpp"
#include "cosim/lockstep/timing_comparison.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {

class Followers {
 public:
  // Starts golden and the cycle-exact model, if there is one, but not the machine that they follow,
  // whose timing events are to go to timing(), the others to events(). `judge` decides after each
  // slice, in the thread that follows it, whether the run has ended: then nothing more is read. The
  // launch and the parts outlive this.
  Followers(const Launch& launch, const LockstepParts& parts, const LockstepOptions& options,
            std::function<bool()> judge);

  // ---- events of the machine ----

  // The cycle of the events to come.
  void set_cycle(std::uint64_t cycle) { queue_.set_cycle(cycle); }
  [[nodiscard]] EventSink& events() { return queue_; }
  [[nodiscard]] TimingSink& timing() { return batch_; }
  // To be called between cycles: has events read before there are too many.
  void make_room() {
    if (queue_.data_words() >= kept_words_) pass_on();
  }
  // Events so far.
  [[nodiscard]] std::uint64_t told() const { return queue_.events(); }

  // ---- the comparison ----

  // Whether slices are followed in another thread.
  [[nodiscard]] bool beside() const { return threads_ > 1; }
  // Follows the machine to the end of a slice: it has done all cycles before this one. Must be
  // settled.
  void follow(std::uint64_t cycle);
  // Waits until everything has been followed; rethrows exceptions of readers. The functions below
  // are valid then.
  void settle();
  // The judge has ended the run.
  [[nodiscard]] bool over() const { return over_; }
  // The machine has stopped, and everything is settled: compares the final state.
  void finish();

  // The machine has been followed up to this cycle.
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  // The cycle of the event at which the comparison with golden ended, if it has.
  [[nodiscard]] std::optional<std::uint64_t> end_cycle() const { return queue_.end_cycle(); }
  [[nodiscard]] const Checker& checker() const { return checker_; }
  [[nodiscard]] const TimingComparison& comparison() const { return comparison_; }
  // There is a cycle-exact model.
  [[nodiscard]] Machine& timed_machine() const { return timed_->machine(); }
  // The first difference between the cycle-exact model and golden at the end.
  [[nodiscard]] const std::optional<Mismatch>& timed_mismatch() const { return timed_mismatch_; }

  // Settled, while nothing has ended.
  void save_to(ArchiveWriter& archive);
  void restore_from(ArchiveReader& archive);

 private:
  CheckerOptions checker_options(const Launch& launch, const LockstepParts& parts,
                                 const LockstepOptions& options);
  template <typename A>
  void archive(A& a);
  void pass_on();
  bool set_aside();
  void begin(std::function<void()> work);
  void read_told();
  void read_aside();
  void end_slice(std::uint64_t cycle);

  std::uint32_t threads_;
  std::size_t kept_words_;
  const CoreTerms* terms_;
  std::function<bool()> judge_;
  std::shared_ptr<GoldenModel> golden_;
  std::shared_ptr<Machine> machine_;
  StreamCounters stream_;
  TimingFanOut readers_;
  TimingBatch batch_;
  TimingBatch batch_aside_;
  TimingComparison comparison_;
  Checker checker_;
  CheckerQueue queue_;
  std::optional<TimedModel> timed_;
  std::optional<Mismatch> timed_mismatch_;
  std::uint64_t cycle_ = 0;
  bool over_ = false;
  std::optional<OtherThread> other_;  // created on first use; the last member
};

}  // namespace tandem
