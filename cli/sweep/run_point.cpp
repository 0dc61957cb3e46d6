#include "cli/sweep/run_point.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/messages/user_error.hpp"
#include "cli/run/command_run.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "host/process.hpp"
#include "report/counters.hpp"
#include "report/json/json_text.hpp"
#include "runtime/error.hpp"
#include "runtime/models/result_text.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t memory_seed = 1;
constexpr auto on = runtime::Model::cycle;

class PointRun {
 public:
  PointRun(const Study& study, StudyPrograms& programs, const StudyPoint& point)
      : study_(study), programs_(programs), point_(point) {}

  SeedRecord run() {
    const auto begin = std::chrono::steady_clock::now();
    record_.key = point_key(study_, programs_, point_);
    record_.seed = memory_seed;
    try {
      run_launches();
    } catch (const UserError& error) {
      refuse(error.message);
    } catch (const LaunchError& error) {
      refuse(error.message);
    } catch (const runtime::Error& error) {
      refuse(error.message);
    }
    record_.passed = record_.outcome == outcome_name(Outcome::halted);
    record_.microseconds =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                       std::chrono::steady_clock::now() - begin)
                                       .count());
    return std::move(record_);
  }

 private:
  [[nodiscard]] const StudyMachine& machine() const { return study_.machines[point_.machine]; }

  void refuse(const std::string& why) {
    record_.outcome = outcome_refused;
    record_.signature = outcome_refused;
    record_.report = why;
  }

  // Ends with the first launch that does not halt.
  void run_launches() {
    CounterValues sums;
    for (PointLaunch& each : programs_.launches(point_.program, *machine().sizes)) {
      each.launch.preset = machine().name;
      if (!run_launch(each, sums)) return;
    }
    record_.cycles = sums.cycles;
    record_.data = json_text(counters_json(sums, *machine().sizes), -1);
  }

  bool run_launch(const PointLaunch& launch, CounterValues& sums) {
    const PreparedLaunch prepared(launch.launch);
    CommandRun run(device_options(launch.launch, ModelOptions{}, on), prepared, {});
    Runner& runner = run.runner();
    const RunResult result = drive_unseen(runner, on, step_limit(launch.launch.limit, on));
    if (result.interrupted) throw Interrupted();
    record_.bundles += launch.count * runner.bundles();
    record_.outcome = result.outcome == Outcome::running
                          ? std::string(outcome_limit)
                          : std::string(outcome_name(result.outcome));
    if (result.outcome == Outcome::halted) {
      const CounterValues counters = runner.counters().value();
      for (std::uint64_t i = 0; i < launch.count; ++i) sums += counters;
      return true;
    }
    record_.cycles = runner.cycles();
    record_.signature = record_.outcome;
    record_.report = result_text(runner, result, run.image());
    return false;
  }

  const Study& study_;
  StudyPrograms& programs_;
  StudyPoint point_;
  SeedRecord record_;
};

}  // namespace

std::string point_key(const Study& study, StudyPrograms& programs, const StudyPoint& point) {
  const StudyMachine& machine = study.machines[point.machine];
  return fmt::format("{} {}", programs.digest(point.program, *machine.sizes), machine.name);
}

Plan sweep_plan(const Study& study, StudyPrograms& programs) {
  Plan plan;
  plan.name = study.name;
  plan.noun = "points";
  plan.timeout = study.timeout;
  for (const StudyPoint& point : study.points) {
    plan.units.push_back({plan.keys.size(), memory_seed, 1});
    plan.keys.push_back(point_key(study, programs, point));
  }
  plan.begin = [&study, &programs](std::size_t configuration) {
    const StudyPoint point = study.points[configuration];
    return [&study, &programs, point](std::uint64_t) {
      return PointRun(study, programs, point).run();
    };
  };
  return plan;
}

}  // namespace tandem
