// tandem regress: a campaign of random programs, on local cores or on Slurm.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/campaign/engine.hpp"
#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/run/files/mismatch_wave_file.hpp"
#include "cosim/campaign/run_seed.hpp"
#include "cosim/campaign/summary.hpp"
#include "host/interruption.hpp"
#include "report/json/json_text.hpp"
#include "runtime/device/rtl_plugin.hpp"

namespace tandem {
namespace {

struct RegressOptions {
  std::string file;
  EngineOptions engine;
  std::string repeat;
  std::string wave;
  std::string junit;
  std::string page;
  bool json = false;
};

bool parse_number(std::string_view text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && !text.empty();
}

// Before any worker: missing parts of this build are reported once, and the libraries are loaded
// for all.
void require_models(const Campaign& campaign) {
  std::set<const Parameters*> presets;
  for (const Configuration& configuration : campaign.configurations) {
    if (configuration.models.rtl) presets.insert(configuration.preset);
  }
  for (const Parameters* preset : presets) runtime::load_rtl_machine(*preset, {});
}

// "nano/dense/17", as the summary prints it.
int repeat_seed(const Campaign& campaign, const RegressOptions& options) {
  const std::size_t slash = options.repeat.rfind('/');
  std::uint64_t seed = 0;
  if (slash == std::string::npos || !parse_number(options.repeat.substr(slash + 1), seed)) {
    throw UserError{fmt::format(message::bad_repeat, options.repeat)};
  }
  const std::string title = options.repeat.substr(0, slash);
  for (const Configuration& configuration : campaign.configurations) {
    if (configuration.title() != title) continue;
    MismatchWaveFile wave(options.wave);
    SeedRunner runner(configuration, runtime::load_rtl_machine);
    wave.ask_for(runner, configuration.models);
    std::string report;
    const SeedRecord record = runner.run(seed, &report);
    nlohmann::json written;
    wave.finish(report, written);
    fmt::print(stderr, "{}: {}, {} bundles, {} cycles\n{}", options.repeat, record.outcome,
               record.bundles, record.cycles, record.report);
    return record.passed ? exit_done : exit_failed;
  }
  throw UserError{fmt::format(message::no_such_configuration, title)};
}

int report(const RegressOptions& options, const CampaignSummary& summary) {
  if (!options.junit.empty()) write_text(options.junit, summary_junit(summary));
  if (!options.page.empty()) write_text(options.page, summary_page(summary, options.file));
  if (options.json) fmt::print("{}\n", json_text(summary_json(summary)));
  if (!options.json && !options.engine.no_summary) {
    fmt::print(stderr, "{}", summary_text(summary, options.file));
  }
  return summary.passed() ? exit_done : exit_failed;
}

int regress(const RegressOptions& options) {
  const Campaign campaign = parse_campaign(read_text(options.file), options.file);
  if (!options.repeat.empty()) return repeat_seed(campaign, options);
  if (!options.wave.empty()) throw UserError{message::wave_of_campaign};
  for (const std::string& path : {options.junit, options.page}) {
    if (!path.empty()) claim_output(path);
  }
  Engine engine(options.engine, "regress", options.file);
  if (engine.is_to_work()) {
    require_models(campaign);
    engine.work(campaign_plan(campaign, runtime::load_rtl_machine));
  }
  const CampaignSummary summary = summarise(campaign, engine.store(), engine.build());
  if (options.engine.no_summary) return interrupted_status(exit_done);
  return interrupted_status(report(options, summary));
}

}  // namespace

void add_regress_command(Command application, int* status) {
  auto options = std::make_shared<RegressOptions>();
  const Command command = application.add_subcommand(
      "regress", "Run a campaign of random programs in lockstep, on this machine or on Slurm");
  command.footer(
      "Examples:\n"
      "  tandem regress soak.toml --html soak.html --junit soak.xml\n"
      "  tandem regress soak.toml                   (again: goes on where it was)\n"
      "  tandem regress soak.toml --slurm 64 --sbatch=--partition=long\n"
      "  tandem regress soak.toml --merge other.results --summary\n"
      "  tandem regress soak.toml --repeat nano/default/17\n"
      "Exit status: 0 every seed done and passed, 1 a failure or a missing seed, 2 bad usage or\n"
      "input.");
  command.add_option("campaign", options->file, "The campaign, a TOML file").required();
  add_engine_options(command, options->engine);
  command.add_option("--repeat", options->repeat,
                     "PRESET/KNOBS/SEED: run this one here and print its report");
  command.add_option("--wave", options->wave,
                     "With --repeat: file for a waveform of the cycles before a mismatch");
  command.add_option("--junit", options->junit, "Write the summary as JUnit XML");
  command.add_option("--html", options->page, "Write the summary as a page");
  command.add_flag("--json", options->json, "The summary as JSON on standard output");
  command.callback([options, status] { *status = regress(*options); });
}

}  // namespace tandem
