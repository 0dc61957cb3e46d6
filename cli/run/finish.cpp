#include "cli/run/finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/messages/user_error.hpp"
#include "cli/terminal/colour.hpp"
#include "report/counters.hpp"
#include "report/json/json_text.hpp"

namespace tandem {

void print_counters(const Runner& runner, const std::vector<CounterRegion>& regions,
                    const Image& image) {
  const std::optional<CounterValues> counters = runner.counters();
  if (!counters) return;
  fmt::print("{}{}", counters_text(*counters, *image.preset), regions_text(regions, image));
}

namespace {

const UnwrittenOutput* find_output(const std::vector<UnwrittenOutput>& list,
                                   const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&name](const UnwrittenOutput& item) {
    return item.tensor == name;
  });
  return found == list.end() ? nullptr : &*found;
}

std::string explained(const std::vector<UnwrittenOutput>& unwritten,
                      const std::vector<TensorFile>& files) {
  std::string text;
  for (const UnwrittenOutput& output : unwritten) {
    text += unwritten_text(output);
    for (const TensorFile& file : files) {
      if (file.name == output.tensor) text += fmt::format("; {} is not written", file.path);
    }
    text += '\n';
  }
  return text;
}

nlohmann::json unwritten_json(const std::vector<UnwrittenOutput>& unwritten) {
  nlohmann::json list = nlohmann::json::array();
  for (const UnwrittenOutput& output : unwritten) {
    list.push_back(
        {{"tensor", output.tensor}, {"elements", output.elements}, {"first", output.first}});
  }
  return list;
}

}  // namespace

std::vector<TensorFile> complete_outputs(const std::vector<TensorFile>& files,
                                         const std::vector<UnwrittenOutput>& unwritten) {
  std::vector<TensorFile> complete;
  for (const TensorFile& file : files) {
    if (find_output(unwritten, file.name) == nullptr) complete.push_back(file);
  }
  return complete;
}

int finish_run(const LaunchOptions& options, const std::vector<TensorFile>& outputs,
               const CommandRun& run, const RunResult& result, const RunReaders& readers,
               const nlohmann::json& files) {
  const Runner& runner = run.runner();
  std::vector<UnwrittenOutput> unwritten;
  std::vector<TensorFile> complete;
  if (result.outcome == Outcome::halted) {
    unwritten = runner.unwritten();
    complete = complete_outputs(outputs, unwritten);
    write_tensors(run.job(), complete);
  }
  const std::vector<CounterRegion> regions = readers.regions(runner);
  if (options.json) {
    nlohmann::json json = result_json(runner, result, run.image());
    if (!regions.empty()) json["regions"] = regions_json(regions, run.image());
    if (!unwritten.empty()) json["unwritten"] = unwritten_json(unwritten);
    json.update(files);
    fmt::print("{}\n", json_text(json));
  } else {
    print_mismatch(result_text(runner, result, run.image()) + explained(unwritten, outputs));
    if (options.counters) print_counters(runner, regions, run.image());
  }
  const bool missing = result.outcome == Outcome::halted && complete.size() != outputs.size();
  return missing ? exit_failed : exit_status(result);
}

int finish_run(const LaunchOptions& options, const std::vector<TensorFile>& outputs,
               const CommandRun& run, const RunResult& result, const RunReaders& readers) {
  return finish_run(options, outputs, run, result, readers, nlohmann::json::object());
}

}  // namespace tandem
