// Lockstep: a machine runs, the checker reads its events. With a second machine, the cycle-exact
// model beside the RTL, each has a golden model of its own, and their timing events are compared.
#include <algorithm>
#include <optional>

#include "cosim/lockstep_lane.hpp"
#include "cosim/report.hpp"
#include "cosim/runner.hpp"
#include "cosim/silence.hpp"
#include "cosim/timing_comparison.hpp"
#include "cosim/timing_report.hpp"
#include "cosim/trap_note.hpp"

namespace tandem {
namespace {

// Cycles between looks at how the two machines compare; TimingHistory must reach over these and
// those of patience.
constexpr std::uint64_t slice_cycles = 1024;
// Cycles to go on behind a difference in time while an earlier one may still turn up.
constexpr std::uint64_t patience = 2048;

// The second machine and what it is for.
class SecondLane {
 public:
  SecondLane(const Launch& launch, const CheckerOptions& options, std::unique_ptr<Machine> machine,
             TimingComparison& comparison)
      : comparison_(comparison), lane_(launch, options, std::move(machine)) {
    lane_.add_timing(&comparison.sink(Side::expected));
    lane_.start();
  }

  // Follows the first machine, which has done all cycles before this one.
  void follow(std::uint64_t cycle) {
    lane_.run_to(cycle + 1);
    comparison_.issues_given(Side::expected, lane_.machine().cycles());
    if (cycle != 0) comparison_.issues_given(Side::got, cycle - 1);
  }
  [[nodiscard]] LockstepLane& lane() { return lane_; }
  [[nodiscard]] const LockstepLane& lane() const { return lane_; }

 private:
  TimingComparison& comparison_;
  LockstepLane lane_;
};

class LockstepRunner final : public Runner {
 public:
  LockstepRunner(const Launch& launch, std::unique_ptr<Machine> machine,
                 std::unique_ptr<Machine> second, LockstepOptions options)
      : launch_(launch),
        options_(std::move(options)),
        lane_(launch, checker_options(Side::got, options_.reader), std::move(machine)),
        silence_(options_.silence) {
    lane_.add_timing(options_.timing);
    if (second) {
      lane_.add_timing(&comparison_.sink(Side::got));
      second_.emplace(launch, checker_options(Side::expected, {}), std::move(second), comparison_);
    }
    lane_.start();
  }

  Outcome advance(std::uint64_t steps) override {
    while (steps != 0 && outcome_ == Outcome::running) {
      const std::uint64_t before = machine().cycles();
      lane_.run_to(before + std::min(steps, slice_cycles));
      steps -= std::min(steps, std::max<std::uint64_t>(machine().cycles() - before, 1));
      if (second_) second_->follow(machine().cycles());
      if (lane_.stopped()) finish();
      outcome_ = verdict();
      if (outcome_ == Outcome::running && silence_.silent(machine(), checker().events())) {
        outcome_ = Outcome::no_retirement;
      }
    }
    return outcome_;
  }

  std::uint64_t bundles() const override { return golden().bundles(); }
  std::uint64_t cycles() const override {
    return outcome_ == Outcome::running ? machine().cycles() : counted_cycles(machine());
  }
  std::string trap_note() const override { return deadlock_note(golden(), *launch_.image); }
  Trap trap() const override { return golden().trap(); }
  std::uint32_t pc() const override { return golden().pc(); }
  std::optional<Finding> finding() const override { return golden().finding(); }
  const SparseMemory& hbm() const override { return machine().hbm(); }
  std::uint64_t volatile_reads() const override { return checker().volatile_reads(); }
  std::uint64_t events() const override { return checker().events() + comparison_.compared(); }
  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return machine().read_register(number);
  }
  std::optional<CounterValues> counters() const override { return machine().counters(); }

  std::string explanation() const override {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_text(checker(), context(lane_), machine().cause());
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (const LockstepLane* lane = wrong_lane()) {
      return report_text(make_report(lane->checker(), context(*lane)));
    }
    return timing_report_text(make_timing_report(comparison_, timing_context()));
  }
  std::string explanation_json() const override {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_json(checker(), context(lane_), machine().cause()).dump();
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (const LockstepLane* lane = wrong_lane()) {
      return report_json(make_report(lane->checker(), context(*lane))).dump();
    }
    return timing_report_json(make_timing_report(comparison_, timing_context())).dump();
  }

 private:
  CheckerOptions checker_options(Side side, RecordReader reader) {
    CheckerOptions result;
    result.detect_races = options_.detect_races;
    result.detect_uninitialised = options_.detect_uninitialised;
    result.reader = std::move(reader);
    result.csr_reader = [this, side](std::uint64_t sequence, std::uint32_t value) {
      if (second_) comparison_.csr_read(side, sequence, value);
    };
    return result;
  }

  [[nodiscard]] Machine& machine() const { return lane_.machine(); }
  [[nodiscard]] const Checker& checker() const { return lane_.checker(); }
  [[nodiscard]] const GoldenModel& golden() const { return checker().golden(); }

  // The machine has stopped: compare what stands at the end.
  void finish() {
    if (second_ && !checker().ended()) comparison_.finish();
    lane_.checker().finish();
    if (!second_ || checker().mismatch() || comparison_.first()) return;
    second_->lane().checker().finish();
    comparison_.compare_counters(second_->lane().machine().counters(), machine().counters());
  }

  // The lane whose values differ from golden's.
  [[nodiscard]] const LockstepLane* wrong_lane() const {
    if (differs(lane_)) return &lane_;
    if (second_ && differs(second_->lane())) return &second_->lane();
    return nullptr;
  }
  // A difference in time makes counters differ: then it is the one to report.
  [[nodiscard]] bool differs(const LockstepLane& lane) const {
    const std::optional<Mismatch>& mismatch = lane.checker().mismatch();
    return mismatch && !(mismatch->field == CompareField::end_counter && comparison_.first());
  }

  // In which the RTL issued a bundle of late.
  [[nodiscard]] std::uint64_t issue_cycle(std::uint64_t sequence) const {
    const BundleTiming* bundle = comparison_.history(Side::got).find(sequence);
    return bundle == nullptr ? machine().cycles() : bundle->cycle;
  }
  // Once the run is over nothing earlier comes. What a bundle that races does, and when, is
  // anybody's guess. A machine that hangs in one cause never settles.
  [[nodiscard]] bool times_differ() const {
    const std::optional<Mismatch>& first = comparison_.first();
    if (!first) return false;
    if (golden().finding()) return *first->cycle < issue_cycle(checker().bundles() - 1);
    return comparison_.settled() || lane_.over() || machine().cycles() > *first->cycle + patience;
  }

  [[nodiscard]] Outcome verdict() const {
    if (wrong_lane() != nullptr || times_differ()) return Outcome::mismatch;
    if (!lane_.over()) return Outcome::running;
    return run_outcome(golden().status(), golden().finding());
  }

  [[nodiscard]] ReportContext context(const LockstepLane& lane) const {
    return {launch_.image,           options_.command, launch_.seed,         options_.machine,
            lane.machine().cycles(), "golden",         lane.machine().name()};
  }
  [[nodiscard]] ReportContext timing_context() const {
    ReportContext result = context(lane_);
    result.expected_model = second_->lane().machine().name();
    return result;
  }

  const Launch& launch_;
  LockstepOptions options_;
  TimingComparison comparison_;
  LockstepLane lane_;
  std::optional<SecondLane> second_;
  SilenceWatch silence_;
  Outcome outcome_ = Outcome::running;
};

}  // namespace

std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             const LockstepOptions& options) {
  return std::make_unique<LockstepRunner>(launch, std::move(machine), nullptr, options);
}

std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             std::unique_ptr<Machine> cycle_exact,
                                             const LockstepOptions& options) {
  return std::make_unique<LockstepRunner>(launch, std::move(machine), std::move(cycle_exact),
                                          options);
}

}  // namespace tandem
