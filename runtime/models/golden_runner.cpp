#include "isa/state/archive_memory.hpp"
#include "runtime/models/runner.hpp"
#include "runtime/models/trap_note.hpp"

namespace tandem {
namespace {

GoldenOptions golden_options(const GoldenRunOptions& options) {
  GoldenOptions result;
  result.detect_races = options.detect_races;
  result.detect_uninitialised = options.detect_uninitialised;
  return result;
}

class GoldenRunner final : public Runner {
 public:
  GoldenRunner(const Launch& launch, std::shared_ptr<GoldenModel> model, RecordReader reader)
      : launch_(launch),
        image_(*launch.image),
        held_(std::move(model)),
        model_(*held_),
        reader_(std::move(reader)) {
    model_.start(launch);
  }

  Outcome advance(std::uint64_t steps) override {
    if (!reader_) return outcome(model_.run(steps));
    for (std::uint64_t step = 0; step < steps && model_.status() == RunStatus::running; ++step) {
      model_.step(&record_);
      reader_(record_);
    }
    return outcome(model_.status());
  }

  std::uint64_t bundles() const override { return model_.bundles(); }
  std::uint64_t cycles() const override { return 0; }
  Trap trap() const override { return model_.trap(); }
  std::uint32_t pc() const override { return model_.pc(); }
  std::optional<Finding> finding() const override { return model_.finding(); }
  const SparseMemory& hbm() const override { return model_.hbm(); }
  std::vector<UnwrittenOutput> unwritten() const override {
    return unwritten_outputs(launch_, model_);
  }
  std::string trap_note() const override { return tandem::trap_note(model_, image_); }
  std::string explanation() const override { return {}; }
  std::string explanation_json() const override { return {}; }
  void save_to(ArchiveWriter& archive) override { archive_model(archive, model_.hbm(), model_); }
  void restore_from(ArchiveReader& archive) override {
    archive_model(archive, model_.hbm(), model_);
  }

 private:
  Outcome outcome(RunStatus status) const { return run_outcome(status, model_.finding()); }

  const Launch& launch_;
  const Image& image_;
  std::shared_ptr<GoldenModel> held_;
  GoldenModel& model_;  // *held_
  RecordReader reader_;
  RetireRecord record_;
};

}  // namespace

Outcome run_outcome(RunStatus status, const std::optional<Finding>& finding) {
  switch (status) {
    case RunStatus::running:
    case RunStatus::waiting: return Outcome::running;
    case RunStatus::halted: return Outcome::halted;
    case RunStatus::trapped: return Outcome::trapped;
    case RunStatus::reported: break;
  }
  switch (finding->kind) {
    case FindingKind::race: return Outcome::race;
    case FindingKind::uninitialised: return Outcome::uninitialised;
    case FindingKind::lifetime:
    case FindingKind::outside: return Outcome::lifetime;
  }
  __builtin_unreachable();
}

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::running: return "running";
    case Outcome::halted: return "halted";
    case Outcome::trapped: return "trapped";
    case Outcome::race: return "race";
    case Outcome::uninitialised: return "uninitialised";
    case Outcome::lifetime: return "lifetime";
    case Outcome::mismatch: return "mismatch";
    case Outcome::no_retirement: return "no_retirement";
    case Outcome::machine_check: return "machine_check";
    case Outcome::deadlock: return "deadlock";
  }
  __builtin_unreachable();
}

std::unique_ptr<Runner> make_golden_runner(const Launch& launch, const GoldenRunOptions& options) {
  return start_golden(launch,
                      std::make_shared<GoldenModel>(*launch.image->preset, launch.hbm_bytes,
                                                    launch.seed, golden_options(options)),
                      options.reader);
}

std::unique_ptr<Runner> start_golden(const Launch& launch, std::shared_ptr<GoldenModel> model,
                                     RecordReader reader) {
  return std::make_unique<GoldenRunner>(launch, std::move(model), std::move(reader));
}

}  // namespace tandem
