#include "runtime/models/cycle_machine.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "isa/archive/archive.hpp"
#include "runtime/models/golden_machine.hpp"
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
    options.golden.detect_races = false;  // the model beside it tells
    options.golden.detect_uninitialised = false;
    options.memory = options_.memory;
    model_.emplace(parameters_, hbm_bytes, seed, options);
  }
  void start(const Launch& launch) override {
    model_->set_sink(sink_);
    model_->start(launch);
    issued_ = 0;
  }

  bool cycle(EventSink* sink) override {
    const bool reads_volatile = model_->golden().next_volatile_csr().has_value();
    const bool told = sink != nullptr && (reads_volatile || !only_timed_reads_);
    const RunStatus status = model_->step(told ? &record_ : nullptr);
    ++issued_;
    if (told) give(*sink, reads_volatile);
    return status == RunStatus::running;
  }

  std::uint64_t cycles() const override { return model_->cycle(); }
  std::uint64_t bundles() const override { return issued_; }
  std::uint64_t memory_beats() const override { return 0; }
  StallCause cause() const override { return StallCause::issued; }
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
    archive(issued_);
  }
  void restore_from(ArchiveReader& archive) override {
    model_->restore_from(archive);
    archive(issued_);
  }

 private:
  [[nodiscard]] const GoldenModel& golden() const { return std::as_const(*model_).golden(); }

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
  std::optional<CycleModel> model_;
  RetireRecord record_;
  mutable std::vector<std::uint32_t> masks_;
  std::uint64_t issued_ = 0;
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
