// Judges the RTL that it is linked with, in which one fault is switched on (TANDEM_MUTANT): random
// programs, then directed programs, then scenarios of the host, until one of them notices. Suites:
//   random    random programs in lockstep
//   directed  directed programs in lockstep; `slow` and `jitter`: those with copies, on other
//   memories;
//             `fast`: those of the matrix unit
//   host      tests/cosim/host/host_scenarios.hpp
//   golden    only on request: directed programs on golden alone, against their expectations
// Each ends after bundles or cycles that are its own: a machine that hangs has a verdict too.
//
//   judge [--programs N] [--first-seed N] [--skip SUITE]... [--only SUITE]
//
// Prints one line of JSON: {"by": null} when nothing was found, else what found it and how. The
// exit status is 0 either way.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/session/random_session.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"
#include "tests/cosim/host/host_scenarios.hpp"
#include "tests/programs/directed.hpp"
#include "tests/programs/lockstep.hpp"

namespace tandem {
namespace {

using nlohmann::json;

struct Options {
  std::uint64_t programs = 40;
  std::uint64_t first_seed = 1;
  std::set<std::string, std::less<>> suites{"random", "directed", "jitter", "slow", "fast", "host"};
};

const Parameters& preset() { return *find_preset("nano"); }

std::optional<json> judge_random(const Options& options) {
  RandomLockstep lockstep(preset(), make_rtl_machine, make_timed_machine, {}, "");
  std::uint64_t bundles = 0;
  for (std::uint64_t seed = options.first_seed; seed < options.first_seed + options.programs;
       ++seed) {
    const RandomResult result = lockstep.run(seed);
    bundles += result.bundles;
    if (result.passed()) continue;
    json told{{"by", "random"},
              {"outcome", outcome_name(result.outcome)},
              {"seed", seed},
              {"bundles", bundles}};
    const json report = json::parse(result.explanation_json, nullptr, false);
    if (report.is_object() && report.contains("field")) told["field"] = report["field"];
    return told;
  }
  return std::nullopt;
}

std::optional<json> judge_directed(const MachineOptions& machine, std::string_view by,
                                   const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string text = directed::disagreement_in_lockstep(path, preset(), machine);
    if (text.empty()) continue;
    return json{{"by", by}, {"program", path}, {"outcome", text.substr(0, text.find('\n'))}};
  }
  return std::nullopt;
}

// Without any other model.
std::optional<json> judge_golden() {
  for (const std::string& path : directed::program_paths()) {
    const auto different = directed::differences_on_golden({path, preset()}, {});
    if (different.empty()) continue;
    return json{{"by", "expectations"}, {"program", path}, {"outcome", different.front()}};
  }
  return std::nullopt;
}

std::optional<json> judge_host() {
  for (const HostScenario& scenario : host_scenarios()) {
    const std::string text = scenario.disagreement();
    if (!text.empty()) return json{{"by", "host"}, {"program", scenario.name}, {"outcome", text}};
  }
  return std::nullopt;
}

std::optional<json> judge(const Options& options) {
  if (options.suites.contains("golden")) {
    if (auto kill = judge_golden()) return kill;
  }
  if (options.suites.contains("random")) {
    if (auto kill = judge_random(options)) return kill;
  }
  if (options.suites.contains("directed")) {
    if (auto kill = judge_directed({}, "directed", directed::program_paths())) return kill;
  }
  if (options.suites.contains("host")) {
    if (auto kill = judge_host()) return kill;
  }
  const std::vector<std::string> copies = directed::program_paths("dma");
  if (options.suites.contains("slow")) {
    for (const MachineOptions& machine : directed::slow_memories()) {
      if (auto kill = judge_directed(machine, "directed on a slow memory", copies)) return kill;
    }
  }
  if (options.suites.contains("jitter")) {
    MachineOptions machine;
    machine.memory.jitter = 37;
    machine.memory.seed = machine.reset_seed = 3;
    if (auto kill = judge_directed(machine, "directed under jitter", copies)) return kill;
  }
  if (options.suites.contains("fast")) {
    const std::vector<std::string> matrix = directed::program_paths("matrix");
    if (auto kill = judge_directed(directed::fast_memory(), "directed on a fast memory", matrix)) {
      return kill;
    }
  }
  return std::nullopt;
}

Options read_options(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& name = words[i];
    const std::string& value = words[i + 1];
    if (name == "--programs") {
      options.programs = std::stoull(value);
    } else if (name == "--first-seed") {
      options.first_seed = std::stoull(value);
    } else if (name == "--skip" && options.suites.erase(value) == 1) {
      continue;
    } else if (name == "--only" && (options.suites.contains(value) || value == "golden")) {
      options.suites = {value};
    } else {
      throw std::invalid_argument(fmt::format("judge: what is {} {}?", name, value));
    }
  }
  if (words.size() % 2 != 0) throw std::invalid_argument("judge: an option without its value");
  return options;
}

}  // namespace
}  // namespace tandem

int main(int count, char** words) {
  try {
    const auto kill =
        tandem::judge(tandem::read_options(std::vector<std::string>(words + 1, words + count)));
    std::cout << kill.value_or(nlohmann::json{{"by", nullptr}}).dump() << std::endl;
    return 0;
  } catch (const std::invalid_argument& mistake) {
    std::cerr << mistake.what() << '\n';
    return 2;
  } catch (const std::exception& error) {  // of a model that a fault has led astray
    std::cout << nlohmann::json{{"by", "exception"}, {"outcome", error.what()}}.dump() << std::endl;
    return 0;
  }
}
