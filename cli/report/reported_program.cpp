#include "cli/report/reported_program.hpp"

#include <filesystem>

#include "cli/run/files/run_report.hpp"
#include "cli/run/files/trace_files.hpp"
#include "cli/run/finish.hpp"
#include "cli/run/options/step_limit.hpp"
#include "cli/run/program/schedule_json.hpp"
#include "host/output_file.hpp"

namespace tandem {

ReportedProgram run_for_report(ReportRequest request) {
  using runtime::Model;
  namespace fs = std::filesystem;
  const Model on = model_named(request.on, {Model::cycle, Model::rtl}, ": a report is about time");
  nlohmann::json schedule = nlohmann::json::array();
  request.launch.text.on_report = [&schedule](const BlockReport& report) {
    schedule.push_back(schedule_json(report));
  };
  const PreparedLaunch prepared(request.launch);
  for (const std::string& path : request.outputs) claim_output(path);
  RunReaders readers(request.launch.counters);
  RunReport report(prepared.image, {});
  readers.add(report.timing());
  runtime::DeviceOptions device = device_options(request.launch, request.model, on);
  const std::uint64_t limit = step_limit(request.launch.limit, on);
  TraceFiles trace({.trace = request.trace, .pipeline = "", .wave = "", .window = ""}, prepared,
                   limit, device);
  trace.add_readers(readers);
  CommandRun run(device, prepared,
                 {readers.timing(), listing_reader(request.launch, prepared.image)});
  const RunResult result = drive(run.runner(), on, limit);
  const nlohmann::json files = trace.finish();
  const std::string program = fs::path(request.launch.inputs.at(0)).filename();
  nlohmann::json data = report.data({program, request.on, device.machine.memory, schedule,
                                     request.options, fs::path(request.trace).filename()},
                                    run.runner(), result);
  const int status = finish_run(request.launch, prepared.outputs, run, result, readers, files);
  return {std::move(data), status};
}

}  // namespace tandem
