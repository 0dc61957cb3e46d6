// tandem run: a program on one model.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/files/numbers.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/files/trace_files.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/group_run.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/snapshot_options.hpp"

namespace tandem {
namespace {

struct RunOptions {
  LaunchOptions launch;
  ModelOptions model;
  TraceOptions trace;
  SnapshotOptions snapshot;
  std::string on = "golden";
  bool check_lifetimes = false;
  std::uint32_t chips = 1;
};

int run_program(const RunOptions& options) {
  using runtime::Model;
  const Model on = model_named(options.on, {Model::golden, Model::cycle, Model::rtl});
  if (on == Model::golden && options.launch.counters) {
    throw UserError{message::counters_need_time};
  }
  if (options.check_lifetimes && !options.snapshot.restore.empty()) {
    throw UserError{message::lifetimes_from_start};
  }
  if (options.chips != 1) {
    refuse_of_group(options.trace.any(), "a trace, pipeline or wave");
    check_group(options.launch, options.snapshot);
    runtime::DeviceOptions device = device_options(options.launch, options.model, on);
    device.check_lifetimes = options.check_lifetimes;
    return run_group(options.launch, device, options.chips);
  }
  const PreparedLaunch prepared(options.launch);
  SnapshotFiles snapshots(options.snapshot);
  RunReaders readers(options.launch.counters);
  runtime::DeviceOptions device = device_options(options.launch, options.model, on);
  device.check_lifetimes = options.check_lifetimes;
  const std::uint64_t limit = step_limit(options.launch.limit, on);
  TraceFiles files(options.trace, prepared, limit, device);
  files.add_readers(readers);
  std::optional<CommandRun> run;
  run.emplace(
      device, prepared,
      runtime::RunReaders{readers.timing(), listing_reader(options.launch, prepared.image)});
  const RunResult result = snapshots.drive(*run, on, limit);
  nlohmann::json written = files.finish();
  snapshots.tell(written);
  const int status = finish_run(options.launch, prepared.outputs, *run, result, readers, written);
  run.reset();
  files.finish_wave();
  return snapshots.status(status);
}

}  // namespace

void add_run_command(Command application, int* status) {
  auto options = std::make_shared<RunOptions>();
  const Command command = application.add_subcommand("run", "Run a program on one model");
  command.footer(
      "Examples:\n"
      "  tandem run kernel.s --in A=a.npy --in B=b.npy --out C=c.npy\n"
      "  tandem run --on cycle --counters kernel.s --in A=a.npy --in B=b.npy\n"
      "  tandem run --on rtl kernel.elf --json\n"
      "  tandem run model.elf --in arg0=x.npy --check-lifetimes\n"
      "  tandem run --chips 4 ring.s --in x=x{chip}.npy --out y=y{chip}.npy\n"
      "  tandem run --on cycle kernel.s --trace x.pftrace --window label=loop:done\n"
      "  tandem run --on rtl kernel.s --snapshot k.snap --snapshot-at 50000\n"
      "  tandem run --on rtl kernel.s --restore k.snap --wave k.fst\n"
      "Exit status: 0 halted, 1 trapped, raced or met the limit, 2 bad usage or input.");
  add_launch_options(command, options->launch).required();
  command.add_option("--on", options->on, "Model")
      .words({"golden", "cycle", "rtl"})
      .capture_default_str();
  command.add_flag("--check-lifetimes", options->check_lifetimes,
                   "On golden, for compiled programs: check that each load and copy reads what was "
                   "last written to its own buffer");
  command
      .add_option("--chips", options->chips,
                  "Run on a group of this many chips; {chip} in names of tensor files is the "
                  "number of a chip")
      .check(at_least_one)
      .capture_default_str();
  add_model_options(command, options->model);
  add_trace_options(command, options->trace);
  add_snapshot_options(command, options->snapshot);
  command.callback([options, status] { *status = run_program(*options); });
}

}  // namespace tandem
