#include "cli/run/files/run_report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/options/model_options.hpp"
#include "report/json/json_text.hpp"
#include "report/page.hpp"

namespace tandem {
namespace {

constexpr std::uintmax_t largest_source = std::uintmax_t{16} << 20U;

}  // namespace

std::optional<std::string> read_source_file(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return std::nullopt;
  if (std::filesystem::file_size(name, error) > largest_source || error) return std::nullopt;
  return read_text(name);
}

nlohmann::json read_report_page(const std::string& path) {
  if (path.empty()) return nullptr;
  std::optional<nlohmann::json> data = page_data(read_text(path));
  if (!data) throw UserError{fmt::format(message::no_report_page, path)};
  return *std::move(data);
}

RunReport::RunReport(const Image& image, ReportFiles files)
    : image_(image),
      files_(std::move(files)),
      before_(read_report_page(files_.earlier)),
      profile_(image) {
  if (!files_.page.empty()) claim_output(files_.page);
  if (!files_.data.empty()) claim_output(files_.data);
  events_.add(&ordered_);
  events_.add(&regions_);
}

nlohmann::json RunReport::data(const ReportTitle& title, const Runner& runner,
                               const RunResult& result) {
  const CounterValues counters = runner.counters().value_or(CounterValues{});
  // A run that was abandoned, or ended by a finding, has not ended its stream.
  if (!profile_.finished()) ordered_.ended(counters.cycles);
  ReportedRun run;
  run.program = title.program;
  run.command = command_line();
  run.model = title.model;
  const char* const unfinished = result.interrupted ? "interrupted" : "limit reached";
  run.outcome =
      result.outcome == Outcome::running ? unfinished : std::string(outcome_name(result.outcome));
  run.memory = title.memory;
  run.schedule = title.schedule;
  run.options = title.options;
  run.trace = title.trace;
  run.image = &image_;
  run.profile = &profile_;
  run.counters = counters;
  run.regions = regions_.regions(counters);
  return run_data(run, read_source_file);
}

void RunReport::write(const ReportTitle& title, const Runner& runner, const RunResult& result) {
  const nlohmann::json shown = data(title, runner, result);
  write_text(files_.page, report_page(shown, before_));
  if (!files_.data.empty()) write_text(files_.data, json_text(shown) + "\n");
}

}  // namespace tandem
