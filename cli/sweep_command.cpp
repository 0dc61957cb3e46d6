// tandem sweep: programs on many machines, and the cost of each.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/campaign/engine.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/sweep/results.hpp"
#include "cli/sweep/run_point.hpp"
#include "host/interruption.hpp"
#include "report/json/json_text.hpp"
#include "report/page.hpp"

namespace tandem {
namespace {

struct SweepOptions {
  std::string file;
  EngineOptions engine;
  std::string csv;
  std::string page;
  bool json = false;
};

int sweep(const SweepOptions& options) {
  const Study study = parse_study(read_text(options.file), options.file);
  for (const std::string& path : {options.csv, options.page}) {
    if (!path.empty()) claim_output(path);
  }
  Engine engine(options.engine, "sweep", options.file);
  StudyPrograms programs(study, engine.folder());
  if (engine.is_to_work()) engine.work(sweep_plan(study, programs));
  if (options.engine.no_summary) return interrupted_status(exit_done);
  const std::vector<PointResult> results = point_results(study, programs, engine.store());
  const nlohmann::json json = sweep_json(study, results);
  if (!options.csv.empty()) write_text(options.csv, sweep_csv(json));
  if (!options.page.empty()) write_text(options.page, sweep_page(json));
  if (options.json) fmt::print("{}\n", json_text(json));
  if (!options.json) fmt::print(stderr, "{}", sweep_text(json));
  return interrupted_status(is_complete(results) ? exit_done : exit_failed);
}

}  // namespace

void add_sweep_command(Command application, int* status) {
  auto options = std::make_shared<SweepOptions>();
  const Command command = application.add_subcommand(
      "sweep", "Run programs on many machines on the cycle-exact model, and compare them");
  command.footer(
      "Examples:\n"
      "  tandem sweep study.toml --html study.html --csv study.csv\n"
      "  tandem sweep study.toml                    (again: goes on where it was)\n"
      "  tandem sweep study.toml --slurm 64 --sbatch=--partition=long\n"
      "Exit status: 0 every point ran to its halt, 1 one did not or is missing, 2 bad usage or\n"
      "input.");
  command.add_option("study", options->file, "The study, a TOML file").required();
  add_engine_options(command, options->engine);
  command.add_option("--csv", options->csv, "Write the points as a table");
  command.add_option("--html", options->page,
                     "Write a page: cycles against gates, sensitivity, machines side by side");
  command.add_flag("--json", options->json, "The points as JSON on standard output");
  command.callback([options, status] { *status = sweep(*options); });
}

}  // namespace tandem
