// The second machine of a lockstep run: the cycle-exact model, whose times are compared with those
// of the RTL. Golden follows only the RTL; this machine is compared with it at every issue, as far
// as timing events allow, and completely at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cosim/checker/stream_counters.hpp"
#include "cosim/lockstep/timing_comparison.hpp"
#include "isa/golden/golden_model.hpp"
#include "runtime/models/machine.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {

class TimedModel {
 public:
  // Starts the machine, which is powered up. The launch and the comparison must outlive this.
  TimedModel(const Launch& launch, std::shared_ptr<Machine> machine, TimingComparison& comparison);

  // Follows the other machine, which has done all cycles before this one.
  void follow(std::uint64_t cycle);
  // Once both have stopped: the first difference from golden at the end.
  [[nodiscard]] std::optional<Mismatch> compare_end(const GoldenModel& golden) const;
  [[nodiscard]] Machine& machine() const { return *machine_; }

  void save_to(ArchiveWriter& archive);
  void restore_from(ArchiveReader& archive);

 private:
  // Of all events, only the values of volatile CSRs are used.
  class CsrReader final : public EventSink {
   public:
    explicit CsrReader(TimingComparison& comparison) : comparison_(comparison) {}
    void copy_done(const CopyDoneEvent&) override {}
    void issue(const IssueEvent&) override {}
    void copy_issue(const CopyIssueEvent&) override {}
    void write(const WriteEvent& event) override {
      if (event.volatile_csr) {
        comparison_.csr_read(Side::expected, event.sequence, event.data[0]);
      }
    }

   private:
    TimingComparison& comparison_;
  };

  TimingComparison& comparison_;
  std::shared_ptr<Machine> machine_;
  StreamCounters stream_;
  TimingFanOut timing_;
  CsrReader reader_;
  bool stopped_ = false;
};

}  // namespace tandem
