#include <fmt/format.h>

#include "cli/debug/target/target.hpp"
#include "isa/golden/races.hpp"
#include "isa/golden/snapshot.hpp"

namespace tandem::debug {
namespace {

std::string side_text(const golden::Footprint& side) {
  if (side.runs.empty()) return "nothing";
  return memory_range_text(side.space, side.box.begin, side.box.end);
}

class GoldenTarget final : public Target {
 public:
  explicit GoldenTarget(std::unique_ptr<runtime::NamedLaunch> job)
      : job_(std::move(job)), run_(job_->start({})), model_(*job_->device().golden_model()) {}

  const Launch& launch() const override { return run_->launch(); }
  RunStatus step(RetireRecord* record) override { return model_.step(record); }
  RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) override {
    return model_.run_to(limit, stops);
  }
  Moment save(const Moment* earlier) override {
    return {model_.save(earlier == nullptr ? nullptr : earlier->golden.get()), nullptr};
  }
  void restore(const Moment& moment) override { model_.restore(*moment.golden); }

  const GoldenModel& golden() const override { return model_; }
  RunStatus status() const override { return model_.status(); }
  std::optional<std::uint64_t> cycle() const override { return std::nullopt; }
  std::vector<IssueTime> last_issues() const override { return {}; }
  std::vector<OpenCopy> open_copies() const override {
    std::vector<OpenCopy> copies;
    for (const golden::RaceDetector::Pending& copy : model_.races().pending()) {
      copies.push_back({copy.pc, std::nullopt, copy.flag, copy.amount, side_text(copy.source),
                        side_text(copy.destination)});
    }
    return copies;
  }

 private:
  std::unique_ptr<runtime::NamedLaunch> job_;
  std::unique_ptr<runtime::Run> run_;
  GoldenModel& model_;
};

}  // namespace

std::string memory_range_text(golden::MemorySpace space, std::uint64_t begin, std::uint64_t end) {
  return fmt::format("{} {:#x}..{:#x}", golden::memory_name(space), begin, end - 1);
}

std::unique_ptr<Target> make_golden_target(std::unique_ptr<runtime::NamedLaunch> job) {
  return std::make_unique<GoldenTarget>(std::move(job));
}

std::unique_ptr<Target> make_target(std::unique_ptr<runtime::NamedLaunch> job) {
  const bool time = job->device().cycle_model() != nullptr;
  return time ? make_cycle_target(std::move(job)) : make_golden_target(std::move(job));
}

}  // namespace tandem::debug
