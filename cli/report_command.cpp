// tandem report: programs on a model with time, and a page about each run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/report/given_options.hpp"
#include "cli/report/page_folder.hpp"
#include "cli/report/reported_program.hpp"
#include "cli/run/files/run_report.hpp"
#include "host/output_file.hpp"
#include "report/json/json_text.hpp"
#include "report/page.hpp"

namespace tandem {
namespace {

struct ReportOptions {
  ReportRequest request;
  ReportFiles files;
  bool trace = false;
};

int report_page_of(const ReportOptions& options) {
  ReportRequest request = options.request;
  const ReportFiles& files = options.files;
  const nlohmann::json before = read_report_page(files.earlier);
  request.outputs = {files.page};
  if (!files.data.empty()) request.outputs.push_back(files.data);
  if (options.trace) {
    request.trace = std::filesystem::path(files.page).replace_extension(".pftrace");
  }
  const ReportedProgram program = run_for_report(request);
  write_text(files.page, report_page(program.data, before));
  if (!files.data.empty()) write_text(files.data, json_text(program.data) + "\n");
  return program.status;
}

bool are_several_programs(const LaunchOptions& all) {
  return all.inputs.size() > 1 && load_object(all.inputs[0], assemble_options(all)).linked;
}

// Several linked programs are a run each; anything else is linked to one.
std::vector<LaunchOptions> launches_of(const LaunchOptions& all) {
  if (!are_several_programs(all)) return {all};
  const std::vector<std::pair<const char*, bool>> of_one{{"--json", all.json},
                                                         {"--listing", all.listing},
                                                         {"--counters", all.counters},
                                                         {"--out", !all.tensors_out.empty()}};
  for (const auto& [name, is_given] : of_one) {
    if (is_given) throw UserError{fmt::format(message::one_program_only, name)};
  }
  std::vector<LaunchOptions> launches;
  std::set<std::string> known;
  for (const std::string& path : all.inputs) {
    const Object program = load_program({path}, assemble_options(all));
    LaunchOptions launch = all;
    launch.inputs = {path};
    std::erase_if(launch.tensors_in, [&](const std::string& binding) {
      const std::string name = binding.substr(0, binding.find('='));
      return std::none_of(program.tensors.begin(), program.tensors.end(),
                          [&](const auto& tensor) { return tensor.name == name; });
    });
    known.insert(launch.tensors_in.begin(), launch.tensors_in.end());
    launches.push_back(std::move(launch));
  }
  for (const std::string& binding : all.tensors_in) {
    if (!known.contains(binding)) throw UserError{fmt::format(message::in_of_none, binding)};
  }
  return launches;
}

int report_folder_of(const ReportOptions& options) {
  if (!options.files.data.empty()) {
    throw UserError{fmt::format(message::one_page_only, "--data")};
  }
  const std::vector<LaunchOptions> launches = launches_of(options.request.launch);
  PageFolder folder(options.files.page, options.files.earlier);
  int status = exit_done;
  for (const LaunchOptions& launch : launches) {
    ReportRequest request = options.request;
    request.launch = launch;
    if (options.trace) request.trace = folder.trace_path(launch.inputs.at(0));
    const ReportedProgram program = run_for_report(request);
    folder.write_page(program.data);
    status = std::max(status, program.status);
  }
  folder.write_index();
  return status;
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
      "  tandem report step.elf loss.elf --draw-inputs -o pages/\n"
      "Exit status: that of the run, as for `tandem run`; of several, the highest.");
  LaunchOptions& launch = options->request.launch;
  add_launch_options(command, launch).required();
  add_draw_option(command, launch);
  command
      .add_option("-o,--output", options->files.page,
                  "The page, one HTML file, or a folder for pages and their index")
      .required();
  command.add_option("--data", options->files.data, "The page's data, as JSON");
  command.add_option("--compare", options->files.earlier,
                     "An earlier page, or a folder of them: what has changed since");
  command.add_flag("--with-trace", options->trace,
                   "Write a Perfetto trace beside the page, which opens it at the time shown");
  command.add_option("--on", options->request.on, "Model")
      .words({"cycle", "rtl"})
      .capture_default_str();
  add_model_options(command, options->request.model);
  command.callback([options, status, command] {
    options->request.options = given_options(command);
    const std::string& page = options->files.page;
    const bool is_folder = is_page_folder(page) || (!page.ends_with(".html") &&
                                                    are_several_programs(options->request.launch));
    *status = is_folder ? report_folder_of(*options) : report_page_of(*options);
  });
}

}  // namespace tandem
