// Lockstep: the machine runs, the checker reads its events.
#include <fmt/format.h>

#include <algorithm>

#include "cosim/checker.hpp"
#include "cosim/report.hpp"
#include "cosim/runner.hpp"
#include "cosim/silence.hpp"
#include "cosim/stream_counters.hpp"
#include "cosim/trap_note.hpp"
#include "sim/timing_fan_out.hpp"

namespace tandem {
namespace {

CheckerOptions checker_options(const LockstepOptions& options) {
  return {options.detect_races, options.detect_uninitialised, options.reader};
}

class LockstepRunner final : public Runner {
 public:
  LockstepRunner(const Launch& launch, std::unique_ptr<Machine> machine, LockstepOptions options)
      : launch_(launch),
        machine_(std::move(machine)),
        options_(std::move(options)),
        stream_(*launch.image->preset),
        checker_(launch, checker_options(options_), *machine_, stream_),
        silence_(options_.silence) {
    timing_.add(&stream_);
    timing_.add(options_.timing);
    machine_->set_timing(&timing_);
    machine_->start(launch);
  }

  Outcome advance(std::uint64_t steps) override {
    while (steps != 0 && outcome_ == Outcome::running) {
      const std::uint64_t slice = std::min(steps, silence_interval);
      run(slice);
      steps -= slice;
      if (outcome_ == Outcome::running && silence_.silent(*machine_, checker_.events())) {
        outcome_ = Outcome::no_retirement;
      }
    }
    return outcome_;
  }

  std::uint64_t bundles() const override { return checker_.golden().bundles(); }
  std::uint64_t cycles() const override {
    return outcome_ == Outcome::running ? machine_->cycles() : counted_cycles(*machine_);
  }
  std::string trap_note() const override {
    return deadlock_note(checker_.golden(), *launch_.image);
  }
  Trap trap() const override { return checker_.golden().trap(); }
  std::uint32_t pc() const override { return checker_.golden().pc(); }
  std::optional<Finding> finding() const override { return checker_.golden().finding(); }
  const SparseMemory& hbm() const override { return machine_->hbm(); }
  std::uint64_t volatile_reads() const override { return checker_.volatile_reads(); }
  std::uint64_t events() const override { return checker_.events(); }

  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return machine_->read_register(number);
  }
  std::optional<CounterValues> counters() const override { return machine_->counters(); }
  std::string explanation() const override {
    if (outcome_ == Outcome::mismatch) return report_text(make_report(checker_, context()));
    if (outcome_ == Outcome::no_retirement)
      return silence_report_text(checker_, context(), cause());
    return {};
  }
  std::string explanation_json() const override {
    if (outcome_ == Outcome::mismatch) return report_json(make_report(checker_, context())).dump();
    if (outcome_ == Outcome::no_retirement) {
      return silence_report_json(checker_, context(), cause()).dump();
    }
    return {};
  }

 private:
  void run(std::uint64_t cycles) {
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
      const bool running = machine_->cycle(&checker_);
      if (!running) checker_.finish();
      if (running && !checker_.ended()) continue;
      outcome_ = verdict();
      return;
    }
  }

  Outcome verdict() const {
    if (checker_.mismatch()) return Outcome::mismatch;
    switch (checker_.golden().status()) {
      case RunStatus::running: return Outcome::running;
      case RunStatus::halted: return Outcome::halted;
      case RunStatus::trapped: return Outcome::trapped;
      case RunStatus::reported:
        return checker_.golden().finding()->kind == FindingKind::race ? Outcome::race
                                                                      : Outcome::uninitialised;
    }
    __builtin_unreachable();
  }

  ReportContext context() const {
    return {launch_.image, options_.command, launch_.seed, options_.machine, machine_->cycles()};
  }
  StallCause cause() const { return machine_->cause(); }

  const Launch& launch_;
  std::unique_ptr<Machine> machine_;
  LockstepOptions options_;
  StreamCounters stream_;
  TimingFanOut timing_;
  Checker checker_;
  SilenceWatch silence_;
  Outcome outcome_ = Outcome::running;
};

}  // namespace

std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             const LockstepOptions& options) {
  return std::make_unique<LockstepRunner>(launch, std::move(machine), options);
}

}  // namespace tandem
