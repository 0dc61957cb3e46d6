// Stands between a machine and the checker: events reach the checker in batches, but for the
// completion of a copy, which looks at the machine's memory and so is compared at once, behind all
// that came before it; and but for the value of a volatile CSR, which such a completion may be
// waiting for in the checker.
#pragma once

#include <cstdint>
#include <optional>

#include "cosim/checker/checker.hpp"
#include "cosim/checker/event_batch.hpp"

namespace tandem {

class CheckerQueue final : public EventSink {
 public:
  explicit CheckerQueue(Checker& checker)
      : checker_(checker), batch_(checker.golden().parameters()) {}

  // The cycle of the events to come.
  void set_cycle(std::uint64_t cycle) { batch_.set_cycle(cycle); }
  void copy_done(const CopyDoneEvent& event) override;
  void issue(const IssueEvent& event) override;
  void copy_issue(const CopyIssueEvent& event) override;
  void write(const WriteEvent& event) override;
  // Gives the checker everything.
  void flush();

  // The cycle of the event at which the comparison ended, if it has.
  [[nodiscard]] std::optional<std::uint64_t> end_cycle() const { return end_cycle_; }

  template <typename A>
  void archive(A& a) {
    a(batch_, end_cycle_);
  }

 private:
  Checker& checker_;
  EventBatch batch_;
  std::optional<std::uint64_t> end_cycle_;
};

}  // namespace tandem
