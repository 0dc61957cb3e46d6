// tandem report: a program on a model with time, and a page about the run.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/files/run_report.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/options/model_options.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/program/schedule_json.hpp"

namespace tandem {
namespace {

struct ReportOptions {
  LaunchOptions launch;
  ModelOptions model;
  std::string on = "cycle";
  ReportFiles files;
};

int report_program(ReportOptions& options) {
  using runtime::Model;
  const Model on = model_named(options.on, {Model::cycle, Model::rtl}, ": a report is about time");
  nlohmann::json schedule = nlohmann::json::array();
  options.launch.text.on_report = [&schedule](const BlockReport& report) {
    schedule.push_back(schedule_json(report));
  };
  const PreparedLaunch prepared(options.launch);
  RunReaders readers(options.launch.counters);
  RunReport report(prepared.image, options.files);
  readers.add(report.timing());
  CommandRun run(device_options(options.launch, options.model, on), prepared,
                 {readers.timing(), listing_reader(options.launch, prepared.image)});
  const RunResult result = drive(run.runner(), on, step_limit(options.launch.limit, on));
  const std::string program = std::filesystem::path(options.launch.inputs.at(0)).filename();
  report.write(
      {program, options.on, machine_options(options.launch, options.model).memory, schedule},
      run.runner(), result);
  return finish_run(options.launch, prepared.outputs, run, result, readers);
}

}  // namespace

void add_report_command(Command application, int* status) {
  auto options = std::make_shared<ReportOptions>();
  const Command command = application.add_subcommand(
      "report", "Run a program and write a page about where its time went");
  command.footer(
      "Examples:\n"
      "  tandem report kernel.s --in A=a.npy --in B=b.npy -o report.html\n"
      "  tandem report faster.s --in A=a.npy --in B=b.npy -o new.html --compare report.html\n"
      "Exit status: that of the run, as for `tandem run`.");
  add_launch_options(command, options->launch).required();
  command.add_option("-o,--output", options->files.page, "The page, one HTML file").required();
  command.add_option("--data", options->files.data, "The page's data, as JSON");
  command.add_option("--compare", options->files.earlier,
                     "An earlier page: what has changed since that run");
  command.add_option("--on", options->on, "Model").words({"cycle", "rtl"}).capture_default_str();
  add_model_options(command, options->model);
  command.callback([options, status] { *status = report_program(*options); });
}

}  // namespace tandem
