// A foreign core checked against golden: it gets the core's events one by one, and at the end its
// state; then there is a verdict as from lockstep.
//
//   CoreCheck check(image, inputs, options);
//   check.issue(event); check.write(event, words); ...
//   check.tell(CorePart::sreg, 0, words); ...
//   if (check.finish() == Outcome::mismatch) show(check.runner().explanation());
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cosim/checker/core_terms.hpp"
#include "cosim/foreign/event_rules.hpp"
#include "cosim/foreign/foreign_core.hpp"
#include "cosim/foreign/timing_rules.hpp"
#include "cosim/lockstep/runners.hpp"
#include "runtime/device/named_launch.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct CoreCheckOptions {
  std::uint64_t hbm_bytes = std::uint64_t{4} << 30U;
  std::uint32_t seed = 1;  // of never-written state
  bool detect_races = true;
  bool detect_uninitialised = true;
  CheckLevel level = CheckLevel::all;
  std::uint64_t limit = CoreTerms{}.limit;  // bundles, if golden runs on by itself
  bool times = false;                       // timing events are compared with the cycle-exact model
  MachineOptions machine;                   // timing of the memory, if times are reported
  std::string command;                      // for reports: repeats the run
};

// Not movable: the models hold pointers to its parts.
class CoreCheck {
 public:
  // Current words of a memory of the core, starting at a word; false: not available.
  using Reader =
      std::function<bool(CorePart part, std::uint64_t first, std::span<std::uint32_t> words)>;

  // The image's preset is the machine. Throws LaunchError for inputs that do not fit, else
  // runtime::Error.
  CoreCheck(Image image, const std::map<std::string, TensorData>& inputs,
            const CoreCheckOptions& options);
  CoreCheck(const CoreCheck&) = delete;
  CoreCheck& operator=(const CoreCheck&) = delete;

  // ---- required initial state ----

  [[nodiscard]] const Parameters& parameters() const { return *launch().image->preset; }
  [[nodiscard]] const Image& image() const { return *launch().image; }
  // Its segments and pages are in initial_hbm() already.
  [[nodiscard]] const Launch& launch() const { return run_->launch(); }
  [[nodiscard]] const SparseMemory& initial_hbm() const { return initial_hbm_; }
  // A part as it is right after the start; nothing for hbm, status, counters and timing.
  [[nodiscard]] std::vector<std::uint32_t> initial(CorePart part) const;

  // ---- events: each throws BadEvent ----

  // The contents of vreg, acc, weights_* or vmem before the first event, if not initial().
  void holds(CorePart part, std::span<const std::uint32_t> words);

  void set_cycle(std::uint64_t cycle);
  void issue(const IssueEvent& event);
  void write(const WriteEvent& event, std::size_t words);
  void copy_issue(const CopyIssueEvent& event);
  // If it carries no words, the reader is asked for them.
  void copy_done(const CopyDoneEvent& event);
  // Ignored when times are not compared.
  void time(const TimingEvent& event);
  // Asked for the data of a copy when it completes, and at the end for every part not reported.
  void set_reader(Reader reader) { reader_ = std::move(reader); }
  void tell(CorePart part, std::uint64_t first, std::span<const std::uint32_t> words);
  void rest_of_hbm_is_unchanged();
  // A difference, race or never-written use has been found: later events are ignored.
  [[nodiscard]] bool over() const;

  // ---- the end ----

  // The core has stopped, and everything was reported.
  Outcome finish();
  [[nodiscard]] bool finished() const { return finished_; }
  // Compares the events so far, for a core that has not stopped.
  Outcome look();
  // `running` while nothing was found.
  [[nodiscard]] Outcome outcome() const { return outcome_; }
  // The results of a run; for its verdict, texts and JSON.
  [[nodiscard]] const Runner& runner() const { return *runner_; }
  // Host time, from construction to the end.
  [[nodiscard]] double seconds() const { return seconds_; }
  // The terms of the verdict: what was not compared, and why there is no verdict.
  [[nodiscard]] const CoreTerms& terms() const { return terms_; }

 private:
  void power_up(const CoreCheckOptions& options);
  void begin_event();
  void refuse_finished() const;
  void count_cycle();
  void ask_for_parts();
  bool read_copy(const CopyIssue& copy);
  void follow();
  void check_distance();

  CoreTerms terms_;
  runtime::NamedLaunch job_;  // places program and tensors like a run
  std::unique_ptr<runtime::Run> run_;
  const GoldenModel& at_start_;  // which executes nothing
  SparseMemory initial_hbm_;
  std::shared_ptr<ForeignCore> core_;
  LockstepParts parts_;
  std::unique_ptr<Runner> runner_;
  Outcome outcome_ = Outcome::running;
  Reader reader_;
  std::map<std::uint32_t, CopyIssue> copies_;  // in flight, by number; with a reader
  std::vector<std::uint32_t> words_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_ = 0;
  std::uint64_t issues_ = 0;  // told
  bool began_ = false;        // an event was reported
  bool tells_cycles_ = false;
  bool finished_ = false;
};

}  // namespace tandem
