#include "runtime/device/launch_result.hpp"

namespace tandem::runtime {

LaunchResult result_of(const Runner& runner, const RunResult& run, const Image& image) {
  LaunchResult result;
  result.outcome = run.outcome;
  result.bundles = runner.bundles();
  result.cycles = runner.cycles();
  result.seconds = run.seconds;
  result.counters = runner.counters();
  if (run.outcome == Outcome::halted) {
    result.unwritten = runner.unwritten();
    for (const UnwrittenOutput& output : result.unwritten) {
      result.report += unwritten_text(output) + "\n";
    }
    return result;
  }
  result.trap = runner.trap();
  result.pc = runner.pc();
  result.finding = runner.finding();
  result.report = result_text(runner, run, image);
  result.report_json = runner.explanation_json();
  return result;
}

}  // namespace tandem::runtime
