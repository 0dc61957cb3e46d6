// tandem diff: two traces of runs, side by side.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "report/json/json_text.hpp"
#include "sim/trace/trace_diff.hpp"

namespace tandem {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  std::string by = "line";
  std::size_t top = 20;
  bool json = false;
};

trace::Timeline read_trace(const std::string& path) {
  const std::string file = read_text(path);
  try {
    trace::Timeline timeline = trace::read_timeline(file);
    if (!timeline.window.empty()) {
      throw UserError{fmt::format(message::part_of_a_run, path, timeline.window)};
    }
    if (!timeline.ended) {
      throw UserError{fmt::format(message::broken_off, path)};
    }
    return timeline;
  } catch (const trace::ReadError& error) {
    throw UserError{fmt::format(message::file_error, path, error.message)};
  }
}

nlohmann::json shares_json(const std::vector<trace::Share>& shares) {
  nlohmann::json list = nlohmann::json::array();
  for (const trace::Share& share : shares) {
    nlohmann::json item{{"name", share.name},
                        {"first", share.before},
                        {"second", share.after},
                        {"change", share.lost()}};
    if (!share.causes.empty()) item["causes"] = shares_json(share.causes);
    list.push_back(std::move(item));
  }
  return list;
}

nlohmann::json difference_json(const trace::Difference& difference) {
  nlohmann::json json{{"cycles", {{"first", difference.before}, {"second", difference.after}}},
                      {"causes", shares_json(difference.causes)},
                      {"places", shares_json(difference.places)}};
  if (difference.parting) {
    json["parting"] = {{"cycle", difference.parting->cycle},
                       {"first", difference.parting->before},
                       {"second", difference.parting->after}};
  }
  return json;
}

int run_diff(const DiffOptions& options) {
  const auto group = options.by == "label" ? trace::GroupBy::label : trace::GroupBy::line;
  const trace::Timeline before = read_trace(options.before);
  const trace::Timeline after = read_trace(options.after);
  if (before.preset != after.preset) {
    fmt::print(stderr, "note: the first run is of preset {}, the second of {}\n", before.preset,
               after.preset);
  }
  const trace::Difference difference = trace::compare(before, after, group);
  if (options.json) {
    fmt::print("{}\n", json_text(difference_json(difference)));
  } else {
    fmt::print("{}", trace::difference_text(difference, options.top));
  }
  return difference.parting ? exit_failed : exit_done;
}

}  // namespace

void add_diff_command(Command application, int* status) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = application.add_subcommand(
      "diff", "Show where two traced runs diverge, and where time was won or lost");
  command.footer(
      "Example:\n"
      "  tandem run --on cycle old.s --trace old.pftrace\n"
      "  tandem run --on cycle new.s --trace new.pftrace\n"
      "  tandem diff old.pftrace new.pftrace\n"
      "Exit status: 0 the same in every cycle, 1 they diverge, 2 bad usage or input.");
  command.add_option("first", options->before, "Trace of the first run (--trace)").required();
  command.add_option("second", options->after, "Trace of the second run").required();
  command.add_option("--by", options->by, "Places are source lines or labels: line, label")
      .one_of({"line", "label"})
      .capture_default_str();
  command.add_option("--top", options->top, "Places to show").capture_default_str();
  command.add_flag("--json", options->json, "The comparison as JSON");
  command.callback([options, status] { *status = run_diff(*options); });
}

}  // namespace tandem
