// The last timing events of a run, and the copies in flight: the debugger's data about time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/debug/target/target.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem::debug {

// A plain value: part of every saved moment.
class TimingHistory final : public TimingSink {
 public:
  static constexpr std::size_t issues_kept = 64;
  static constexpr std::size_t losses_kept = 256;

  struct Flight {
    CopyStart start;
    std::optional<std::uint32_t> pc;    // known once its bundle has been reported
    std::optional<std::uint64_t> done;  // cycle, known once the memory's part is computed
  };

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override { losses_[lost_count_++ % losses_kept] = event; }
  void copy_started(const CopyStart& event) override;
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats& /*event*/) override {}
  void progress(std::uint64_t /*cycle*/) override {}
  void ended(std::uint64_t /*cycles*/) override {}

  // Oldest first, each with the cycles lost since the previous one. The oldest may lack some of
  // those.
  [[nodiscard]] std::vector<IssueTime> last_issues() const;
  // In flight at the beginning of a cycle.
  [[nodiscard]] std::vector<Flight> in_flight(std::uint64_t cycle) const;

 private:
  std::array<IssueTiming, issues_kept> issues_{};
  std::uint64_t issue_count_ = 0;
  std::array<LostCycles, losses_kept> losses_{};
  std::uint64_t lost_count_ = 0;
  std::vector<Flight> flights_;
};

}  // namespace tandem::debug
