#include "cli/run/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/messages/user_error.hpp"
#include "cli/progress/line.hpp"
#include "host/interruption.hpp"
#include "isa/text/text.hpp"
#include "report/counters.hpp"
#include "report/json/json_text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double progress_after = 2.0;  // seconds

// "12 s, 3.4 M cycles, 1.2 M bundles, 280 kcycles/s"
std::string how_far(double seconds, std::uint64_t steps, std::uint64_t bundles, const char* unit) {
  return fmt::format("{:.0f} s, {:.3g} M {}, {:.3g} M bundles, {:.3g} k{}/s", seconds,
                     static_cast<double>(steps) / 1e6, unit, static_cast<double>(bundles) / 1e6,
                     static_cast<double>(steps) / 1e3 / seconds, unit);
}

const char* step_unit(runtime::Model model) {
  return model == runtime::Model::golden ? "bundles" : "cycles";
}

// Between checks of the clock: a tenth of a second on a small machine, a second on the largest.
std::uint64_t step_slice(runtime::Model model) { return is_fast(model) ? 500'000 : 20 * 1024; }

// Until it ends, is interrupted or meets the limit; `tell` is called with the steps so far.
template <typename Tell>
RunResult advanced(Runner& runner, runtime::Model model, std::uint64_t limit, Tell tell) {
  RunResult result{Outcome::running, limit, 0};
  for (std::uint64_t done = 0; done < limit && result.outcome == Outcome::running;) {
    result.interrupted = interruption() != 0;
    if (result.interrupted) break;
    const std::uint64_t steps = std::min(step_slice(model), limit - done);
    result.outcome = runner.advance(steps);
    done += steps;
    tell(result, done);
  }
  return result;
}

}  // namespace

RunResult drive(Runner& runner, runtime::Model model, std::uint64_t limit) {
  ProgressLine progress(progress_after);
  const Clock::time_point start = Clock::now();
  note_interruptions();
  return advanced(runner, model, limit, [&](RunResult& result, std::uint64_t done) {
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (!progress.is_due()) return;
    progress.show(how_far(result.seconds, done, runner.bundles(), step_unit(model)));
  });
}

RunResult drive_unseen(Runner& runner, runtime::Model model, std::uint64_t limit) {
  return advanced(runner, model, limit, [](RunResult&, std::uint64_t) {});
}

nlohmann::json result_json(const Runner& runner, const RunResult& result, const Image& image) {
  nlohmann::json json;
  const char* const unfinished = result.interrupted ? "interrupted" : "limit";
  json["outcome"] =
      result.outcome == Outcome::running ? unfinished : std::string(outcome_name(result.outcome));
  json["preset"] = image.preset->name;
  json["bundles"] = runner.bundles();
  if (runner.cycles() != 0) json["cycles"] = runner.cycles();
  json["seconds"] = result.seconds;
  if (runner.events() != 0) {
    json["events_compared"] = runner.events();
    json["volatile_reads"] = runner.volatile_reads();
  }
  if (const std::optional<CounterValues> counters = runner.counters()) {
    json["counters"] = counters_json(*counters, *image.preset);
  }
  if (result.outcome == Outcome::trapped) {
    const Trap trap = runner.trap();
    json["trap"] = {{"cause", trap_name(trap.cause)},
                    {"slot", slot_name(trap.slot)},
                    {"detail", trap.detail},
                    {"pc", runner.pc()},
                    {"source", source_location(image, runner.pc(), trap.slot)}};
  }
  if (const std::optional<Finding> finding = runner.finding()) {
    json["finding"] = {{"message", finding->message},
                       {"pc", finding->pc},
                       {"source", source_location(image, finding->pc)}};
    if (finding->origin_pc) json["finding"]["origin_pc"] = *finding->origin_pc;
  }
  const std::string explanation = runner.explanation_json();
  if (!explanation.empty()) json["report"] = parse_json(explanation);
  return json;
}

int exit_status(const RunResult& result) {
  if (result.interrupted) return interrupted_status(exit_failed);
  return result.outcome == Outcome::halted ? exit_done : exit_failed;
}

}  // namespace tandem
