// tandem explore: source, linear operations, bundles and cycles beside each other.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explore/explored.hpp"
#include "cli/explore/page_server.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "host/interruption.hpp"
#include "host/output_file.hpp"
#include "host/printable.hpp"
#include "host/process.hpp"
#include "report/json/json_text.hpp"
#include "report/page.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

struct ExploreOptions {
  ExploreRequest request;
  std::string page;
  bool serve = false;
  std::uint32_t port = 0;
};

using FileTimes = std::map<std::string, fs::file_time_type>;

FileTimes times_of(const std::vector<std::string>& files) {
  FileTimes times;
  for (const std::string& file : files) {
    std::error_code error;
    times[file] = fs::last_write_time(file, error);
  }
  return times;
}

std::string error_of(const nlohmann::json& data) { return data.at("error").get<std::string>(); }

// What is shown, and what it was made from.
class Shown {
 public:
  explicit Shown(const ExploreRequest& request) : request_(request) { make(); }

  // Whether the files have changed, and it is new.
  bool renew() {
    if (times_of(watched_) == times_) return false;
    make();
    return true;
  }
  [[nodiscard]] const nlohmann::json& data() const { return data_; }

  [[nodiscard]] Answer answer(const std::string& path) const {
    if (path == "/") return {200, "text/html; charset=utf-8", explore_page(data_, true)};
    if (path == "/data") return {200, "application/json", json_text(data_, -1)};
    if (path == "/version") return {200, "application/json", data_.at("version").dump()};
    return {404, "text/plain", "There is nothing here.\n"};
  }

 private:
  void make() {
    times_ = times_of(watched_.empty() ? request_.launch.inputs : watched_);
    Explored now = explored(request_);
    if (!error_of(now.data).empty() && has_panes_) {  // what was there stays, and is marked as old
      now.data["programs"] = data_["programs"];
      now.data["is_old"] = true;
      now.watched.insert(now.watched.end(), watched_.begin(), watched_.end());
    }
    has_panes_ = has_panes_ || error_of(now.data).empty();
    data_ = std::move(now.data);
    data_["version"] = ++version_;
    const FileTimes before = std::exchange(times_, times_of(now.watched));
    for (const auto& [file, time] : before) {
      if (times_.contains(file)) times_[file] = time;  // it may have changed meanwhile
    }
    watched_ = std::move(now.watched);
  }

  const ExploreRequest& request_;
  nlohmann::json data_;
  std::vector<std::string> watched_;
  FileTimes times_;
  std::uint64_t version_ = 0;
  bool has_panes_ = false;
};

void tell(const nlohmann::json& data) {
  const std::string error = error_of(data);
  if (!error.empty()) {
    fmt::print(stderr, "{}\n", printable(error));
    return;
  }
  for (const nlohmann::json& program : data.at("programs")) {
    fmt::print(stderr, "{}: {} cycles\n", printable(program.at("name").get<std::string>()),
               program.at("cycles").get<std::uint64_t>());
  }
}

int serve(const ExploreOptions& options, Shown& shown) {
  PageServer server(static_cast<std::uint16_t>(options.port),
                    [&shown](const std::string& path) { return shown.answer(path); });
  fmt::print("http://127.0.0.1:{}/\n", server.port());
  std::fflush(stdout);
  while (interruption() == 0) {
    server.serve(300);
    if (interruption() == 0 && shown.renew()) tell(shown.data());
  }
  return exit_done;
}

void refuse_options_of_runs(const LaunchOptions& launch) {
  const std::vector<std::pair<const char*, bool>> of_runs{{"--json", launch.json},
                                                          {"--listing", launch.listing},
                                                          {"--counters", launch.counters},
                                                          {"--out", !launch.tensors_out.empty()}};
  for (const auto& [name, is_given] : of_runs) {
    if (is_given) throw UserError{fmt::format(message::not_for_explore, name)};
  }
}

int explore(const ExploreOptions& options) try {
  refuse_options_of_runs(options.request.launch);
  if (options.page.empty() && !options.serve) throw UserError{message::explore_needs_place};
  if (options.serve) note_interruptions();
  Shown shown(options.request);
  tell(shown.data());
  const bool failed = !error_of(shown.data()).empty();
  if (!options.page.empty()) {
    claim_output(options.page);  // now that all inputs are known
    write_text(options.page, explore_page(shown.data(), false));
  }
  if (options.serve) return serve(options, shown);
  return failed ? exit_usage : exit_done;
} catch (const Interrupted&) {
  return interrupted_status(exit_failed);
}

}  // namespace

void add_explore_command(Command application, int* status) {
  auto options = std::make_shared<ExploreOptions>();
  const Command command = application.add_subcommand(
      "explore", "Show source, linear operations, bundles and cycles beside each other");
  command.footer(
      "Examples:\n"
      "  tandem explore kernel.s -o page.html\n"
      "  tandem explore model.py --serve --machine full\n"
      "  tandem explore model.mlir --in arg0=x.npy -o page.html\n"
      "A .py file is run, and what JAX compiles is shown. Inputs without a file hold drawn "
      "numbers.\n"
      "With --serve the page follows changes of the file; Ctrl-C ends it.\n"
      "Exit status: 0 done, 2 bad usage, or the file could not be assembled or compiled.");
  LaunchOptions& launch = options->request.launch;
  launch.draw_inputs = true;
  add_launch_options(command, launch).required();
  command.add_option("-o,--output", options->page, "The page, one HTML file");
  command.add_flag("--serve", options->serve,
                   "Serve the page on 127.0.0.1, and make it again when the file changes");
  command.add_option("--port", options->port, "Port of --serve; 0: one that is free")
      .within(0U, 65535U)
      .capture_default_str();
  command.add_option("--python", options->request.python, "Interpreter for a Python file");
  add_model_options(command, options->request.model);
  command.callback([options, status] { *status = explore(*options); });
}

}  // namespace tandem
