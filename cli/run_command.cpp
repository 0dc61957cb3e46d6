// tandem run: a program on one model.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/drive.hpp"
#include "cli/launch_options.hpp"
#include "cli/user_error.hpp"
#include "cosim/listing.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t default_bundle_limit = 20'000'000'000;
constexpr std::uint64_t bundle_slice = 200'000;

struct RunOptions {
  LaunchOptions launch;
  std::string on = "golden";
};

GoldenRunOptions golden_options(const RunOptions& options, const Image& image) {
  GoldenRunOptions golden;
  golden.detect_races = options.launch.race_check;
  golden.detect_uninitialised = options.launch.uninitialised_check;
  if (options.launch.listing) {
    golden.reader = [&image](const RetireRecord& record) {
      std::fputs(listing_text(record, image).c_str(), stdout);
    };
  }
  return golden;
}

int finish(const RunOptions& options, const PreparedLaunch& prepared, const Runner& runner,
           const DriveResult& result) {
  if (result.outcome == Outcome::halted) {
    write_tensors(prepared.launch, runner.hbm(), prepared.outputs);
  }
  if (options.launch.json) {
    fmt::print("{}\n", result_json(runner, result, prepared.image).dump(2));
  } else {
    fmt::print(stderr, "{}", result_text(runner, result, prepared.image));
  }
  return exit_status(result);
}

int run_program(const RunOptions& options) {
  const PreparedLaunch prepared(options.launch);
  if (options.on != "golden") throw UserError{"--on takes golden or rtl"};
  const auto runner = make_golden_runner(prepared.launch, golden_options(options, prepared.image));
  const std::uint64_t limit =
      options.launch.limit != 0 ? options.launch.limit : default_bundle_limit;
  const DriveResult result = drive(*runner, limit, bundle_slice, "bundles");
  return finish(options, prepared, *runner, result);
}

}  // namespace

void add_run_command(CLI::App& application, int* status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = application.add_subcommand("run", "Run a program on one model");
  command->footer(
      "Examples:\n"
      "  tandem run kernel.s --in A=a.npy --in B=b.npy --out C=c.npy\n"
      "  tandem run --on rtl kernel.elf --json\n"
      "Exit status: 0 halted, 1 trapped, raced or met the limit, 2 bad usage or input.");
  add_launch_options(*command, options->launch);
  command->add_option("--on", options->on, "Model: golden or rtl")->capture_default_str();
  command->callback([options, status] { *status = run_program(*options); });
}

}  // namespace tandem
