// Two machines' timing events, compared one by one: the cycle-exact model gives the expected ones,
// the RTL the actual ones.
//
// An event waits until the other side's event of its kind and position has arrived; the pair must
// be equal. When a pair differs, earlier events may still be pending (runs of lost cycles and beats
// arrive when they have ended), so the difference is kept, and is settled once both sides have
// reported everything up to its cycle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cosim/checker/mismatch.hpp"
#include "cosim/checker/pairing.hpp"
#include "cosim/lockstep/timing_difference.hpp"
#include "cosim/lockstep/timing_history.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

class TimingComparison {
 public:
  TimingComparison() : sinks_{Sink(*this, Side::expected), Sink(*this, Side::got)} {}
  TimingComparison(const TimingComparison&) = delete;
  TimingComparison& operator=(const TimingComparison&) = delete;

  // The sink for the events of that side's machine.
  [[nodiscard]] TimingSink& sink(Side side) { return sinks_[index(side)]; }
  // A bundle of this side read a volatile CSR.
  void csr_read(Side side, std::uint64_t sequence, std::uint32_t value);
  // This side has reported all issues before `cycle`, even if runs are still open: without this, a
  // machine that hangs in one cause forever would look as if it were merely late.
  void issues_given(Side side, std::uint64_t cycle);
  // Both have stopped: events that still wait have no partner.
  void finish();
  // The counters of the stopped machines; after finish().
  void compare_counters(const CounterValues& expected, const CounterValues& got);

  // The difference that is first in time, so far.
  [[nodiscard]] const std::optional<Mismatch>& first() const { return first_; }
  // Whether no difference earlier than first() can arrive any more.
  [[nodiscard]] bool settled() const;
  [[nodiscard]] const TimingHistory& history(Side side) const {
    return sides_[index(side)].history;
  }
  // Number of equal pairs.
  [[nodiscard]] std::uint64_t compared() const { return compared_; }

  template <typename A>
  void archive(A& a) {
    a(sides_, issues_, lost_, copy_starts_, copy_dones_, beats_, markers_, csr_reads_, first_,
      compared_);
  }

 private:
  class Sink final : public TimingSink {
   public:
    Sink(TimingComparison& comparison, Side side) : comparison_(comparison), side_(side) {}
    void issued(const IssueTiming& event) override;
    void lost(const LostCycles& event) override;
    void issue_run(const IssueRun& run) override { give_singly(run, *this); }
    void copy_started(const CopyStart& event) override;
    void copy_done(const CopyDone& event) override;
    void beats(const MemoryBeats& event) override;
    void marked(const MarkerTiming& event) override;
    void progress(std::uint64_t cycle) override;
    void ended(std::uint64_t cycles) override;

   private:
    TimingComparison& comparison_;
    Side side_;
  };

  struct SideState {
    TimingHistory history;
    std::uint64_t issues = 0;    // all issues before this cycle have been reported
    std::uint64_t complete = 0;  // and all other events before this one

    template <typename A>
    void archive(A& a) {
      a(history, issues, complete);
    }
  };

  static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
  [[nodiscard]] SideState& state(Side side) { return sides_[index(side)]; }
  void note(Mismatch mismatch);
  template <typename Event>
  void meet(Pairing<Event>& pairing, Side side, const Event& event);
  template <typename Event>
  void note_missing(const Pairing<Event>& pairing, Side lacking, std::uint64_t before);
  void note_missing_issues(Side lacking);
  void note_all_missing(Side lacking);

  std::array<Sink, 2> sinks_;
  std::array<SideState, 2> sides_;
  Pairing<IssueTiming> issues_;
  Pairing<LostRun> lost_;
  Pairing<CopyStart> copy_starts_;
  Pairing<CopyDone> copy_dones_;
  std::array<Pairing<MemoryBeats>, 3> beats_;
  Pairing<MarkerTiming> markers_;
  Pairing<CsrRead> csr_reads_;
  std::optional<Mismatch> first_;
  std::uint64_t compared_ = 0;
};

}  // namespace tandem
