#include "cli/sweep/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/sweep/analysis.hpp"
#include "cli/sweep/run_point.hpp"
#include "isa/registers/registers.hpp"
#include "report/area/area.hpp"
#include "report/json/json_text.hpp"

namespace tandem {
namespace {

nlohmann::json parameters_json(const StudyMachine& machine) {
  nlohmann::json json;
  for (const MachineParameter& parameter : machine_parameters(machine)) {
    json[parameter.name] = parameter.value;
  }
  return json;
}

nlohmann::json area_json(const Area& area) {
  return {{"gates", std::llround(area.gates)},
          {"flip_flops", std::llround(area.flip_flops)},
          {"memory_bits", std::llround(area.memory_bits)}};
}

// Without its timing, which costs no gates.
nlohmann::json machine_json(const Parameters& sizes) {
  nlohmann::json json = area_json(machine_area(sizes));
  json["name"] = sizes.name;
  for (const ModuleArea& each : module_areas(sizes)) {
    json["modules"][std::string(each.module)] = area_json(each.area);
  }
  return json;
}

nlohmann::json machines_json(const Study& study) {
  nlohmann::json json = nlohmann::json::object();
  for (const StudyMachine& machine : study.machines) {
    const std::string name(machine.sizes->name);
    if (!json.contains(name)) json[name] = machine_json(*machine.sizes);
  }
  return json;
}

nlohmann::json sensitivity_json(const Study& study, const std::vector<PointResult>& results) {
  nlohmann::json json = nlohmann::json::array();
  for (std::size_t program = 0; program < study.programs.size(); ++program) {
    for (const Sensitivity& step : sensitivities(study, results, program)) {
      json.push_back({{"program", study.programs[program].name},
                      {"parameter", step.parameter},
                      {"from", step.from},
                      {"to", step.to},
                      {"pairs", step.pairs},
                      {"ratio", step.ratio},
                      {"least", step.least},
                      {"most", step.most}});
    }
  }
  return json;
}

nlohmann::json meanings_json() {
  nlohmann::json json;
  for (const CounterRow& row : stall_causes()) json["causes"][std::string(row.name)] = row.meaning;
  for (const MachineSize& size : machine_sizes()) {
    json["parameters"][std::string(size.name)] = size.meaning;
  }
  for (const MachineTiming& timing : machine_timings()) {
    json["parameters"][std::string(timing.name)] = timing.meaning;
  }
  return json;
}

// The cause that most cycles were lost to; "" if there was none.
std::string dearest_cause(const nlohmann::json& causes) {
  std::string name;
  std::uint64_t most = 0;
  for (const auto& [cause, cycles] : causes.items()) {
    if (cause == "issued" || cycles.get<std::uint64_t>() <= most) continue;
    name = cause;
    most = cycles.get<std::uint64_t>();
  }
  return name;
}

nlohmann::json point_json(const Study& study, const PointResult& result, bool is_best) {
  const StudyMachine& machine = study.machines[result.point.machine];
  nlohmann::json json{{"program", study.programs[result.point.program].name},
                      {"machine", machine.name},
                      {"sizes", machine.sizes->name},
                      {"parameters", parameters_json(machine)},
                      {"area", area_json(machine_area(*machine.sizes))},
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
  json["pareto"] = is_best;
  json["counters"] = parse_json(record.data);
  json["dearest"] = dearest_cause(json["counters"]["causes"]);
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
  for (const MachineSize& size : machine_sizes()) add(point["parameters"], std::string(size.name));
  for (const MachineTiming& timing : machine_timings()) {
    add(point["parameters"], std::string(timing.name));
  }
  for (const char* const name : {"gates", "flip_flops", "memory_bits"}) add(point["area"], name);
  for (const char* const name : {"outcome", "cycles", "bundles", "pareto", "dearest"})
    add(point, name);
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
  nlohmann::json json{{"format", "tandem-sweep-1"},
                      {"name", study.name},
                      {"machines", machines_json(study)},
                      {"sensitivity", sensitivity_json(study, results)},
                      {"meanings", meanings_json()}};
  const std::vector<bool> front = pareto_front(study, results);
  json["points"] = nlohmann::json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    json["points"].push_back(point_json(study, results[i], front[i]));
  }
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
  std::size_t programs = 0;  // the longest names
  std::size_t machines = 0;
  for (const nlohmann::json& point : sweep["points"]) {
    programs = std::max(programs, point["program"].get<std::string>().size());
    machines = std::max(machines, point["machine"].get<std::string>().size());
  }
  std::string text;
  std::set<std::string> told;  // a message common to many points is shown once
  for (const nlohmann::json& point : sweep["points"]) {
    const bool done = point.contains("cycles");
    text += fmt::format("  {:{}}  {:{}} {:>14}\n", point["program"].get<std::string>(), programs,
                        point["machine"].get<std::string>(), machines,
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
