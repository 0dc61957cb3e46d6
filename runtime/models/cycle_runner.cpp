// The cycle-exact model as a runner.
#include <utility>

#include "isa/state/archive_memory.hpp"
#include "runtime/models/runner.hpp"
#include "runtime/models/trap_note.hpp"
#include "sim/counters/counter_registers.hpp"
#include "sim/time/cycle_model.hpp"

namespace tandem {
namespace {

CycleOptions cycle_options(const CycleRunOptions& options) {
  CycleOptions result;
  result.golden.detect_races = options.detect_races;
  result.golden.detect_uninitialised = options.detect_uninitialised;
  result.memory = options.memory;
  return result;
}

class CycleRunner final : public Runner {
 public:
  CycleRunner(const Launch& launch, std::shared_ptr<CycleModel> model, RecordReader reader,
              TimingSink* timing)
      : launch_(launch),
        image_(*launch.image),
        held_(std::move(model)),
        model_(*held_),
        reader_(std::move(reader)) {
    model_.set_sink(timing);
    model_.start(launch);
  }
  ~CycleRunner() override { model_.set_sink(nullptr); }
  CycleRunner(const CycleRunner&) = delete;
  CycleRunner& operator=(const CycleRunner&) = delete;

  Outcome advance(std::uint64_t steps) override {
    const std::uint64_t end = model_.cycle() + steps;
    if (!reader_) return run_outcome(model_.run_until(end), model_.finding());
    while (model_.status() == RunStatus::running && model_.cycle() < end) {
      model_.step(&record_);
      reader_(record_);
    }
    return run_outcome(model_.status(), model_.finding());
  }

  std::uint64_t bundles() const override { return model_.bundles(); }
  std::uint64_t cycles() const override { return model_.cycle(); }
  Trap trap() const override { return model_.trap(); }
  std::uint32_t pc() const override { return model_.pc(); }
  std::optional<Finding> finding() const override { return model_.finding(); }
  const SparseMemory& hbm() const override { return model_.golden().hbm(); }
  std::vector<UnwrittenOutput> unwritten() const override {
    return unwritten_outputs(launch_, model_.golden());
  }
  std::string trap_note() const override { return tandem::trap_note(model_.golden(), image_); }
  std::string explanation() const override { return {}; }
  std::string explanation_json() const override { return {}; }
  std::optional<std::uint32_t> host_register(std::uint32_t number) const override {
    return counter_register(model_.counters(), number);
  }
  std::optional<CounterValues> counters() const override { return model_.counters(); }
  void save_to(ArchiveWriter& archive) override {
    archive_model(archive, model_.golden().hbm(), model_);
  }
  void restore_from(ArchiveReader& archive) override {
    archive_model(archive, model_.golden().hbm(), model_);
  }

 private:
  const Launch& launch_;
  const Image& image_;
  std::shared_ptr<CycleModel> held_;
  CycleModel& model_;  // *held_
  RecordReader reader_;
  RetireRecord record_;
};

}  // namespace

std::unique_ptr<Runner> make_cycle_runner(const Launch& launch, const CycleRunOptions& options) {
  return start_cycle(launch,
                     std::make_shared<CycleModel>(*launch.image->preset, launch.hbm_bytes,
                                                  launch.seed, cycle_options(options)),
                     options.reader, options.timing);
}

std::unique_ptr<Runner> start_cycle(const Launch& launch, std::shared_ptr<CycleModel> model,
                                    RecordReader reader, TimingSink* timing) {
  return std::make_unique<CycleRunner>(launch, std::move(model), std::move(reader), timing);
}

}  // namespace tandem
