#include "runtime/models/cycle_machine.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "isa/archive/archive.hpp"
#include "runtime/models/golden_machine.hpp"
#include "runtime/models/group_links.hpp"
#include "sim/counters/counter_registers.hpp"
#include "sim/time/cycle_model.hpp"

namespace tandem {
namespace {

class CycleMachine final : public Machine {
 public:
  CycleMachine(const Parameters& parameters, const MachineOptions& options, bool only_timed_reads)
      : parameters_(parameters), options_(options), only_timed_reads_(only_timed_reads) {}

  std::string_view name() const override { return "cycle"; }
  const Parameters& parameters() const override { return parameters_; }
  void set_timing(TimingSink* sink) override { sink_ = sink; }

  void set_memory(const MemoryTimingParameters& memory) override { options_.memory = memory; }
  void power_up(std::uint64_t hbm_bytes, std::uint32_t seed) override {
    CycleOptions options;
    options.golden.detect_races = false;  // known from the model beside it
    options.golden.detect_uninitialised = false;
    options.memory = options_.memory;
    model_.emplace(parameters_, hbm_bytes, seed, options);
  }
  void start(const Launch& launch) override {
    model_->set_sink(sink_);
    model_->start(launch);
    issued_ = 0;
    cause_ = StallCause::issued;
    waited_ = {};
    links_ = nullptr;
    chip_ = launch.chip;
  }
  bool tie(GroupLinks& links) override {
    links_ = &links;
    model_->tie(links.timed.ports(chip_));
    return true;
  }
  bool program_runs() const override { return model_->status() == RunStatus::running; }
  bool still() const override { return model_->still(); }
  CycleModel* cycle_model() override { return &*model_; }

  bool cycle(EventSink* sink) override {
    const bool reads_volatile = model_->golden().next_volatile_csr().has_value();
    const bool told = sink != nullptr && (reads_volatile || !only_timed_reads_);
    const std::uint64_t bundles = golden().bundles();
    const RunStatus before = golden().status();
    const std::uint64_t limit = links_ == nullptr ? model_->cycle() + patience : window_end_;
    const RunStatus status = model_->step_before(limit, told ? &record_ : nullptr);
    // A bundle that traps does not count, and ends golden.
    if (golden().bundles() == bundles && golden().status() == before) {
      note_cause();
      return status == RunStatus::running;
    }
    cause_ = StallCause::issued;
    ++issued_;
    if (told) give(*sink, reads_volatile);
    return status == RunStatus::running;
  }

  bool run_through(std::uint64_t cycle, EventSink* sink) override {
    if (links_ != nullptr) return run_window(cycle + 1, sink);
    if (!only_timed_reads_) return Machine::run_through(cycle, sink);
    bool runs = true;
    while (runs && cycles() <= cycle) {
      const bool reads_volatile = model_->golden().next_volatile_csr().has_value();
      runs = reads_volatile ? this->cycle(sink) : run_to_read(cycle + 1);
    }
    return runs;
  }

  std::uint64_t cycles() const override { return model_->cycle(); }
  std::uint64_t bundles() const override { return issued_; }
  std::uint64_t memory_beats() const override { return 0; }
  StallCause cause() const override { return cause_; }
  const SparseMemory& hbm() const override { return golden().hbm(); }
  SparseMemory& host_memory() override { return model_->golden().hbm(); }
  MachineState state() const override { return machine_state(golden().state(), masks_); }
  MachineStatus status() override { return machine_status(golden(), model_->status()); }
  std::uint32_t read_register(std::uint32_t number) override {
    return counter_register(model_->counters(), number).value_or(0);
  }
  CounterValues counters() override { return model_->counters(); }
  void save_to(ArchiveWriter& archive) override {
    model_->save_to(archive);
    archive(issued_, cause_, waited_);
  }
  void restore_from(ArchiveReader& archive) override {
    model_->restore_from(archive);
    archive(issued_, cause_, waited_);
  }

 private:
  // As a chip of a group, which does not end before the group.
  bool run_window(std::uint64_t cycle, EventSink* sink) {
    window_end_ = cycle;
    bool runs = program_runs();
    while (runs && cycles() < cycle) {
      const bool stops = !only_timed_reads_ || model_->golden().next_volatile_csr().has_value();
      runs = stops ? this->cycle(sink) : run_to_read(cycle);
    }
    model_->end_window(cycle);
    return runs || !links_->over;
  }

  // Bundles that issue before this cycle, up to one that reads a volatile CSR.
  bool run_to_read(std::uint64_t cycle) {
    const std::uint64_t before = issued();
    const RunStatus status = model_->run_until_read(cycle);
    issued_ += issued() - before;
    if (issued() == before) {
      note_cause();
    } else {
      cause_ = StallCause::issued;
    }
    return status == RunStatus::running;
  }

  // In golden, including the trapping bundle.
  [[nodiscard]] std::uint64_t issued() const {
    return golden().bundles() + (golden().status() == RunStatus::trapped ? 1 : 0);
  }

  // Cycles for which a step waits for its bundle to issue, so that a model that never issues it
  // returns and is seen to be silent, or late.
  static constexpr std::uint64_t patience = 1'000'000;

  [[nodiscard]] const GoldenModel& golden() const { return std::as_const(*model_).golden(); }

  // The cause of a step without a bundle: that of most of its cycles (of the first such step, most
  // of all). A program may idle for any time, which is not silence.
  void note_cause() {
    const auto causes = model_->counters().causes;
    std::size_t most = 0;
    for (std::size_t i = 1; i < causes.size(); ++i) {
      if (causes[i] - waited_[i] > causes[most] - waited_[most]) most = i;
    }
    cause_ = static_cast<StallCause>(most);
    waited_ = causes;
  }

  void give(EventSink& sink, bool reads_volatile) {
    sink.issue(issue_event(record_));
    if (record_.has_copy) sink.copy_issue(copy_issue_event(record_));
    for (const Write& write : record_.writes) {
      sink.write(write_event(record_, write, parameters_, reads_volatile));
    }
    if (record_.has_copy) sink.copy_done({static_cast<std::uint32_t>(record_.sequence)});
  }

  Parameters parameters_;
  MachineOptions options_;
  bool only_timed_reads_;
  TimingSink* sink_ = nullptr;
  GroupLinks* links_ = nullptr;  // in a group
  std::uint32_t chip_ = 0;
  std::uint64_t window_end_ = 0;
  std::optional<CycleModel> model_;
  RetireRecord record_;
  mutable std::vector<std::uint32_t> masks_;
  std::uint64_t issued_ = 0;
  StallCause cause_ = StallCause::issued;     // of the last step
  decltype(CounterValues::causes) waited_{};  // cycles, at the last step without a bundle
};

}  // namespace

std::unique_ptr<Machine> make_cycle_machine(const Parameters& parameters,
                                            const MachineOptions& options) {
  return std::make_unique<CycleMachine>(parameters, options, false);
}

std::unique_ptr<Machine> make_timed_machine(const Parameters& parameters,
                                            const MachineOptions& options) {
  return std::make_unique<CycleMachine>(parameters, options, true);
}

}  // namespace tandem
