#include "cli/explore/explored.hpp"

#include <filesystem>
#include <optional>
#include <set>

#include "cli/explore/programs.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/command_run.hpp"
#include "cli/run/drive.hpp"
#include "cli/run/files/run_report.hpp"
#include "cli/run/options/step_limit.hpp"
#include "isa/launch/launch.hpp"
#include "report/function_name.hpp"
#include "report/panes.hpp"
#include "runtime/error.hpp"
#include "sim/events/timing_order.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t default_cycles = 20'000'000;  // a second or two

// The same program with another line table, or with its blocks as written.
std::optional<Image> assembled(const std::vector<std::string>& files,
                               const AssembleOptions& options) {
  try {
    return make_image(load_program(files, options));
  } catch (const UserError&) {  // a block that fits no registers as it is written
    return std::nullopt;
  }
}

// The second image of the panes: which one depends on the kind of the program.
std::optional<Image> other_image(const ExploreProgram& program, const LaunchOptions& launch,
                                 const Image& image, const std::string& text,
                                 const WorkFolder& work) {
  AssembleOptions options = assemble_options(launch);
  options.on_report = {};
  if (program.is_compiled) {
    const std::string file = work.file("lines.s");
    write_text(file, without_places(text));
    std::optional<Image> by_line = assembled({file}, options);
    return by_line && by_line->text == image.text ? std::move(by_line) : std::nullopt;
  }
  options.schedule = schedule::Level::none;
  std::optional<Image> written = assembled(program.files, options);
  return written && written->text != image.text ? std::move(written) : std::nullopt;
}

struct Ran {
  std::uint64_t cycles = 0;
  std::string verdict;
};

Ran run_profiled(const ExploreRequest& request, const PreparedLaunch& prepared, Profile& profile) {
  OrderedTiming ordered(profile);
  using runtime::Model;
  CommandRun run(device_options(request.launch, request.model, Model::cycle), prepared,
                 {&ordered, {}});
  const std::uint64_t limit = request.launch.limit == 0 ? default_cycles : request.launch.limit;
  const RunResult result = drive_unseen(run.runner(), Model::cycle, limit);
  const std::uint64_t cycles = run.runner().counters().value_or(CounterValues{}).cycles;
  if (!profile.finished()) ordered.ended(cycles);
  return {cycles, result_text(run.runner(), result, run.image())};
}

nlohmann::json program_json(const ExploreProgram& program, const ExploreRequest& request,
                            const WorkFolder& work) {
  ExploreRequest own = request;
  own.launch.inputs = program.files;
  const PreparedLaunch prepared(own.launch);
  const Image& image = prepared.image;
  const std::string text = program.is_compiled ? read_text(program.files.front()) : "";
  const std::optional<Image> other = other_image(program, own.launch, image, text, work);
  Profile profile(image);
  const Ran ran = run_profiled(own, prepared, profile);
  const Image* const second = other ? &*other : nullptr;
  nlohmann::json json = panes_json({.image = &image,
                                    .profile = &profile,
                                    .linear_text = without_places(text),
                                    .by_linear_line = program.is_compiled ? second : nullptr,
                                    .unscheduled = program.is_compiled ? nullptr : second});
  const std::string function = function_name(profile, image);
  json["name"] = function.empty() ? program.name : function;
  json["preset"] = image.preset->name;
  json["cycles"] = ran.cycles;
  json["verdict"] = ran.verdict;
  json["files"] = pane_files(json, request.launch.inputs, read_source_file);
  return json;
}

nlohmann::json file_alone(const ExploreRequest& request) {
  nlohmann::json json{{"name", fs::path(request.launch.inputs.front()).filename()},
                      {"preset", ""},
                      {"cycles", 0},
                      {"verdict", ""},
                      {"linear", nullptr},
                      {"bundles", {{"total", 0}, {"rows", nlohmann::json::array()}}},
                      {"lines", nlohmann::json::object()}};
  json["files"] = pane_files(json, request.launch.inputs, read_source_file);
  return json;
}

void add_programs(const ExploreRequest& request, nlohmann::json& data) {
  const WorkFolder work;
  for (const ExploreProgram& program : explore_programs(request, work)) {
    data["programs"].push_back(program_json(program, request, work));
  }
}

std::string error_of(const ExploreRequest& request, nlohmann::json& data) {
  try {
    add_programs(request, data);
    return "";
  } catch (const UserError& error) {
    return error.message;
  } catch (const LaunchError& error) {
    return error.message;
  } catch (const runtime::Error& error) {
    return error.message;
  }
}

}  // namespace

Explored explored(const ExploreRequest& request) {
  nlohmann::json data{{"file", fs::path(request.launch.inputs.front()).filename()},
                      {"command", command_line()},
                      {"programs", nlohmann::json::array()}};
  const std::string error = error_of(request, data);
  data["error"] = error;
  if (!error.empty()) data["programs"] = nlohmann::json::array({file_alone(request)});
  std::set<std::string> watched(request.launch.inputs.begin(), request.launch.inputs.end());
  for (const nlohmann::json& program : data["programs"]) {
    for (const nlohmann::json& file : program.at("files")) watched.insert(file.at("name"));
  }
  return {std::move(data), {watched.begin(), watched.end()}};
}

}  // namespace tandem
