// Lockstep: a machine runs, the checker reads its events. With the cycle-exact model beside it, the
// timing events of both are compared.
#include <algorithm>
#include <optional>

#include "cosim/checker/checker.hpp"
#include "cosim/checker/checker_queue.hpp"
#include "cosim/checker/stream_counters.hpp"
#include "cosim/lockstep/mismatch_wave.hpp"
#include "cosim/lockstep/recent_states.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/lockstep/timed_model.hpp"
#include "cosim/lockstep/timing_batch.hpp"
#include "cosim/lockstep/timing_comparison.hpp"
#include "cosim/reports/mismatch_report.hpp"
#include "cosim/reports/timing_report.hpp"
#include "isa/archive/archive_memory.hpp"
#include "runtime/models/runner.hpp"
#include "runtime/models/silence.hpp"
#include "runtime/models/trap_note.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {
namespace {

// Cycles between looks at how the two machines compare; TimingHistory must reach over these and
// those of patience.
constexpr std::uint64_t slice_cycles = 1024;
// Cycles to go on behind a difference in time while an earlier one may still turn up.
constexpr std::uint64_t patience = 2048;

class LockstepRunner final : public Runner {
 public:
  LockstepRunner(const Launch& launch, const LockstepParts& parts, LockstepOptions options)
      : launch_(launch),
        options_(std::move(options)),
        golden_(parts.golden),
        machine_(parts.machine),
        stream_(*launch.image->preset),
        checker_(*golden_, checker_options(parts.cycle_exact != nullptr), *machine_, stream_),
        queue_(checker_),
        silence_(options_.silence) {
    timing_.add(&batch_);
    timing_.add(options_.timing);
    readers_.add(&stream_);
    if (parts.cycle_exact) {
      readers_.add(&comparison_.sink(Side::got));
      timed_.emplace(launch, parts.cycle_exact, comparison_);
    }
    golden_->start(launch);
    machine_->set_timing(timing_.reader());
    machine_->start(launch);
  }

  Outcome advance(std::uint64_t steps) override {
    while (steps != 0 && outcome_ == Outcome::running) {
      if (!options_.wave.path.empty()) recent_.note(*machine_);
      const std::uint64_t before = machine_->cycles();
      run_to(before + std::min(steps, slice_cycles));
      steps -= std::min(steps, std::max<std::uint64_t>(machine_->cycles() - before, 1));
      if (timed_) timed_->follow(machine_->cycles());
      if (stopped_) finish();
      outcome_ = verdict();
      if (outcome_ == Outcome::running && silence_.silent(*machine_, checker_.events())) {
        outcome_ = Outcome::no_retirement;
      }
    }
    if (!options_.wave.path.empty() && !wave_) write_wave();
    return outcome_;
  }

  std::uint64_t bundles() const override { return golden().bundles(); }
  std::uint64_t cycles() const override {
    if (outcome_ == Outcome::running) return machine_->cycles();
    return queue_.end_cycle() ? seen_after() : counted_cycles(*machine_);
  }
  std::vector<UnwrittenOutput> unwritten() const override {
    return unwritten_outputs(launch_, golden());
  }
  std::string trap_note() const override { return tandem::trap_note(golden(), *launch_.image); }
  Trap trap() const override { return golden().trap(); }
  std::uint32_t pc() const override { return golden().pc(); }
  std::optional<Finding> finding() const override { return golden().finding(); }
  const SparseMemory& hbm() const override { return machine_->hbm(); }
  std::uint64_t volatile_reads() const override { return checker_.volatile_reads(); }
  std::uint64_t events() const override { return checker_.events() + comparison_.compared(); }
  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return machine_->read_register(number);
  }
  std::optional<CounterValues> counters() const override { return machine_->counters(); }

  std::string explanation() const override {
    const std::string report = report_of_end();
    return report.empty() ? report : report + mismatch_wave_text(wave_);
  }
  std::string explanation_json() const override {
    nlohmann::json report = json_of_end();
    if (report.is_null()) return {};
    if (wave_) report["wave"] = mismatch_wave_json(*wave_);
    return report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void save_to(ArchiveWriter& archive) override {
    archive_model(archive, golden_->hbm(), *golden_);
    archive_model(archive, machine_->host_memory(), *machine_);
    if (timed_) timed_->save_to(archive);
    archive_own(archive);
  }
  void restore_from(ArchiveReader& archive) override {
    archive_model(archive, golden_->hbm(), *golden_);
    archive_model(archive, machine_->host_memory(), *machine_);
    if (timed_) timed_->restore_from(archive);
    archive_own(archive);
  }

 private:
  template <typename A>
  void archive_own(A& archive) {
    archive(stream_, comparison_, checker_, queue_, stopped_, silence_);
  }
  CheckerOptions checker_options(bool compares_time) {
    CheckerOptions result{options_.reader, {}};
    if (!compares_time) return result;
    result.csr_reader = [this](std::uint64_t sequence, std::uint32_t value) {
      batch_.flush();  // its issue may stand there
      comparison_.csr_read(Side::got, sequence, value);
    };
    return result;
  }

  [[nodiscard]] const GoldenModel& golden() const { return checker_.golden(); }
  // The machine has stopped, or its comparison with golden has ended.
  [[nodiscard]] bool over() const { return stopped_ || checker_.ended(); }

  void run_to(std::uint64_t cycle) {
    while (!over() && machine_->cycles() < cycle) {
      queue_.set_cycle(machine_->cycles());
      stopped_ = !machine_->cycle(&queue_);
    }
    batch_.flush();
    queue_.flush();
  }

  // The machine has stopped: compare what stands at the end.
  void finish() {
    if (timed_ && !checker_.ended()) comparison_.finish();
    checker_.finish();
    if (!timed_ || checker_.ended() || comparison_.first()) return;
    comparison_.compare_counters(timed_->machine().counters(), machine_->counters());
    if (!comparison_.first()) timed_mismatch_ = timed_->compare_end(golden());
  }

  [[nodiscard]] bool values_differ() const {
    return machine_differs() || timed_mismatch_.has_value();
  }
  // A difference in time makes counters differ: then it is the one to report.
  [[nodiscard]] bool machine_differs() const {
    const std::optional<Mismatch>& mismatch = checker_.mismatch();
    return mismatch && !(mismatch->field == CompareField::end_counter && comparison_.first());
  }

  [[nodiscard]] std::string report_of_end() const {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_text(checker_, context(*machine_), machine_->cause());
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (values_differ()) return report_text(value_report());
    return timing_report_text(make_timing_report(comparison_, timing_context()));
  }
  [[nodiscard]] nlohmann::json json_of_end() const {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_json(checker_, context(*machine_), machine_->cause());
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (values_differ()) return report_json(value_report());
    return timing_report_json(make_timing_report(comparison_, timing_context()));
  }

  // The cycle of what went wrong: in which values were seen to differ, times did, or nothing more
  // happened.
  [[nodiscard]] std::uint64_t end_cycle() const {
    if (outcome_ == Outcome::mismatch && !values_differ()) return *comparison_.first()->cycle;
    return seen_after();
  }
  void write_wave() {
    if (outcome_ != Outcome::mismatch && outcome_ != Outcome::no_retirement) return;
    wave_ = write_mismatch_wave(options_.wave, options_.machine, recent_, *machine_, end_cycle());
  }

  // In which the machine issued a bundle of late.
  [[nodiscard]] std::uint64_t issue_cycle(std::uint64_t sequence) const {
    const std::optional<BundleTiming> bundle = comparison_.history(Side::got).find(sequence);
    return bundle ? bundle->cycle : machine_->cycles();
  }
  // Once the run is over nothing earlier comes. What a bundle that races does, and when, is
  // anybody's guess. A machine that hangs in one cause never settles.
  [[nodiscard]] bool times_differ() const {
    const std::optional<Mismatch>& first = comparison_.first();
    if (!first) return false;
    if (golden().finding()) return *first->cycle < issue_cycle(checker_.bundles() - 1);
    return comparison_.settled() || over() || machine_->cycles() > *first->cycle + patience;
  }

  [[nodiscard]] Outcome verdict() const {
    if (values_differ() || times_differ()) return Outcome::mismatch;
    if (!over()) return Outcome::running;
    return run_outcome(golden().status(), golden().finding());
  }

  // Cycles after which the comparison with golden ended, or those run so far.
  [[nodiscard]] std::uint64_t seen_after() const {
    const std::optional<std::uint64_t> end = queue_.end_cycle();
    return end ? *end + 1 : machine_->cycles();
  }
  [[nodiscard]] ReportContext context(const Machine& machine) const {
    return {launch_.image, options_.command, launch_.seed,  options_.machine,
            seen_after(),  "golden",         machine.name()};
  }
  [[nodiscard]] ReportContext timing_context() const {
    ReportContext result = context(*machine_);
    result.expected_model = timed_->machine().name();
    return result;
  }
  [[nodiscard]] MismatchReport value_report() const {
    if (machine_differs()) return make_report(checker_, *checker_.mismatch(), context(*machine_));
    return make_report(checker_, *timed_mismatch_, context(timed_->machine()));
  }

  const Launch& launch_;
  LockstepOptions options_;
  std::shared_ptr<GoldenModel> golden_;
  std::shared_ptr<Machine> machine_;
  StreamCounters stream_;
  TimingFanOut timing_;
  TimingFanOut readers_;  // behind batch_
  TimingBatch batch_{readers_};
  TimingComparison comparison_;
  Checker checker_;
  CheckerQueue queue_;
  std::optional<TimedModel> timed_;
  std::optional<Mismatch> timed_mismatch_;
  bool stopped_ = false;
  SilenceWatch silence_;
  RecentStates recent_;
  std::optional<MismatchWave> wave_;
  Outcome outcome_ = Outcome::running;
};

}  // namespace

void LockstepParts::power_up(std::uint64_t hbm_bytes, std::uint32_t seed, bool detect_races,
                             bool detect_uninitialised) {
  GoldenOptions options;
  options.detect_races = detect_races;
  options.detect_uninitialised = detect_uninitialised;
  golden = std::make_shared<GoldenModel>(machine->parameters(), hbm_bytes, seed, options);
  machine->power_up(hbm_bytes, seed);
  if (cycle_exact) cycle_exact->power_up(hbm_bytes, seed);
}

std::unique_ptr<Runner> start_lockstep(const Launch& launch, const LockstepParts& parts,
                                       const LockstepOptions& options) {
  return std::make_unique<LockstepRunner>(launch, parts, options);
}

std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             const LockstepOptions& options) {
  return make_lockstep_runner(launch, std::move(machine), nullptr, options);
}

std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             std::unique_ptr<Machine> cycle_exact,
                                             const LockstepOptions& options) {
  LockstepParts parts{nullptr, std::move(machine), std::move(cycle_exact)};
  parts.power_up(launch.hbm_bytes, launch.seed, options.detect_races, options.detect_uninitialised);
  return start_lockstep(launch, parts, options);
}

}  // namespace tandem
