// Issues and lost cycles on their way to another thread: 16 bytes hold a bundle with the cycles
// lost before it, where the events themselves take 40 and 24. What does not fit is kept whole.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/timing_events.hpp"

namespace tandem {

class TimingLog {
 public:
  void issued(const IssueTiming& event) {
    const bool fits =
        event.cycle == cycle_ && event.sequence == sequence_ && !event.halted && !event.trap;
    if (!fits) return keep(event);
    entries_.push_back({event.pc, event.next_pc, lost_, event.enabled, cause_, Kind::bundle});
    lost_ = 0;
    ++cycle_;
    ++sequence_;
  }
  void lost(const LostCycles& event) {
    const bool fits = event.first == cycle_ && lost_ == 0 && event.count <= most_lost;
    if (!fits) return keep(event);
    lost_ = static_cast<std::uint32_t>(event.count);
    cause_ = event.cause;
    cycle_ += event.count;
  }

  // Bundles, and what is kept beside them.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // Gives the events in their order. Nothing may be added any more.
  void replay(TimingSink& sink);
  // Empty again; keeps its memory.
  void clear();

 private:
  enum class Kind : std::uint8_t {
    bundle,  // it issues in the cycle behind the last one and those lost
    issue,   // the next of issues_
    loss,    // the next of losses_
  };
  struct Entry {
    std::uint32_t pc = 0;
    std::uint32_t next_pc = 0;
    std::uint32_t lost = 0;  // cycles before it
    std::uint16_t enabled = 0;
    StallCause cause{};  // of these
    Kind kind{};
  };
  static constexpr std::uint32_t most_lost = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  void keep(const IssueTiming& event);
  void keep(const LostCycles& event);
  void keep_lost();

  std::vector<Entry> entries_;
  std::vector<IssueTiming> issues_;
  std::vector<LostCycles> losses_;
  // Next to each other, cycle_ and sequence_ would be counted up as one vector, and reading that
  // behind lost() stalls.
  std::uint64_t cycle_ = never;  // behind what was given last
  std::uint32_t lost_ = 0;       // the last ones before cycle_, in no entry yet
  StallCause cause_{};
  std::uint64_t sequence_ = 0;  // of the bundle that comes next
};

}  // namespace tandem
