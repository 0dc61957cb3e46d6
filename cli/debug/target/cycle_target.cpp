#include "cli/debug/target/recent_timing.hpp"
#include "cli/debug/target/target.hpp"
#include "isa/golden/copy.hpp"
#include "isa/golden/snapshot.hpp"
#include "sim/time/cycle_model.hpp"
#include "sim/time/cycle_time.hpp"

namespace tandem::debug {

struct Timing {
  CycleModel::Time time;
  TimingHistory history;
};

std::uint64_t timing_bytes(const Timing& timing) {
  // The memory of a copy of the time, besides itself, is mainly the decoded plans of the program.
  return sizeof(Timing) + timing.time.plans.all().size() * sizeof(IssuePlan);
}

namespace {

std::string side_text(const golden::Copy& copy, const golden::CopySide& side) {
  if (copy.moves_nothing()) return "nothing";
  const golden::BoundingBox box = bounding_box(copy, side);
  return memory_range_text(side.space, static_cast<std::uint64_t>(box.begin),
                           static_cast<std::uint64_t>(box.end));
}

OpenCopy open_copy(const TimingHistory::Flight& flight) {
  const golden::Copy copy = golden::issued_copy(flight.start.copy);
  return {flight.pc.value_or(0), flight.start.cycle,           copy.flag,
          copy.amount,           side_text(copy, copy.source), side_text(copy, copy.destination)};
}

class CycleTarget final : public Target {
 public:
  explicit CycleTarget(std::unique_ptr<runtime::NamedLaunch> job)
      : job_(std::move(job)),
        run_(job_->start({&history_, {}})),
        model_(*job_->device().cycle_model()) {}
  CycleTarget(const CycleTarget&) = delete;
  CycleTarget& operator=(const CycleTarget&) = delete;

  const Launch& launch() const override { return run_->launch(); }
  RunStatus step(RetireRecord* record) override { return model_.step(record); }
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) override {
    return model_.run_to(limit, stops);
  }
  Moment save(const Moment* earlier) override {
    return {model_.golden().save(earlier == nullptr ? nullptr : earlier->golden.get()),
            std::make_shared<const Timing>(Timing{model_.time(), history_})};
  }
  void restore(const Moment& moment) override {
    model_.golden().restore(*moment.golden);
    model_.set_time(moment.timing->time);
    history_ = moment.timing->history;
  }

  const GoldenModel& golden() const override { return model_.golden(); }
  RunStatus status() const override { return model_.status(); }
  std::optional<std::uint64_t> cycle() const override { return model_.cycle(); }
  std::vector<IssueTime> last_issues() const override { return history_.last_issues(); }
  std::vector<OpenCopy> open_copies() const override {
    // Makes the model compute the memory's part up to here, which produces its events.
    if (status() == RunStatus::running) (void)model_.counters();
    std::vector<OpenCopy> copies;
    for (const TimingHistory::Flight& flight : history_.in_flight(model_.cycle())) {
      copies.push_back(open_copy(flight));
    }
    return copies;
  }

 private:
  TimingHistory history_;
  std::unique_ptr<runtime::NamedLaunch> job_;
  std::unique_ptr<runtime::Run> run_;
  CycleModel& model_;
};

}  // namespace

std::unique_ptr<Target> make_cycle_target(std::unique_ptr<runtime::NamedLaunch> job) {
  return std::make_unique<CycleTarget>(std::move(job));
}

}  // namespace tandem::debug
