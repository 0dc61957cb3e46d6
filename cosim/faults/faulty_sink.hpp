// A planted fault among a machine's events: sits between the machine and the readers, and changes
// one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "cosim/checker/copies.hpp"
#include "cosim/faults/fault.hpp"
#include "runtime/models/machine_events.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

// When a fault strikes: once per run, at the first matching event.
class FaultTrigger {
 public:
  FaultTrigger(const Fault& fault, std::optional<std::uint64_t>* planted)
      : fault_(fault), planted_(planted) {}

  [[nodiscard]] const Fault& fault() const { return fault_; }
  // Whether the fault is of this field and strikes now, at an event of this bundle.
  bool strikes(CompareField field, std::uint64_t sequence);
  bool strikes(CompareField field, const WriteEvent& event);
  // Called for every bundle before its other events.
  void issued(const IssueEvent& event);
  // A run begins.
  void rearm() {
    done_ = false;
    recent_ = {};
  }

  template <typename A>
  void archive(A& a) {
    a(recent_, done_);
  }

 private:
  // The recent bundles, by sequence number, with the operations that each executes.
  struct Executed {
    std::uint32_t sequence = ~0U;
    std::uint16_t enabled = 0;
    Bundle bundle{};
  };
  static constexpr std::size_t kept_bundles = 64;  // longer than any result takes
  static constexpr std::uint32_t with_reach = 3;

  [[nodiscard]] bool executes(std::uint32_t sequence, Op op, std::optional<Slot> slot) const;
  [[nodiscard]] bool has_operations(std::uint32_t sequence, std::optional<Slot> slot) const;
  bool strike(CompareField field, std::uint64_t sequence, std::optional<Slot> slot);

  std::array<Executed, kept_bundles> recent_{};
  Fault fault_;
  std::optional<std::uint64_t>* planted_;
  bool done_ = false;
};

class FaultySink final : public EventSink {
 public:
  FaultySink(FaultTrigger& trigger, const Parameters& parameters)
      : trigger_(trigger), parameters_(parameters) {}

  void set_sink(EventSink* sink) { sink_ = sink; }
  // The copy whose bytes the machine must show wrong while its completion is compared.
  [[nodiscard]] const std::optional<CopyIssue>& bad_copy() const { return bad_copy_; }
  [[nodiscard]] bool stops_now() const { return stops_; }

  void issue(const IssueEvent& event) override;
  void copy_issue(const CopyIssueEvent& event) override;
  void copy_done(const CopyDoneEvent& event) override;
  void write(const WriteEvent& event) override;

  template <typename A>
  void archive(A& a) {
    a(stops_, bad_copy_, copies_);
  }

 private:
  [[nodiscard]] bool says_nothing() const {
    return trigger_.fault().field == CompareField::end_nothing;
  }
  void write_bad_data(const WriteEvent& event);
  void done_with_bad_bytes(const CopyDoneEvent& event);
  [[nodiscard]] bool may_corrupt(const CopyIssue& copy) const;

  FaultTrigger& trigger_;
  Parameters parameters_;
  EventSink* sink_ = nullptr;
  bool stops_ = false;
  std::optional<CopyIssue> bad_copy_;
  std::map<std::uint32_t, CopyIssue> copies_;
};

class FaultyTimingSink final : public TimingSink {
 public:
  explicit FaultyTimingSink(FaultTrigger& trigger) : trigger_(trigger) {}

  void set_sink(TimingSink* sink) { sink_ = sink; }

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void copy_started(const CopyStart& event) override;
  void copy_done(const CopyDone& event) override;
  void beats(const MemoryBeats& event) override;
  void marked(const MarkerTiming& event) override;
  void progress(std::uint64_t cycle) override { sink_->progress(cycle); }
  void ended(std::uint64_t cycles) override { sink_->ended(cycles); }

  template <typename A>
  void archive(A& a) {
    a(next_);
  }

 private:
  FaultTrigger& trigger_;
  TimingSink* sink_ = nullptr;
  std::uint64_t next_ = 0;  // number of the bundle that issues next
};

}  // namespace tandem
