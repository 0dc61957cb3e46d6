#include "cli/sweep/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/sweep/run_point.hpp"
#include "isa/state/registers.hpp"
#include "report/json/json_text.hpp"
#include "sim/memory/machine_timing.hpp"

namespace tandem {
namespace {

nlohmann::json sizes_json(const StudyMachine& machine) {
  nlohmann::json json;
  for (const MachineSize& size : machine_sizes()) {
    json[std::string(size.name)] = (*machine.sizes).*size.member;
  }
  return json;
}

nlohmann::json timing_json(const StudyMachine& machine) {
  MemoryTimingParameters memory;
  apply_timing(machine.timing, memory);
  nlohmann::json json;
  for (std::size_t row = 0; row < machine_timings().size(); ++row) {
    json[std::string(machine_timings()[row].name)] = timing_value(memory, row);
  }
  return json;
}

nlohmann::json point_json(const Study& study, const PointResult& result) {
  const StudyMachine& machine = study.machines[result.point.machine];
  nlohmann::json json{{"program", study.programs[result.point.program].name},
                      {"machine", machine.name},
                      {"sizes", sizes_json(machine)},
                      {"timing", timing_json(machine)},
                      {"outcome", "missing"}};
  if (result.record == nullptr) return json;
  const SeedRecord& record = *result.record;
  json["outcome"] = record.outcome;
  if (!record.passed) {
    json["why"] = record.report;
    return json;
  }
  json["cycles"] = record.cycles;
  json["bundles"] = record.bundles;
  json["counters"] = parse_json(record.data);
  return json;
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_cell(const nlohmann::json& value) {
  if (value.is_string()) return csv_text(value.get<std::string>());
  return value.is_null() ? "" : json_text(value, -1);
}

nlohmann::json member(const nlohmann::json& json, const std::string& name) {
  return json.contains(name) ? json[name] : nlohmann::json();
}

// Name and value of each column.
std::vector<std::pair<std::string, nlohmann::json>> csv_row(const nlohmann::json& point) {
  std::vector<std::pair<std::string, nlohmann::json>> row;
  const auto add = [&row](const nlohmann::json& from, const std::string& name) {
    row.emplace_back(name, member(from, name));
  };
  add(point, "program");
  add(point, "machine");
  for (const MachineSize& size : machine_sizes()) add(point["sizes"], std::string(size.name));
  for (const MachineTiming& timing : machine_timings()) {
    add(point["timing"], std::string(timing.name));
  }
  for (const char* const name : {"outcome", "cycles", "bundles"}) add(point, name);
  const nlohmann::json causes = member(member(point, "counters"), "causes");
  for (const CounterRow& cause : stall_causes()) add(causes, std::string(cause.name));
  return row;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : ",") + cell;
  return text + "\n";
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += fmt::format("      {}\n", text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

}  // namespace

std::vector<PointResult> point_results(const Study& study, StudyPrograms& programs,
                                       const Store& store) {
  std::vector<PointResult> results;
  for (const StudyPoint& point : study.points) {
    PointResult result{point, nullptr};
    const auto found = store.results().find(point_key(study, programs, point));
    if (found != store.results().end() && !found->second.empty()) {
      result.record = &found->second.begin()->second;
    }
    results.push_back(result);
  }
  std::sort(results.begin(), results.end(), [](const PointResult& a, const PointResult& b) {
    return std::pair(a.point.program, a.point.machine) <
           std::pair(b.point.program, b.point.machine);
  });
  return results;
}

nlohmann::json sweep_json(const Study& study, const std::vector<PointResult>& results) {
  nlohmann::json json{{"format", "tandem-sweep-1"}, {"name", study.name}};
  json["points"] = nlohmann::json::array();
  for (const PointResult& result : results) json["points"].push_back(point_json(study, result));
  return json;
}

std::string sweep_csv(const nlohmann::json& sweep) {
  std::string text;
  for (const nlohmann::json& point : sweep["points"]) {
    std::vector<std::string> names;
    std::vector<std::string> cells;
    for (const auto& [name, value] : csv_row(point)) {
      names.push_back(csv_text(name));
      cells.push_back(csv_cell(value));
    }
    if (text.empty()) text = line(names);
    text += line(cells);
  }
  return text;
}

std::string sweep_text(const nlohmann::json& sweep) {
  std::string text;
  std::set<std::string> told;  // what many points have in common is said once
  for (const nlohmann::json& point : sweep["points"]) {
    const bool done = point.contains("cycles");
    text += fmt::format("  {:16} {:48} {:>14}\n", point["program"].get<std::string>(),
                        point["machine"].get<std::string>(),
                        done ? fmt::format("{}", point["cycles"].get<std::uint64_t>())
                             : point["outcome"].get<std::string>());
    const std::string why = point.value("why", std::string());
    if (!why.empty() && told.insert(why).second) text += indented(why);
  }
  return text;
}

bool is_complete(const std::vector<PointResult>& results) {
  return std::all_of(results.begin(), results.end(), [](const PointResult& result) {
    return result.record != nullptr && result.record->passed;
  });
}

}  // namespace tandem
