// tandem explain: a run on the cycle-exact model, and advice about its time.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/command_run.hpp"
#include "cli/run/files/run_report.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "report/explanation.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

struct ExplainOptions {
  LaunchOptions launch;
  ModelOptions model;
  std::uint32_t rows = 8;
};

int explain_program(const ExplainOptions& options) {
  using runtime::Model;
  const PreparedLaunch prepared(options.launch);
  RunReport report(prepared.image, {});
  CommandRun run(device_options(options.launch, options.model, Model::cycle), prepared,
                 {report.timing(), listing_reader(options.launch, prepared.image)});
  const RunResult result =
      drive(run.runner(), Model::cycle, step_limit(options.launch.limit, Model::cycle));
  const std::string program = std::filesystem::path(options.launch.inputs.at(0)).filename();
  const nlohmann::json data =
      report.data({program, "cycle", machine_options(options.launch, options.model).memory},
                  run.runner(), result);
  LaunchOptions told = options.launch;
  told.json = false;  // the verdict is for people, the explanation is the requested output
  const int status = finish_run(told, prepared.outputs, run, result, RunReaders(false));
  if (options.launch.json) {
    fmt::print("{}\n", json_text(explanation_json(data)));
  } else {
    fmt::print("{}", explanation_text(data, options.rows));
  }
  return status;
}

}  // namespace

void add_explain_command(Command application, int* status) {
  auto options = std::make_shared<ExplainOptions>();
  const Command command = application.add_subcommand(
      "explain", "Run a program on the cycle-exact model, and say what to do about its time");
  command.footer(
      "Examples:\n"
      "  tandem explain kernel.s --in A=a.npy --in B=b.npy\n"
      "  tandem compile model.mlirbc -o model.elf && tandem explain model.elf --in arg0=x.npy\n"
      "Of JAX functions tandem.explain(f, x) tells the same, in Python.");
  add_launch_options(command, options->launch).required();
  command.add_option("--rows", options->rows, "Lines, and remedies, at most")
      .within(1U, 1000U)
      .capture_default_str();
  add_model_options(command, options->model);
  command.callback([options, status] { *status = explain_program(*options); });
}

}  // namespace tandem
