// The lockstep checker: reads a machine's events and compares each, as it arrives, with the golden
// model.
//
// Golden executes a bundle when the machine reports its issue. Its record is then in a ring indexed
// by sequence number; each write that the machine reports is compared with that of the record and
// marked as seen. A record must be complete before its place in the ring is reused, a copy
// completes exactly once, and nothing may be left over at the end. One function checks one kind of
// event; the first difference ends the comparison and is kept in mismatch().
//
// The one thing taken from the machine: the value of a volatile CSR. When golden's next bundle
// reads one, the machine's events wait in a queue until the one with the value arrives.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cosim/checker/copies.hpp"
#include "cosim/checker/core_terms.hpp"
#include "cosim/checker/counter_tally.hpp"
#include "cosim/checker/event_batch.hpp"
#include "cosim/checker/history.hpp"
#include "cosim/checker/mismatch.hpp"
#include "cosim/checker/stream_counters.hpp"
#include "cosim/checker/weight_writers.hpp"
#include "isa/golden/golden_model.hpp"
#include "runtime/models/machine.hpp"
#include "runtime/models/machine_events.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct CheckerOptions {
  RecordReader reader;  // gets golden's records; may be empty
  // Gets the number of each bundle that reads a volatile CSR, and the value; may be empty.
  std::function<void(std::uint64_t, std::uint32_t)> csr_reader;
  std::uint32_t chip = 0;        // of the launch: data that it sends to others is in their memory
  const Image* image = nullptr;  // of the launch; needed if golden runs on by itself
  // For a core that does not report everything; must outlive the checker. nullptr: one that does.
  CoreTerms* terms = nullptr;
};

struct CopyInFlight {
  std::uint64_t sequence = 0;
  std::uint32_t pc = 0;
  std::uint32_t name = 0;  // by which its completion refers to it
  CopyIssue copy{};
};

class Checker final : public EventSink {
 public:
  // `machine` is queried for its state at the end, and for the memory that a completed copy wrote
  // if the event does not contain it; `stream`, which reads its timing events, for the counters
  // that follow from them. `golden` has been started with the launch that the machine is started
  // with; both outlive this.
  Checker(GoldenModel& golden, const CheckerOptions& options, Machine& machine,
          const StreamCounters& stream);

  void copy_done(const CopyDoneEvent& event) override;
  void issue(const IssueEvent& event) override;
  void copy_issue(const CopyIssueEvent& event) override;
  void write(const WriteEvent& event) override;
  // Writes of these bundles come soon, or very soon.
  void prepare(std::uint32_t soon, std::uint32_t sooner) const {
    history_.prefetch_place(soon);
    history_.prefetch_writes(sooner);
  }
  // To be called once the machine has stopped: leftovers, status, final state.
  void finish();

  // There is nothing more to compare: a mismatch, or golden reported a race or never-written data.
  [[nodiscard]] bool ended() const { return mismatch_.has_value() || golden_reported_; }
  [[nodiscard]] const std::optional<Mismatch>& mismatch() const { return mismatch_; }
  [[nodiscard]] const GoldenModel& golden() const { return golden_; }
  [[nodiscard]] const History& history() const { return history_; }
  [[nodiscard]] const WeightWriters& weight_writers() const { return weight_writers_; }
  [[nodiscard]] const std::vector<CopyInFlight>& copies() const { return copies_; }
  // The newest of the last copies that completed and wrote one of these bytes, or nullptr.
  [[nodiscard]] const CopyInFlight* last_copy(CopySpace space, std::uint64_t address,
                                              std::uint64_t bytes) const;
  // Whether events are held back until the value of a volatile CSR arrives.
  [[nodiscard]] bool waits() const { return waiting_.has_value(); }
  [[nodiscard]] std::uint64_t bundles() const { return bundles_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t volatile_reads() const { return volatile_reads_; }

  // For a run that continues; golden and the machine are saved separately.
  template <typename A>
  void archive(A& a) {
    a(history_, weight_writers_, tally_, mismatch_, golden_reported_, copies_, bundles_, events_,
      volatile_reads_, next_is_volatile_, waiting_, deferred_, csr_value_, done_copies_);
  }

 private:
  void fail(Mismatch mismatch) {
    if (!mismatch_) mismatch_ = std::move(mismatch);
  }
  bool must_wait_for_csr(const IssueEvent& event);
  void resume(std::uint32_t value);
  void execute(const IssueEvent& event);
  const Expectation& step_golden(const Bundle& bundle);
  void compare_issue(const IssueEvent& event, const Expectation& entry);
  void compare_write(const WriteEvent& event, const Expectation& entry, const Write& expected);
  void compare_copy_bytes(const CopyInFlight& copy, std::span<const std::uint32_t> got);
  std::span<const std::uint32_t> machine_words(const CopyInFlight& copy, std::uint64_t address,
                                               std::size_t words);
  bool compare_run(const CopyInFlight& copy, std::uint64_t address,
                   std::span<const std::uint32_t> got);
  std::span<const std::uint32_t> golden_words(CopySpace space, std::uint64_t address,
                                              std::size_t words);
  void expect_parts(Expectation& entry);
  // For cores that do not report every bundle (checker_levels.cpp).
  [[nodiscard]] bool bundles_are_told() const { return terms_.level == CheckLevel::all; }
  bool step_alone();
  void run_to_copy();
  void run_to_end();
  void check_evicted(std::uint64_t sequence);
  void report_incomplete(const Expectation& entry);
  void check_leftovers();
  void check_status();
  void check_counters();

  GoldenModel& golden_;
  Machine& machine_;
  const StreamCounters& stream_;
  RecordReader reader_;
  std::function<void(std::uint64_t, std::uint32_t)> csr_reader_;
  std::uint32_t chip_;
  const Image* image_;
  CoreTerms own_terms_;  // of a machine that reports everything
  CoreTerms& terms_;
  History history_;
  WeightWriters weight_writers_;
  CounterTally tally_;
  std::optional<Mismatch> mismatch_;
  bool golden_reported_ = false;
  std::vector<CopyInFlight> copies_;
  std::deque<CopyInFlight> done_copies_;  // the last ones, oldest first
  std::uint64_t bundles_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t volatile_reads_ = 0;

  bool next_is_volatile_ = false;
  std::optional<IssueEvent> waiting_;  // the issue whose bundle reads a volatile CSR
  EventBatch deferred_;                // the events after it
  std::uint32_t csr_value_ = 0;
  std::vector<std::uint32_t> expected_, got_;  // of a run of a copy
};

// Registers and memories of a stopped machine against golden's, as far as reported; the first
// difference, if any.
std::optional<Mismatch> compare_final_state(const GoldenModel& golden, const MachineState& state,
                                            const SparseMemory& hbm, const CoreTerms& terms = {});

}  // namespace tandem
