#include "cli/finish.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "report/counters.hpp"

namespace tandem {

void print_counters(const Runner& runner, const std::vector<CounterRegion>& regions,
                    const Image& image) {
  const std::optional<CounterValues> counters = runner.counters();
  if (!counters) return;
  fmt::print("{}{}", counters_text(*counters, *image.preset), regions_text(regions, image));
}

int finish_run(const LaunchOptions& options, const std::vector<TensorFile>& outputs,
               const CommandRun& run, const RunResult& result, const RunReaders& readers,
               const nlohmann::json& files) {
  const Runner& runner = run.runner();
  if (result.outcome == Outcome::halted) write_tensors(run.job(), outputs);
  const std::vector<CounterRegion> regions = readers.regions(runner);
  if (options.json) {
    nlohmann::json json = result_json(runner, result, run.image());
    if (!regions.empty()) json["regions"] = regions_json(regions, run.image());
    json.update(files);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print(stderr, "{}", result_text(runner, result, run.image()));
    if (options.counters) print_counters(runner, regions, run.image());
  }
  return exit_status(result);
}

}  // namespace tandem
