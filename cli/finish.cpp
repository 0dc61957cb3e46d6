#include "cli/finish.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cosim/counters.hpp"

namespace tandem {

int finish_run(const LaunchOptions& options, const PreparedLaunch& prepared, const Runner& runner,
               const DriveResult& result) {
  if (result.outcome == Outcome::halted) {
    write_tensors(prepared.launch, runner.hbm(), prepared.outputs);
  }
  if (options.json) {
    fmt::print("{}\n", result_json(runner, result, prepared.image).dump(2));
  } else {
    fmt::print(stderr, "{}", result_text(runner, result, prepared.image));
    const Counters counters = read_counters(runner);
    if (options.counters && !counters.causes.empty()) fmt::print("{}", counters_text(counters));
  }
  return exit_status(result);
}

}  // namespace tandem
