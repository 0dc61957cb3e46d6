// Lockstep: a machine runs a slice of cycles, the followers are compared with it
// (cosim/lockstep/followers.hpp), and the findings determine the outcome.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "cosim/lockstep/followers.hpp"
#include "cosim/lockstep/mismatch_wave.hpp"
#include "cosim/lockstep/recent_states.hpp"
#include "cosim/lockstep/runners.hpp"
#include "cosim/lockstep/timing_report.hpp"
#include "cosim/reports/mismatch_report.hpp"
#include "isa/state/archive_memory.hpp"
#include "report/json/json_text.hpp"
#include "runtime/models/runner.hpp"
#include "runtime/models/silence.hpp"
#include "runtime/models/trap_note.hpp"

namespace tandem {
namespace {

// Cycles to continue after a difference in time while an earlier one may still turn up.
constexpr std::uint64_t patience = 2048;

// A machine by its name, in a sentence.
std::string_view machine_text(std::string_view name) {
  if (name == "core") return "the core";
  return name == "cycle" ? "the cycle-exact model" : "the RTL";
}

class LockstepRunner final : public Runner {
 public:
  LockstepRunner(const Launch& launch, const LockstepParts& parts, LockstepOptions options)
      : launch_(launch),
        options_(std::move(options)),
        machine_(parts.machine),
        followers_(launch, parts, options_, [this] { return verdict() != Outcome::running; }),
        silence_(options_.silence) {
    machine_->set_timing(&followers_.timing());
    machine_->start(launch);
  }

  Outcome advance(std::uint64_t steps) override {
    while (steps != 0 && outcome_ == Outcome::running) {
      if (!options_.wave.path.empty()) recent_.note(*machine_);
      const std::uint64_t before = machine_->cycles();
      const bool running = run_to(before + std::min(steps, options_.slice_cycles));
      steps -= std::min(steps, std::max<std::uint64_t>(machine_->cycles() - before, 1));
      followers_.settle();
      if (followers_.over()) {  // since the slice before
        outcome_ = verdict();
      } else {
        follow(running, steps == 0);
      }
    }
    if (!options_.wave.path.empty() && !wave_) write_wave();
    return outcome_;
  }

  std::uint64_t bundles() const override { return golden().bundles(); }
  std::uint64_t cycles() const override {
    if (outcome_ == Outcome::running) return machine_->cycles();
    return followers_.end_cycle() || !stopped_ ? seen_after() : counted_cycles(*machine_);
  }
  std::vector<UnwrittenOutput> unwritten() const override {
    return unwritten_outputs(launch_, golden());
  }
  std::string trap_note() const override { return tandem::trap_note(golden(), *launch_.image); }
  Trap trap() const override { return golden().trap(); }
  std::uint32_t pc() const override { return golden().pc(); }
  std::optional<Finding> finding() const override { return golden().finding(); }
  const SparseMemory& hbm() const override { return machine_->hbm(); }
  std::uint64_t volatile_reads() const override { return checker().volatile_reads(); }
  std::string_view compared() const override { return machine_text(machine_->name()); }
  std::uint64_t events() const override { return checker().events() + comparison().compared(); }
  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return machine_->read_register(number);
  }
  // Absent if the machine has run on: it is followed slice by slice, so that at a mismatch its
  // counters belong to a cycle that depends on slices and threads.
  std::optional<CounterValues> counters() const override {
    const CounterValues counters = machine_->counters();
    if (counters.cycles != cycles()) return std::nullopt;
    return counters;
  }

  std::string explanation() const override {
    const std::string report = report_of_end();
    return report.empty() ? report : report + mismatch_wave_text(wave_);
  }
  std::string explanation_json() const override {
    nlohmann::json report = json_of_end();
    if (report.is_null()) return {};
    if (wave_) report["wave"] = mismatch_wave_json(*wave_);
    return json_text(report, -1);
  }

  void save_to(ArchiveWriter& archive) override {
    archive_model(archive, machine_->host_memory(), *machine_);
    followers_.save_to(archive);
    archive(stopped_, silence_);
  }
  void restore_from(ArchiveReader& archive) override {
    archive_model(archive, machine_->host_memory(), *machine_);
    followers_.restore_from(archive);
    archive(stopped_, silence_);
  }

 private:
  [[nodiscard]] const Checker& checker() const { return followers_.checker(); }
  [[nodiscard]] const GoldenModel& golden() const { return checker().golden(); }
  [[nodiscard]] const TimingComparison& comparison() const { return followers_.comparison(); }
  // The machine has stopped and was followed to its end, or its comparison with golden has ended.
  [[nodiscard]] bool over() const { return stopped_ || checker().ended(); }

  // False once the machine has stopped.
  bool run_to(std::uint64_t cycle) {
    while (machine_->cycles() < cycle) {
      followers_.set_cycle(machine_->cycles());
      if (!machine_->cycle(&followers_.events())) return false;
      followers_.make_room();
    }
    return true;
  }

  // Lets the others follow a slice; `last` of an advance(), which reports the result.
  void follow(bool running, bool last) {
    followers_.follow(machine_->cycles());
    const bool silent = running && silence_.silent(*machine_, followers_.told());
    if (running && followers_.beside() && !last && !silent) return;
    followers_.settle();
    stopped_ = !running;
    if (stopped_) followers_.finish();
    outcome_ = verdict();
    if (outcome_ == Outcome::running && silent) outcome_ = Outcome::no_retirement;
  }

  [[nodiscard]] bool values_differ() const {
    return machine_differs() || followers_.timed_mismatch().has_value();
  }
  // A difference in time makes counters differ: then it is the one to report.
  [[nodiscard]] bool machine_differs() const {
    const std::optional<Mismatch>& mismatch = checker().mismatch();
    return mismatch && !(mismatch->field == CompareField::end_counter && comparison().first());
  }

  [[nodiscard]] std::string report_of_end() const {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_text(checker(), context(*machine_), machine_->cause());
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (values_differ()) return report_text(value_report());
    return timing_report_text(make_timing_report(comparison(), timing_context()));
  }
  [[nodiscard]] nlohmann::json json_of_end() const {
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_json(checker(), context(*machine_), machine_->cause());
    }
    if (outcome_ != Outcome::mismatch) return {};
    if (values_differ()) return report_json(value_report());
    return timing_report_json(make_timing_report(comparison(), timing_context()));
  }

  // The cycle of the failure: in which values or times differed, or after which nothing more
  // happened.
  [[nodiscard]] std::uint64_t end_cycle() const {
    if (outcome_ == Outcome::mismatch && !values_differ()) return *comparison().first()->cycle;
    return seen_after();
  }
  void write_wave() {
    if (outcome_ != Outcome::mismatch && outcome_ != Outcome::no_retirement) return;
    wave_ = write_mismatch_wave(options_.wave, options_.machine, recent_, *machine_, end_cycle());
  }

  // The cycle in which the machine issued a recent bundle.
  [[nodiscard]] std::uint64_t issue_cycle(std::uint64_t sequence) const {
    const std::optional<BundleTiming> bundle = comparison().history(Side::got).find(sequence);
    return bundle ? bundle->cycle : followers_.cycle();
  }
  // Once the run has ended nothing earlier comes. The effects and times of a bundle that races are
  // undefined. A machine that hangs in one cause never settles.
  [[nodiscard]] bool times_differ() const {
    const std::optional<Mismatch>& first = comparison().first();
    if (!first) return false;
    if (golden().finding()) return *first->cycle < issue_cycle(checker().bundles() - 1);
    return comparison().settled() || over() || followers_.cycle() > *first->cycle + patience;
  }

  [[nodiscard]] Outcome verdict() const {
    if (values_differ() || times_differ()) return Outcome::mismatch;
    if (!over()) return Outcome::running;
    return run_outcome(golden().status(), golden().finding());
  }

  // Cycles after which the comparison with golden ended, or those followed so far.
  [[nodiscard]] std::uint64_t seen_after() const {
    const std::optional<std::uint64_t> end = followers_.end_cycle();
    return end ? *end + 1 : followers_.cycle();
  }
  [[nodiscard]] ReportContext context(const Machine& machine) const {
    return {launch_.image, options_.command, launch_.seed,  options_.machine,
            seen_after(),  "golden",         machine.name()};
  }
  [[nodiscard]] ReportContext timing_context() const {
    ReportContext result = context(*machine_);
    result.expected_model = followers_.timed_machine().name();
    return result;
  }
  [[nodiscard]] MismatchReport value_report() const {
    if (machine_differs()) return make_report(checker(), *checker().mismatch(), context(*machine_));
    return make_report(checker(), *followers_.timed_mismatch(),
                       context(followers_.timed_machine()));
  }

  const Launch& launch_;
  LockstepOptions options_;
  std::shared_ptr<Machine> machine_;
  Followers followers_;
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
